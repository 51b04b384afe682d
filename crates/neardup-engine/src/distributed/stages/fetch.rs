//! Fetching: the ordered texts are read at home and sent to their families, as is what else is on its way to these.

use crate::Result;
use crate::distributed::home::{Home, member, no_home};
use crate::distributed::message::{DocNumber, Message, Outbox, StageName, TextDigest, TextRow, Want, part_of, receive};
use crate::distributed::past::{PastRows, Shelf, ShelvedText, read_rows};
use crate::distributed::plan::{HomeSplit, PastPlan};
use crate::distributed::stages::{Inbox, StageTask};
use crate::documents::order::Keep;
use crate::signing::worker::TextTask;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::scheme::PUBLIC_SEED;
use neardup_core::util::ids::DocId;
use neardup_text::{Text, TokenRules, Tokeniser, fingerprint};
use std::collections::{BTreeSet, HashMap};

/// Reads what is ordered of a home.
pub fn fetch(task: &mut StageTask<'_, '_>, mut inbox: Inbox<'_>, outbox: &mut Outbox) -> Result<()> {
    let parts = task.plan.parts;
    let home = inbox.home();
    outbox.send_all(StageName::Compare, inbox.foreseen, |(root, _)| part_of(root.0, parts), Message::Foreseen)?;
    outbox.send_all(StageName::Compare, inbox.classes, |class| part_of(class.root.0, parts), Message::Classes)?;
    outbox.send_all(StageName::Compare, inbox.large_classes, |class| part_of(class.node.0, parts), Message::LargeClasses)?;
    past_texts(task, inbox.past_wants, outbox)?;
    let mut wants = inbox.wants;
    if wants.is_empty() {
        return Ok(());
    }
    wants.sort_unstable();
    let input = home.ok_or_else(no_home)?;
    let split = &input.split;
    let pass = task.pass()?;
    let folder = task.folder()?;
    let (keep, prefers) = (task.job.keep(), !task.job.fields.prefer.is_empty());
    // A policy by length needs the numbers of tokens.
    let doing = if task.plan.pass == 0 && matches!(keep, Keep::Longest | Keep::Shortest) { TextTask::Sign(&pass) } else { TextTask::Note };
    let home = task.open(&input, &doing, folder.path())?;
    let order = task.policy_order(&input, &home, folder.path(), &keep, prefers)?;
    let raw = home.signed.segments[0].column(|segment| segment.raw)?;
    let text = |want: &Want| -> Result<TextRow<'static>> {
        let document = DocId(want.place);
        let member = member(&home, split, task.plan, order.as_ref(), raw[document.index()], document);
        Ok(TextRow {
            node: want.node,
            root: want.root,
            has_copies: want.has_copies,
            led: 0,
            member,
            text: home.signed.read(document)?.into(),
        })
    };
    for (is_large, wants) in by_size(wants, |want| want.is_large) {
        let texts = wants.iter().filter(|want| want.text).map(text).collect::<Result<_>>()?;
        let digests = digests(&home, split, &pass, &raw, wants.iter().filter(|want| !want.text))?;
        Fetched { texts, digests, is_large }.send(parts, outbox)?;
    }
    Ok(())
}

/// Divides orders into those for families that one task compares, and those for large ones.
fn by_size<T>(wants: Vec<T>, is_large: impl Fn(&T) -> bool) -> [(bool, Vec<T>); 2] {
    let (large, wants) = wants.into_iter().partition(is_large);
    [(false, wants), (true, large)]
}

/// What was ordered for families of one kind.
struct Fetched {
    texts: Vec<TextRow<'static>>,
    /// Digests, each with its family.
    digests: Vec<(DocNumber, TextDigest)>,
    is_large: bool,
}

