//! The stages of a distributed run: functions over the messages to one part, which know no engine.

mod blocks;
mod compare;
mod compared;
mod connect;
mod copies;
mod describe;
mod fetch;
mod gather;
mod group;
mod lexicons;
mod link;
mod list;
mod pairs;
mod settle;
mod shelve;
mod sign;
mod write;

use crate::distributed::home::{Home, HomeCopies, HomeInput, PolicyOrder};
use crate::distributed::known;
use crate::distributed::message::{
    ClassMember, ClusterNode, CopyClass, DocName, DocNumber, Follow, GroupShare, GroupSum, HomeVerdict, IdRow, Message, NodeFate, Outbox,
    PairFound, RepeatedId, Represented, Row, SampledPage, StageName, TextDigest, TextRow, Want, receive,
};
use crate::distributed::plan::{HomeSplit, Plan};
use crate::distributed::signing_pass::{given_values, signing_pass};
use crate::distributed::tally::Tally;
use crate::documents::order::Keep;
use crate::job::Job;
use crate::job::lexicons::{LexiconTask, to_count};
use crate::progress::Watch;
use crate::signing::worker::TextTask;
use crate::{Error, Result};
use neardup_core::pass::compiled::{CompiledPass, SketchContent};
use neardup_core::scheme;
use neardup_core::signing::hosts::{Host, HostPage};
use neardup_core::terms::lexicon::Lexicon;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// One task: one part of a stage.
pub struct StageTask<'a, 'j> {
    /// The job, without its inputs.
    pub job: &'a mut Job<'j>,
    /// The plan of the run.
    pub plan: &'a Plan,
    /// The stage.
    pub stage: StageName,
    /// The number of the part.
    pub part: u32,
    /// The lexicon of the pass under way, if that counts its documents.
    pub lexicon: Option<Arc<Lexicon>>,
    /// Receives the progress, and may stop the task.
    pub watch: &'a Watch,
}

/// The messages to one part, by kind.
#[derive(Default)]
pub struct Inbox<'a> {
    home: Option<HomeSplit>,
    rows: Vec<(u32, &'a [u8])>,
    terms: Vec<(u64, u32)>,
    host_pages: Vec<HostPage<DocNumber>>,
    hosts: Vec<Host<DocNumber>>,
    sampled: Vec<SampledPage>,
    shingles: Vec<(SampledPage, Vec<u64>)>,
    /// Packed.
    keys: Vec<&'a [u8]>,
    copies: Vec<(u128, ClassMember)>,
    briefs: Vec<(DocNumber, Vec<u8>)>,
    ids: Vec<IdRow>,
    links: Vec<[DocNumber; 2]>,
    foreseen: Vec<(DocNumber, u64)>,
    classes: Vec<CopyClass>,
    wants: Vec<Want>,
    texts: Vec<TextRow<'a>>,
    large_texts: Vec<TextRow<'a>>,
    leaders: Vec<TextRow<'a>>,
    past_wants: Vec<(DocNumber, Want)>,
    led: Vec<(DocNumber, u32)>,
    sizes: Vec<(DocNumber, u64)>,
    large: Vec<DocNumber>,
    large_classes: Vec<CopyClass>,
    large_digests: Vec<TextDigest>,
    fates_of_nodes: Vec<NodeFate>,
    digests: Vec<(DocNumber, TextDigest)>,
    pairs: Vec<PairFound>,
    verdicts: Vec<HomeVerdict>,
    gone: Vec<u32>,
    featureless: Vec<(u32, Vec<u32>)>,
    represented: Vec<Represented>,
    follows: Vec<Follow>,
    fates: Vec<(DocNumber, DocName)>,
    shares: Vec<GroupShare>,
    groups: Vec<GroupSum>,
    nodes: Vec<ClusterNode>,
    clustered: Vec<(u32, DocName, u32)>,
    repeated: Vec<RepeatedId>,
    named: Vec<u32>,
    tallies: Vec<Tally>,
}

