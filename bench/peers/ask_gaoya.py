"""gaoya as an index in memory: `ask_gaoya.py DOCS.jsonl QUESTIONS.jsonl COUNT ROUNDS`.

It prints the same as `index_driver.py ask`. gaoya stores no texts, so a hit is checked by its estimate alone.
"""

import json
import re
import sys
import time
from pathlib import Path

import gaoya_index
import orjson

BATCH = 20_000

docs, questions, count, rounds = sys.argv[1:]
index = gaoya_index.make(0.8)
texts: list[str] = []
with Path(docs).open("rb") as file:
    for number, line in zip(range(int(count)), file, strict=False):
        texts.append(orjson.loads(line)["text"])
        if len(texts) == BATCH or number == int(count) - 1:
            index.par_bulk_insert_docs(list(range(number + 1 - len(texts), number + 1)), texts)
            texts.clear()

with Path(questions).open("rb") as file:
    asked = [orjson.loads(line) for line in file]
part = -(-len(asked) // (int(rounds) + 1))
nanoseconds, hits, near, found = [], 0, 0, 0
for start in range(0, len(asked), part):
    spent = []
    for question in asked[start : start + part]:
        text = question["text"]
        begun = time.perf_counter_ns()
        answer = index.query(text)
        spent.append(time.perf_counter_ns() - begun)
        hits += len(answer)
        if question["near"]:
            near += 1
            found += int(question["near"][1:]) in answer
    nanoseconds.append(spent)
result = {"nanoseconds": nanoseconds[1:], "asked": len(asked), "near": near, "found": found, "hits": hits}
memory = re.findall(r"RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text())[0]
print(json.dumps(result | {"anonymous": int(memory), "mapped": 0}))
