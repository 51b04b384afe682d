//! Rows that are linked: those that meet another one. Most keys are those of one document.

use crate::Result;
use crate::distributed::message::{ClassMember, DocNumber, IdRow, KeyRow, Message, SentKeys, receive};
use crate::distributed::met_hashes::MetHashes;
use crate::distributed::past::{PastRows, read_rows};
use crate::distributed::stages::StageTask;

/// The rows of a part that may meet others, those of the past included.
pub struct LinkRows {
    /// Keys.
    pub keys: Vec<KeyRow>,
    /// Documents that may have copies, with the digests of their tokens.
    pub copies: Vec<(u128, ClassMember)>,
    /// Ids.
    pub ids: Vec<IdRow>,
    /// Parts of sketches.
    pub briefs: Vec<(DocNumber, Vec<u8>)>,
}

impl LinkRows {
    /// Returns the rows that were sent and those of the past, except the ones that meet no other row.
    pub fn of(
        task: &StageTask<'_, '_>,
        packed: Vec<&[u8]>,
        tables: usize,
        copies: Vec<(u128, ClassMember)>,
        ids: Vec<IdRow>,
        briefs: Vec<(DocNumber, Vec<u8>)>,
    ) -> Result<LinkRows> {
        let mut rows = LinkRows { keys: Vec::new(), copies, ids, briefs };
        let sent: Vec<SentKeys<'_>> = packed.into_iter().map(SentKeys::of).collect::<Result<_>>()?;
        let mut meetings = LinkMeetings::of(&sent, tables, &rows);
        if let Some(past) = &task.plan.past {
            read_rows(&past.folder, PastRows::Keys, task.plan.part_of_past(past, task.part), past.batches, |packed| {
                rows.add_past(packed, &mut meetings)
            })?;
        }
        // Memory that no key needs is not touched.
        rows.keys.reserve(sent.iter().map(SentKeys::len).sum());
        for (table, met) in meetings.keys.iter().enumerate() {
            let mut take = |row: KeyRow| rows.keys.extend(met.has_met(row.bucket()).then_some(row));
            sent.iter().for_each(|sent| sent.of_table(table).each(&mut take));
        }
        rows.copies.retain(|(lexical, member)| member.copies > 0 || meetings.copies.has_met(half(*lexical)));
        rows.ids.retain(|row| meetings.ids.has_met(half(row.id)));
        Ok(rows)
    }

    /// Adds what new rows may meet of a message of the past.
    fn add_past(&mut self, packed: &[u8], meetings: &mut LinkMeetings) -> Result<()> {
        match receive(packed)? {
            None => {
                let keys = SentKeys::of(packed)?;
                for (table, met) in meetings.keys.iter_mut().enumerate() {
                    keys.of_table(table).each(|row| self.keys.extend(met.meet(row.bucket()).then_some(row)));
                }
            }
            Some(Message::Copies(rows)) => {
                self.copies.extend(rows.into_iter().filter(|(lexical, _)| meetings.copies.meet(half(*lexical))));
            }
            Some(Message::Ids(rows)) => self.ids.extend(rows.into_iter().filter(|row| meetings.ids.meet(half(row.id)))),
            // Few schemes send sketches.
            Some(Message::Briefs(mut rows)) => self.briefs.append(&mut rows),
            Some(_) => {}
        }
        Ok(())
    }
}

/// Which of the rows that were sent meet another one.
struct LinkMeetings {
    /// Of the keys of each table. One table fits in a cache of the processor.
    keys: Vec<MetHashes>,
    copies: MetHashes,
    ids: MetHashes,
}

impl LinkMeetings {
    fn of(sent: &[SentKeys<'_>], tables: usize, rows: &LinkRows) -> Self {
        let count = sent.iter().map(SentKeys::len).sum::<usize>() / tables.max(1);
        let keys = |table| {
            let mut meetings = MetHashes::with_room(count);
            sent.iter().for_each(|sent| sent.of_table(table).each(|row| meetings.add(row.bucket())));
            meetings
        };
        LinkMeetings {
            keys: (0..tables).map(keys).collect(),
            copies: MetHashes::of(rows.copies.len(), rows.copies.iter().map(|(lexical, _)| half(*lexical))),
            ids: MetHashes::of(rows.ids.len(), rows.ids.iter().map(|row| half(row.id))),
        }
    }
}

/// Returns the half of a digest that chooses its part.
fn half(digest: u128) -> u64 {
    (digest >> 64) as u64
}