impl<'a> Inbox<'a> {
    fn of(packed: &[&'a [u8]]) -> Result<Self> {
        let mut inbox = Inbox::default();
        for packed in packed {
            match receive(packed)? {
                None => inbox.keys.push(packed),
                Some(Message::Led(mut rows)) => inbox.led.append(&mut rows),
                Some(Message::Home(home)) => inbox.home = Some(home),
                Some(Message::Rows(number, rows)) => inbox.rows.push((number, rows)),
                Some(Message::Terms(mut rows)) => inbox.terms.append(&mut rows),
                Some(Message::Pages(mut rows)) => inbox.host_pages.append(&mut rows),
                Some(Message::Hosts(mut rows)) => inbox.hosts.append(&mut rows),
                Some(Message::Sampled(mut rows)) => inbox.sampled.append(&mut rows),
                Some(Message::Shingles(mut rows)) => inbox.shingles.append(&mut rows),
                Some(Message::Copies(mut rows)) => inbox.copies.append(&mut rows),
                Some(Message::Briefs(mut rows)) => inbox.briefs.append(&mut rows),
                Some(Message::Ids(mut rows)) => inbox.ids.append(&mut rows),
                Some(Message::Links(mut rows)) => inbox.links.append(&mut rows),
                Some(Message::Foreseen(mut rows)) => inbox.foreseen.append(&mut rows),
                Some(Message::Classes(mut rows)) => inbox.classes.append(&mut rows),
                Some(Message::Wants(mut rows)) => inbox.wants.append(&mut rows),
                Some(Message::Texts(mut rows)) => inbox.texts.append(&mut rows),
                Some(Message::PastWants(mut rows)) => inbox.past_wants.append(&mut rows),
                Some(Message::LargeTexts(mut rows)) => inbox.large_texts.append(&mut rows),
                Some(Message::Leaders(mut rows)) => inbox.leaders.append(&mut rows),
                Some(Message::Sizes(mut rows)) => inbox.sizes.append(&mut rows),
                Some(Message::Large(mut rows)) => inbox.large.append(&mut rows),
                Some(Message::LargeClasses(mut rows)) => inbox.large_classes.append(&mut rows),
                Some(Message::LargeDigests(mut rows)) => inbox.large_digests.append(&mut rows),
                Some(Message::NodeFates(mut rows)) => inbox.fates_of_nodes.append(&mut rows),
                Some(Message::Digests(mut rows)) => inbox.digests.append(&mut rows),
                Some(Message::Verdicts(mut rows)) => inbox.verdicts.append(&mut rows),
                Some(Message::Pairs(mut rows)) => inbox.pairs.append(&mut rows),
                Some(Message::Gone(mut rows)) => inbox.gone.append(&mut rows),
                Some(Message::Represented(rows)) => inbox.represented.push(rows),
                Some(Message::Featureless(home, rows)) => inbox.featureless.push((home, rows)),
                Some(Message::Follows(mut rows)) => inbox.follows.append(&mut rows),
                Some(Message::Fates(mut rows)) => inbox.fates.append(&mut rows),
                Some(Message::Shares(mut rows)) => inbox.shares.append(&mut rows),
                Some(Message::Groups(mut rows)) => inbox.groups.append(&mut rows),
                Some(Message::Nodes(mut rows)) => inbox.nodes.append(&mut rows),
                Some(Message::Clustered(mut rows)) => inbox.clustered.append(&mut rows),
                Some(Message::Repeated(mut rows)) => inbox.repeated.append(&mut rows),
                Some(Message::Named(mut rows)) => inbox.named.append(&mut rows),
                Some(Message::Tally(tally)) => inbox.tallies.push(*tally),
            }
        }
        Ok(inbox)
    }

    /// Returns where the documents of the home are read, if the home is sent.
    fn home(&mut self) -> Option<HomeInput<'a>> {
        Some(HomeInput { split: self.home.take()?, rows: std::mem::take(&mut self.rows) })
    }

