//! Repeated ids: two documents of one name cannot both be meant by it.

use crate::ids::Ids;
use crate::signed::Signed;
use crate::{Error, Result};
use neardup_corpus::Reject;

impl Signed {
    /// Looks for ids that stand twice, among the input and among the reference; `order` is that of the ids. With `skip` the first document keeps
    /// the id and the others are set aside as rejects; else it is an error.
    pub fn set_aside_repeated(&mut self, ids: &Ids, order: &[u32], skip: bool) -> Result<()> {
        if !ids.are_given() {
            return Ok(());
        }
        let mut repeated: Vec<(u32, u32)> = Vec::new();
        let named = |document: &u32| ids.bytes(*document as usize);
        for equal in order.chunk_by(|left, right| named(left) == named(right)).filter(|equal| equal.len() > 1) {
            // The input and the reference are namespaces of their own.
            let mut firsts = [None; 2];
            for &document in equal {
                match &mut firsts[usize::from(self.is_reference(document))] {
                    Some(first) => repeated.push((document, *first)),
                    none => *none = Some(document),
                }
            }
        }
        if repeated.is_empty() {
            return Ok(());
        }
        repeated.sort_unstable();
        let (sources, rows) = (self.catalogue.source_of()?, self.catalogue.rows()?);
        let place =
            |document: u32| format!("{}, line {}", self.catalogue.sources[sources[document as usize] as usize], rows[document as usize]);
        let reason = |(document, first): (u32, u32)| format!("the id \"{}\" stands already at {}", ids.get(document), place(first));
        match repeated.first() {
            None => Ok(()),
            Some(&pair) if !skip => Err(Error::Data(format!(
                "{}: {}; ids must be unique, or go on without such records: --on-error skip",
                place(pair.0),
                reason(pair)
            ))),
            Some(_) => {
                let rejects: Vec<Reject> = repeated
                    .iter()
                    .map(|&pair| Reject {
                        source: self.catalogue.sources[sources[pair.0 as usize] as usize].clone(),
                        row: rows[pair.0 as usize],
                        offset: 0,
                        len: 0,
                        reason: reason(pair),
                        excerpt: String::new(),
                    })
                    .collect();
                self.rejects.extend(rejects);
                self.set_aside = repeated.into_iter().map(|pair| pair.0).collect();
                Ok(())
            }
        }
    }
}
