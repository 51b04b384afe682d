//! The stages of a distributed run: functions over the messages to one part, which know no engine.

mod compare;
mod connect;
mod fetch;
mod gather;
mod link;
mod list;
mod name;
mod pairs;
mod settle;
mod sign;
mod write;

use crate::distributed::home::{Home, PolicyOrder};
use crate::distributed::message::{
    ClassMember, ClusterNode, CopyClass, DocName, DocNumber, Follow, HomeVerdict, IdRow, KeyRow, Message, Outbox, PairFound, RepeatedId,
    Row, StageName, TextDigest, TextRow, Want, receive,
};
use crate::distributed::plan::{HomeSplit, Plan};
use crate::distributed::signed_rows::compiled_to_sign;
use crate::distributed::tally::Tally;
use crate::documents::order::Keep;
use crate::job::Job;
use crate::progress::Watch;
use crate::signing::worker::TextTask;
use crate::{Error, Result};
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::scheme;
use std::path::Path;
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
    /// Receives the progress, and may stop the task.
    pub watch: &'a Watch,
}

/// The messages to one part, by kind.
#[derive(Default)]
pub struct Inbox<'a> {
    home: Option<HomeSplit>,
    keys: Vec<KeyRow>,
    copies: Vec<(u128, ClassMember)>,
    briefs: Vec<(DocNumber, Vec<u8>)>,
    ids: Vec<IdRow>,
    links: Vec<[DocNumber; 2]>,
    foreseen: Vec<(DocNumber, u64)>,
    classes: Vec<CopyClass>,
    wants: Vec<Want>,
    texts: Vec<TextRow<'a>>,
    digests: Vec<(DocNumber, TextDigest)>,
    pairs: Vec<PairFound>,
    verdicts: Vec<HomeVerdict>,
    gone: Vec<u32>,
    featureless: Vec<(u32, Vec<u32>)>,
    follows: Vec<Follow>,
    fates: Vec<(DocNumber, DocName)>,
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
            match receive(packed, &mut inbox.keys)? {
                None => {}
                Some(Message::Home(home)) => inbox.home = Some(home),
                Some(Message::Copies(mut rows)) => inbox.copies.append(&mut rows),
                Some(Message::Briefs(mut rows)) => inbox.briefs.append(&mut rows),
                Some(Message::Ids(mut rows)) => inbox.ids.append(&mut rows),
                Some(Message::Links(mut rows)) => inbox.links.append(&mut rows),
                Some(Message::Foreseen(mut rows)) => inbox.foreseen.append(&mut rows),
                Some(Message::Classes(mut rows)) => inbox.classes.append(&mut rows),
                Some(Message::Wants(mut rows)) => inbox.wants.append(&mut rows),
                Some(Message::Texts(mut rows)) => inbox.texts.append(&mut rows),
                Some(Message::Digests(mut rows)) => inbox.digests.append(&mut rows),
                Some(Message::Verdicts(mut rows)) => inbox.verdicts.append(&mut rows),
                Some(Message::Pairs(mut rows)) => inbox.pairs.append(&mut rows),
                Some(Message::Gone(mut rows)) => inbox.gone.append(&mut rows),
                Some(Message::Featureless(home, rows)) => inbox.featureless.push((home, rows)),
                Some(Message::Follows(mut rows)) => inbox.follows.append(&mut rows),
                Some(Message::Fates(mut rows)) => inbox.fates.append(&mut rows),
                Some(Message::Nodes(mut rows)) => inbox.nodes.append(&mut rows),
                Some(Message::Clustered(mut rows)) => inbox.clustered.append(&mut rows),
                Some(Message::Repeated(mut rows)) => inbox.repeated.append(&mut rows),
                Some(Message::Named(mut rows)) => inbox.named.append(&mut rows),
                Some(Message::Tally(tally)) => inbox.tallies.push(*tally),
            }
        }
        Ok(inbox)
    }
}

impl StageTask<'_, '_> {
    /// Does the task with the messages to its part, and returns those that it sends. Their order does not matter.
    pub fn run(&mut self, packed: &[&[u8]]) -> Result<Vec<Row>> {
        let (inbox, mut outbox) = (Inbox::of(packed)?, Outbox::default());
        match self.stage {
            StageName::Sign => sign::sign(self, inbox, &mut outbox)?,
            StageName::Link => link::link(self, inbox, &mut outbox)?,
            StageName::Connect => connect::connect(self.plan, inbox, &mut outbox)?,
            StageName::SmallStar => connect::small_star(self.plan, inbox, &mut outbox)?,
            StageName::LargeStar => connect::large_star(self.plan, inbox, &mut outbox)?,
            StageName::Gather => gather::gather(self.plan, inbox, &mut outbox)?,
            StageName::Fetch => fetch::fetch(self, inbox, &mut outbox)?,
            StageName::Compare => compare::compare(self, inbox, &mut outbox)?,
            StageName::Settle => settle::settle(self.plan, inbox, &mut outbox)?,
            StageName::Group => settle::group(self.plan, inbox, &mut outbox)?,
            StageName::Join => name::join(self.plan, inbox, &mut outbox)?,
            StageName::Name => name::name(self.plan, inbox, &mut outbox)?,
            StageName::Route => list::route(self.plan, inbox, &mut outbox)?,
            StageName::List => list::list(self, inbox, &mut outbox)?,
            StageName::Write => write::write(self, inbox, &mut outbox)?,
            StageName::Driver | StageName::Table => return Err(Error::Usage(format!("{} is no task", self.stage.name()))),
        }
        Ok(outbox.rows)
    }

    /// Compiles the pass under way.
    fn pass(&self) -> Result<CompiledPass> {
        compiled_to_sign(self.job, self.plan.pass as usize)
    }

    /// Returns whether a number other than the share of features decides in some pass.
    fn has_deciding_value(&self) -> Result<bool> {
        let decides = |pass| Ok(compiled_to_sign(self.job, pass)?.deciding().is_some());
        Ok((0..self.plan.passes as usize).map(decides).collect::<Result<Vec<bool>>>()?.contains(&true))
    }

    /// Returns whether each pass decides by the features or texts themselves.
    fn verified(&self) -> Vec<bool> {
        self.job.scheme.passes().iter().map(scheme::Pass::is_verified).collect()
    }

    /// Returns the policy order of the documents of a home; a policy by length counts the tokens of the first pass.
    fn policy_order(&mut self, split: &HomeSplit, home: &Home, folder: &Path, keep: &Keep, prefers: bool) -> Result<Option<PolicyOrder>> {
        if self.plan.pass == 0 || !matches!(keep, Keep::Longest | Keep::Shortest) {
            return PolicyOrder::of(home, &home.signed.segments[0], keep, prefers);
        }
        let (first, mut job, folder) = (compiled_to_sign(self.job, 0)?, self.job.without_inputs(), folder.join("first"));
        std::fs::create_dir(&folder).map_err(Error::file(&folder, "make the folder"))?;
        let signed = Home::open(&mut job, split, false, &TextTask::Sign(&first), &folder, self.watch)?;
        PolicyOrder::of(home, &signed.signed.segments[0], keep, prefers)
    }

    fn folder(&self) -> Result<TempDir> {
        tempfile::tempdir().map_err(Error::file(&std::env::temp_dir(), "make a work folder"))
    }
}