    /// Returns the documents of the home that the pass under way does not see: those that are set aside, and those that are dropped.
    fn unseen(&self, plan: &Plan) -> HashSet<u32> {
        // If documents were set aside, the first pass was begun twice.
        let is_dropped = |represented: &&Represented| plan.pass > 0 && represented.sets_aside == plan.sets_aside;
        let represented = self.represented.iter().filter(is_dropped).flat_map(|represented| &represented.places);
        self.repeated.iter().map(|repeated| repeated.document.place()).chain(self.gone.iter().chain(represented).copied()).collect()
    }
}

impl StageTask<'_, '_> {
    /// Does the task with the messages to its part, and returns those that it sends. Their order does not matter, and a task that is done
    /// again sends the same bytes: after a lost executor, Spark compares checksums, and fails if some receivers have other bytes.
    pub fn run(&mut self, packed: &[&[u8]]) -> Result<Vec<Row>> {
        let (mut packed, mut outbox) = (packed.to_vec(), Outbox::default());
        packed.sort_unstable();
        if self.stage == StageName::Past {
            shelve::shelve(self, &packed, &mut outbox)?;
            return Ok(outbox.rows);
        }
        let inbox = Inbox::of(&packed)?;
        match self.stage {
            StageName::Describe => describe::describe(self, inbox, &mut outbox)?,
            StageName::Count => lexicons::count::count(self, inbox, &mut outbox)?,
            StageName::Sum => lexicons::count::sum(inbox, &mut outbox)?,
            StageName::Hosts => lexicons::frame::hosts(self, inbox, &mut outbox)?,
            StageName::Texts => lexicons::frame::texts(self.plan, inbox, &mut outbox)?,
            StageName::Sample => lexicons::frame::sample(inbox, &mut outbox)?,
            StageName::Shingles => lexicons::frame::shingles(self, inbox, &mut outbox)?,
            StageName::Frame => lexicons::frame::frame(self, inbox, &mut outbox)?,
            StageName::Sign => sign::sign(self, inbox, &mut outbox)?,
            StageName::Link => link::link(self, inbox, &mut outbox)?,
            StageName::Connect => connect::connect(self.plan, inbox, &mut outbox)?,
            StageName::SmallStar => connect::small_star(self.plan, inbox, &mut outbox)?,
            StageName::LargeStar => connect::large_star(self.plan, inbox, &mut outbox)?,
            StageName::Gather => gather::gather(self.plan, inbox, &mut outbox)?,
            StageName::Fetch => fetch::fetch(self, inbox, &mut outbox)?,
            StageName::Compare => compare::compare(self, inbox, &mut outbox)?,
            StageName::Weigh => blocks::sizes::weigh(self.plan, inbox, &mut outbox)?,
            StageName::Large => blocks::sizes::large(self.plan, inbox, &mut outbox)?,
            StageName::Divide => blocks::divide::divide(self.plan, inbox, &mut outbox)?,
            StageName::Lead => blocks::lead::lead(self, inbox, &mut outbox)?,
            StageName::Chase => blocks::lead::chase(self, inbox, &mut outbox)?,
            StageName::Pair => blocks::tie::pair(self.plan, inbox, &mut outbox)?,
            StageName::Tie => blocks::tie::tie(self, inbox, &mut outbox)?,
            StageName::Expand => blocks::expand::expand(self, inbox, &mut outbox)?,
            StageName::Settle => settle::settle(self.plan, inbox, &mut outbox)?,
            StageName::Follow => settle::follow(self, inbox, &mut outbox)?,
            StageName::Join => group::join(self, inbox, &mut outbox)?,
            StageName::Group => group::group(self.plan, inbox, &mut outbox)?,
            StageName::Learn => group::learn(self.plan, inbox, &mut outbox)?,
            StageName::Route => list::route(self.plan, inbox, &mut outbox)?,
            StageName::List => list::list(self, inbox, &mut outbox)?,
            StageName::Write => write::write(self, inbox, &mut outbox)?,
            StageName::Driver | StageName::Home | StageName::Past | StageName::Table => {
                return Err(Error::Usage(format!("{} is no task", self.stage.name())));
            }
        }
        Ok(outbox.rows)
    }