impl Fetched {
    /// Sends everything to the families; that of large ones is divided by nodes.
    fn send(self, parts: u32, outbox: &mut Outbox) -> Result<()> {
        let Fetched { texts, digests, is_large } = self;
        if is_large {
            outbox.send_texts(StageName::Compare, texts, |row| part_of(row.node.0, parts), Message::LargeTexts)?;
            let digests = digests.into_iter().map(|(_, digest)| digest);
            return outbox.send_all(StageName::Compare, digests, |digest| part_of(digest.node.0, parts), Message::LargeDigests);
        }
        outbox.send_texts(StageName::Compare, texts, |row| part_of(row.root.0, parts), Message::Texts)?;
        outbox.send_all(StageName::Compare, digests, |(root, _)| part_of(root.0, parts), Message::Digests)
    }
}

/// Reads documents of the past, and sends them to their families.
fn past_texts(task: &StageTask<'_, '_>, mut wants: Vec<(DocNumber, Want)>, outbox: &mut Outbox) -> Result<()> {
    let (Some(PastPlan { folder, batches, parts: parts_of_past }), false) = (&task.plan.past, wants.is_empty()) else { return Ok(()) };
    wants.sort_unstable();
    let mut more: HashMap<DocNumber, u32> = wants.iter().map(|(document, _)| (*document, 0)).collect();
    let parts_of_led: BTreeSet<u32> = wants.iter().map(|(document, _)| document.home() % parts_of_past).collect();
    for part in parts_of_led {
        read_rows(folder, PastRows::Led, part, *batches, |packed| {
            let Some(Message::Led(led)) = receive(packed)? else { return Ok(()) };
            led.iter().for_each(|(document, count)| more.get_mut(document).into_iter().for_each(|sum| *sum += count));
            Ok(())
        })?;
    }
    let (mut digester, parts) = (Digester::new(&task.pass()?), task.plan.parts);
    for (is_large, wants) in by_size(wants, |(_, want)| want.is_large) {
        let mut fetched = Fetched { texts: Vec::new(), digests: Vec::new(), is_large };
        for of_home in wants.chunk_by(|one, other| one.0.home() == other.0.home()) {
            let shelf = Shelf::open(folder, of_home[0].0.home())?;
            for (document, want) in of_home {
                let ShelvedText { member, led, text } = shelf.read(want.place)?;
                if want.text {
                    let led = led + more.get(document).copied().unwrap_or(0);
                    let Want { node, root, has_copies, .. } = *want;
                    fetched.texts.push(TextRow { node, root, has_copies, led, member, text: text.into() });
                } else {
                    fetched.digests.push((want.root, digester.digest(want.node, member.raw, &text)));
                }
            }
        }
        fetched.send(parts, outbox)?;
    }
    Ok(())
}

/// Makes the digests of texts.
struct Digester {
    /// With signs, if the pass ignores them.
    tokeniser: Option<Tokeniser>,
}

impl Digester {
    fn new(pass: &CompiledPass) -> Self {
        let rules = TokenRules { signs: true, ..pass.rules };
        Digester { tokeniser: pass.rules.ignores_signs().then(|| Tokeniser::new(rules, PUBLIC_SEED)) }
    }

    /// Returns the digests of a text of the class `node`; `raw` is that of the text as stored.
    fn digest(&mut self, node: DocNumber, raw: u128, text: &str) -> TextDigest {
        let text = Text::Plain(text.as_bytes());
        let signs = self.tokeniser.as_mut().map_or(0, |tokeniser| fingerprint::sequence(tokeniser.tokens(text), PUBLIC_SEED));
        TextDigest { node, raw, decoded: text.decoded_digest(), signs }
    }
}

/// Returns the digests of texts, each with its family.
fn digests<'w>(
    home: &Home,
    split: &HomeSplit,
    pass: &CompiledPass,
    raw: &[u128],
    wants: impl Iterator<Item = &'w Want>,
) -> Result<Vec<(DocNumber, TextDigest)>> {
    debug_assert!(split.chunks.is_none() || home.signed.catalogue.sources.len() == 1, "chunks are of one source");
    let mut digester = Digester::new(pass);
    let digest = |want: &Want| {
        let text = home.signed.read(DocId(want.place))?;
        Ok((want.root, digester.digest(want.node, raw[want.place as usize], &text)))
    };
    wants.map(digest).collect()
}
