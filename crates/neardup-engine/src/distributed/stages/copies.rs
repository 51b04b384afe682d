//! Copies: the verdict on the document that represents a class of copies becomes verdicts on all of them.

use crate::Result;
use crate::distributed::message::{
    ClassMember, CopyClass, DocName, DocNumber, Dropped, Follow, Message, Outbox, StageName, TextDigest, part_of,
};
use crate::distributed::plan::Plan;
use neardup_core::decide::value::PairValue;
use neardup_core::measures::Overlap;
use neardup_core::pass::rule::Rule;
use std::collections::HashMap;

/// A document with its verdict, or the further copies that it represents with theirs.
pub struct DecidedMember<'f> {
    /// Its name.
    pub name: &'f DocName,
    /// Number of the further copies; 0 for the document itself.
    pub copies: u32,
    /// Why it is dropped, if it is.
    pub dropped: Option<Dropped>,
}

impl DecidedMember<'_> {
    /// Returns the number of documents that it is about.
    pub fn count(&self) -> u32 {
        self.copies.max(1)
    }
}

/// Returns the number of dropped documents.
pub fn count_dropped(decided: &[DecidedMember<'_>]) -> u64 {
    decided.iter().filter(|decided| decided.dropped.is_some()).map(|decided| u64::from(decided.count())).sum()
}

/// The verdicts on copies.
pub struct CopyVerdicts<'c> {
    /// The plan.
    pub plan: &'c Plan,
    /// Digests of the texts of classes whose members are stored in several ways.
    pub digests: &'c HashMap<(DocNumber, u128), TextDigest>,
}

impl CopyVerdicts<'_> {
    /// Whether two texts of a class are equal; the same text may be stored in two ways.
    pub fn are_identical(&self, class: &CopyClass, one: u128, other: u128) -> bool {
        match [one, other].map(|raw| self.digests.get(&(class.node, raw))) {
            [Some(one), Some(other)] => one.decoded == other.decoded,
            _ => one == other,
        }
    }

    /// Returns a digest of a text of a class, equal for equal texts.
    pub fn text(&self, class: &CopyClass, raw: u128) -> u128 {
        self.digests.get(&(class.node, raw)).map_or(raw, |digest| digest.decoded)
    }

    /// Adds the verdicts on the members of a class of copies, of which `first` comes first, and has `size` features. `fate` is why the
    /// first of the input is dropped. Returns the number of documents that differ from their original in signs only. A copy is dropped
    /// like the first of the input; or for the first copy, if that is kept or dropped for the first copy. Further copies are dropped
    /// like the member that represents them, or for it.
    pub fn expand<'f>(
        &self,
        class: &'f CopyClass,
        first: &ClassMember,
        fate: Option<Dropped>,
        size: u32,
        decided: &mut Vec<DecidedMember<'f>>,
    ) -> u64 {
        let mut signs_only = 0;
        let fate = fate.filter(|dropped| dropped.original.number != first.name.number);
        for member in class.members.iter().filter(|member| !self.plan.is_reference(member.name.number)) {
            let same = |original: &DocName, rule| Dropped {
                original: original.clone(),
                leader: None,
                pass: self.plan.pass,
                rule,
                overlap: Overlap { shared: size, left: size, right: size },
                value: PairValue::NONE.words(),
            };
            let dropped = match &fate {
                Some(dropped) => Some(dropped.clone()),
                None if member.name.number == first.name.number => None,
                None => {
                    let [own, original] = [member.raw, first.raw].map(|raw| self.digests.get(&(class.node, raw)));
                    let is_identical = self.are_identical(class, member.raw, first.raw);
                    let differs = !is_identical && own.map(|digest| digest.signs) != original.map(|digest| digest.signs);
                    signs_only += u64::from(differs) * u64::from(member.count());
                    Some(same(&first.name, if is_identical { Rule::Identical } else { Rule::Lexical }))
                }
            };
            if member.copies > 0 {
                let dropped = dropped.clone().unwrap_or_else(|| same(&member.name, Rule::Identical));
                decided.push(DecidedMember { name: &member.name, copies: member.copies, dropped: Some(dropped) });
            }
            decided.push(DecidedMember { name: &member.name, copies: 0, dropped });
        }
        signs_only
    }
}

/// Sends the dropped documents home, so that the next pass does not see them.
pub fn send_gone(plan: &Plan, decided: &[DecidedMember<'_>], outbox: &mut Outbox) -> Result<()> {
    if plan.pass + 1 == plan.passes {
        return Ok(());
    }
    // Homes know the copies that others represent.
    let gone = decided.iter().filter(|decided| decided.dropped.is_some() && decided.copies == 0).map(|decided| decided.name.number);
    let message = |gone: Vec<DocNumber>| Message::Gone(gone.into_iter().map(DocNumber::place).collect());
    outbox.send_all(StageName::Sign, gone, |document| document.home(), message)
}

/// Sends the dropped documents to the next pass, and to the steps that find the documents which are kept in the end.
pub fn send_decided(plan: &Plan, decided: Vec<DecidedMember<'_>>, outbox: &mut Outbox) -> Result<()> {
    send_gone(plan, &decided, outbox)?;
    let follow = |decided: DecidedMember<'_>| {
        let (document, copies) = (decided.name.number, decided.copies);
        decided.dropped.map(|dropped| Follow { document, copies, leader: dropped.original.clone(), dropped })
    };
    let follows: Vec<Follow> = decided.into_iter().filter_map(follow).collect();
    let fates = follows.iter().filter(|follow| follow.copies == 0).map(|follow| (follow.document, follow.leader.clone()));
    outbox.send_all(StageName::Settle, fates, |(document, _)| part_of(document.0, plan.parts), Message::Fates)?;
    if plan.passes > 1 {
        return outbox.send_all(StageName::Settle, follows, |follow| part_of(follow.leader.number.0, plan.parts), Message::Follows);
    }
    outbox.send_all(StageName::Follow, follows, |follow| part_of(follow.document.0, plan.parts), Message::Follows)
}