    /// Compiles the pass under way.
    fn pass(&self) -> Result<CompiledPass> {
        signing_pass(self.job, self.plan.pass as usize, self.lexicon.as_ref())
    }

    /// Returns the counts that the pass under way needs of its documents.
    fn counts(&self) -> Result<Option<LexiconTask>> {
        to_count(&self.job.scheme.passes()[self.plan.pass as usize])
    }

    /// Compiles the pass under way for signing: its sketches have what is sent of them, or further bits of wide keys.
    fn pass_to_sign(&self) -> Result<CompiledPass> {
        let pass = self.pass()?;
        // Documents of which sketches are sent are hardly linked by chance.
        if known::are_sent(&pass) {
            return Ok(pass);
        }
        let kinds = if self.plan.has_wide_keys { pass.kinds.len() } else { 0 };
        Ok(CompiledPass { tests: Vec::new(), kept: (0..kinds).map(SketchContent::Further).collect(), ..pass })
    }

    /// Returns whether a number other than the share of features decides in some pass.
    fn has_deciding_value(&self) -> Result<bool> {
        let decides = |pass| Ok(signing_pass(self.job, pass, None)?.deciding().is_some());
        Ok((0..self.plan.passes as usize).map(decides).collect::<Result<Vec<bool>>>()?.contains(&true))
    }

    /// Returns whether each pass decides by the features or texts themselves.
    fn verified(&self) -> Vec<bool> {
        self.job.scheme.passes().iter().map(scheme::Pass::is_verified).collect()
    }

    /// Returns the policy order of the documents of a home; a policy by length counts the tokens of the first pass.
    fn policy_order(
        &mut self,
        input: &HomeInput<'_>,
        home: &Home,
        folder: &Path,
        keep: &Keep,
        prefers: bool,
    ) -> Result<Option<PolicyOrder>> {
        if self.plan.pass == 0 || !matches!(keep, Keep::Longest | Keep::Shortest) {
            return PolicyOrder::of(home, &home.signed.segments[0], keep, prefers);
        }
        let (first, mut job, folder) = (signing_pass(self.job, 0, None)?, self.job.without_inputs(), folder.join("first"));
        std::fs::create_dir(&folder).map_err(Error::file(&folder, "make the folder"))?;
        let signed = input.open(&mut job, self.plan, &TextTask::Sign(&first), &folder, self.watch)?;
        PolicyOrder::of(home, &signed.signed.segments[0], keep, prefers)
    }

    /// Finds the copies at a home that others represent, except those `aside`. None does where every pair is listed, or where later passes
    /// see the copies.
    fn copies_at(&self, split: &HomeSplit, home: &Home, aside: &HashSet<u32>) -> Result<HomeCopies> {
        if self.job.lists() || split.is_reference && self.plan.passes > 1 {
            return Ok(HomeCopies::default());
        }
        let order = PolicyOrder::of_copies(home, &self.job.keep(), !self.job.fields.prefer.is_empty())?;
        HomeCopies::of(home, order.as_ref(), aside)
    }

    /// Reads a home, and does the task `doing` with its texts; see [`HomeInput::open`].
    fn open(&mut self, input: &HomeInput<'_>, doing: &TextTask<'_>, work: &Path) -> Result<Home> {
        self.job.fields.given = given_values(self.job)?;
        input.open(self.job, self.plan, doing, work, self.watch)
    }

    fn folder(&self) -> Result<TempDir> {
        tempfile::tempdir().map_err(Error::file(&std::env::temp_dir(), "make a work folder"))
    }
}
