// A program on the generated client of TypeScript, which is the folder `generated`: story.js ADDRESS TOKEN.

import { Configuration, DocumentsApi, ManyDocumentsApi, QuestionsApi, ResponseError } from "./generated";

declare const process: { argv: string[]; stdout: { write(text: string): void } };

const TEXT = "Boil the milk gently and stir in the rice until it has become soft and thick enough for a wooden spoon.";
const LINES = [{ text: TEXT, id: "again" }, { id: "nothing" }, { text: "bread", id: "bread", url: null }];

function kinds(lines: string): unknown[] {
    return lines.trim().split("\n").map((line) => JSON.parse(line).kind ?? null);
}

async function refusal(answer: Promise<unknown>): Promise<unknown[]> {
    try {
        await answer;
    } catch (error) {
        if (error instanceof ResponseError) {
            const problem = await error.response.json();
            return [problem.status, problem.detail];
        }
        throw error;
    }
    return [];
}

async function tellStory(address: string, token: string): Promise<object> {
    const configuration = new Configuration({ basePath: `${address}/api`, accessToken: token });
    const documents = new DocumentsApi(configuration);
    const many = new ManyDocumentsApi(configuration);
    const body = LINES.map((line) => JSON.stringify(line) + "\n").join("");
    const first = await documents.admit({ sentDocument: { text: TEXT, id: "rice", time: "2026-03-09" } });
    const sentQuery = { text: `${TEXT} Serve it.`, threshold: "0.8", limit: 3 };
    const found = await new QuestionsApi(configuration).query({ sentQuery });
    const checked = await many.checkAll({ body });
    const admitted = await many.admitAll({ body });
    const shown = await documents.document({ id: "again", text: true });
    const missing = await refusal(documents.document({ id: "nothing" }));
    const removed = await documents.remove({ sentIds: { ids: ["again", "bread"] } });
    return {
        kind: first.kind,
        rule: first.rule,
        hits: found.hits.map((hit) => [hit.id, hit.time]),
        checked: kinds(checked),
        admitted: kinds(admitted),
        shown: [shown.verdict, shown.original, shown.url, shown.text === TEXT],
        missing,
        removed: removed.removed,
    };
}

tellStory(process.argv[2], process.argv[3]).then((story) => process.stdout.write(JSON.stringify(story)));
