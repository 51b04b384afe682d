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

/// A document with what is known of its side and its verdict.
pub struct DecidedMember<'f> {
    /// Its name.
    pub name: &'f DocName,
    /// Why it is dropped, if it is.
    pub dropped: Option<Dropped>,
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
    /// first of the input is dropped. Returns the number of members that differ from their original in signs only. A copy is dropped
    /// like the first of the input; or for the first copy, if that is kept or dropped for the first copy.
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
            let dropped = match &fate {
                Some(dropped) => Some(dropped.clone()),
                None if member.name.number == first.name.number => None,
                None => {
                    let [own, original] = [member.raw, first.raw].map(|raw| self.digests.get(&(class.node, raw)));
                    let is_identical = self.are_identical(class, member.raw, first.raw);
                    signs_only += u64::from(!is_identical && own.map(|digest| digest.signs) != original.map(|digest| digest.signs));
                    Some(Dropped {
                        original: first.name.clone(),
                        leader: None,
                        pass: self.plan.pass,
                        rule: if is_identical { Rule::Identical } else { Rule::Lexical },
                        overlap: Overlap { shared: size, left: size, right: size },
                        value: PairValue::NONE.words(),
                    })
                }
            };
            decided.push(DecidedMember { name: &member.name, dropped });
        }
        signs_only
    }
}

/// Sends the dropped documents home, so that the next pass does not see them.
pub fn send_gone(plan: &Plan, decided: &[DecidedMember<'_>], outbox: &mut Outbox) -> Result<()> {
    if plan.pass + 1 == plan.passes {
        return Ok(());
    }
    let gone = decided.iter().filter(|decided| decided.dropped.is_some()).map(|decided| decided.name.number);
    let message = |gone: Vec<DocNumber>| Message::Gone(gone.into_iter().map(DocNumber::place).collect());
    outbox.send_all(StageName::Sign, gone, |document| document.home(), message)
}

/// Sends the dropped documents to the next pass, and to the steps that find the documents which are kept in the end.
pub fn send_decided(plan: &Plan, decided: Vec<DecidedMember<'_>>, outbox: &mut Outbox) -> Result<()> {
    send_gone(plan, &decided, outbox)?;
    let follow = |decided: DecidedMember<'_>| {
        decided.dropped.map(|dropped| Follow { document: decided.name.number, leader: dropped.original.clone(), dropped })
    };
    let follows: Vec<Follow> = decided.into_iter().filter_map(follow).collect();
    let fates = follows.iter().map(|follow| (follow.document, follow.leader.clone()));
    outbox.send_all(StageName::Settle, fates, |(document, _)| part_of(document.0, plan.parts), Message::Fates)?;
    if plan.passes > 1 {
        return outbox.send_all(StageName::Settle, follows, |follow| part_of(follow.leader.number.0, plan.parts), Message::Follows);
    }
    outbox.send_all(StageName::Follow, follows, |follow| part_of(follow.document.0, plan.parts), Message::Follows)
}
