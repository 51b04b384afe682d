//! The state of every document: whether it lives, which documents it represents, which one it follows, and its component.
//!
//! Comparisons treat all documents with one token sequence as one text. One of them, the representative, has the keys of the text
//! in the tables. If the text is kept, the kept document is the first of them in policy order.

use neardup_core::util::ids::DocId;
use std::collections::HashMap;

/// The state of all documents, by number. `leaders` and `groups` apply to the text of a representative.
#[derive(Clone, Debug, Default)]
pub struct DocumentStates {
    alive: Vec<bool>,
    living: u32,
    kept: u32,
    /// The representative of a document's text, which is mostly the document itself.
    representatives: Vec<DocId>,
    /// For a representative: the representative of the text that its text was dropped for; itself if its text is kept.
    leaders: Vec<DocId>,
    /// For a representative whose text is kept: the number of documents that follow it, including its own.
    groups: Vec<u32>,
    /// For each representative of several documents: these documents, in policy order.
    copies: HashMap<DocId, Vec<DocId>>,
    /// A forest. Documents in one tree are connected.
    parents: Vec<DocId>,
    /// The next document of the same tree, in a ring.
    rings: Vec<DocId>,
}

/// The state as it is stored, by number: see [`DocumentStates`].
#[derive(Debug, Default)]
pub struct StateColumns {
    /// Whether a document lives.
    pub alive: Vec<bool>,
    /// The representative of a document's text.
    pub representatives: Vec<DocId>,
    /// The document that a representative follows.
    pub leaders: Vec<DocId>,
    /// The root of a document's tree.
    pub roots: Vec<DocId>,
}

impl StateColumns {
    /// Returns the first document whose values are inconsistent. The representative of a text must be alive and represent itself.
    /// It must follow a living representative that is kept. All of them must be in one tree, whose root is the first document of
    /// the tree. A dead document must refer only to itself.
    pub fn first_inconsistent(&self) -> Option<DocId> {
        let StateColumns { alive, representatives, leaders, roots } = self;
        let at = |column: &[DocId], number: DocId| column[number.index()];
        let holds = |number: DocId| {
            let (representative, root) = (at(representatives, number), at(roots, number));
            let leader = at(leaders, representative);
            let represents_itself = |column: &[DocId], document: DocId| {
                alive[document.index()] && at(column, document) == document && at(roots, document) == root
            };
            if !alive[number.index()] {
                return [representative, at(leaders, number), root] == [number; 3];
            }
            represents_itself(representatives, representative)
                && represents_itself(representatives, leader)
                && represents_itself(leaders, leader)
                && represents_itself(roots, root)
                && root <= number
                && (representative == number || at(leaders, number) == number)
        };
        DocId::first(alive.len()).find(|&number| !holds(number))
    }
}

impl DocumentStates {
    /// Restores the state from its columns. `arrange` sorts the documents of a text into policy order.
    pub fn restore(columns: StateColumns, arrange: impl Fn(&mut Vec<DocId>)) -> DocumentStates {
        let StateColumns { alive, representatives, leaders, roots } = columns;
        let count = alive.len();
        let living = alive.iter().filter(|&&alive| alive).count() as u32;
        let mut state = DocumentStates { alive, living, representatives, leaders, groups: vec![0; count], ..DocumentStates::default() };
        (state.parents, state.rings) = (DocId::first(count).collect(), DocId::first(count).collect());
        for number in DocId::first(count) {
            let leader = state.leader(state.representative(number));
            state.grow_group(leader, u32::from(state.is_alive(number)));
            let representative = state.representative(number);
            if state.is_alive(number) && representative != number {
                state.copies.entry(representative).or_insert_with(|| vec![representative]).push(number);
            }
            state.unite(number, roots[number.index()]);
        }
        state.copies.values_mut().for_each(arrange);
        state
    }

    /// Returns the columns from which the state of the documents that `keeps` accepts can be restored. These are numbered anew,
    /// without the others.
    pub fn columns(&self, keeps: impl Fn(DocId) -> bool) -> StateColumns {
        let kept: Vec<DocId> = DocId::first(self.alive.len()).filter(|&number| keeps(number)).collect();
        let mut numbers = vec![DocId::NONE; self.alive.len()];
        DocId::FIRST.onwards().zip(&kept).for_each(|(new, &old)| numbers[old.index()] = new);
        // Living documents refer only to living ones. Dead documents refer to themselves.
        let column = |value: &dyn Fn(DocId) -> DocId| {
            let number = |old: DocId| if self.is_alive(old) { numbers[value(old).index()] } else { numbers[old.index()] };
            kept.iter().map(|&old| number(old)).collect()
        };
        StateColumns {
            alive: kept.iter().map(|&old| self.is_alive(old)).collect(),
            representatives: column(&|old| self.representative(old)),
            leaders: column(&|old| if self.representative(old) == old { self.leader(old) } else { old }),
            roots: column(&|old| self.root(old)),
        }
    }

    /// Adds a living document that is kept and connected with no other; returns its number.
    pub fn push(&mut self) -> DocId {
        let number = self.end();
        self.alive.push(true);
        self.living += 1;
        self.groups.push(0);
        for column in [&mut self.representatives, &mut self.leaders, &mut self.parents, &mut self.rings] {
            column.push(number);
        }
        self.grow_group(number, 1);
        number
    }

    /// Number of living documents.
    pub fn living(&self) -> u32 {
        self.living
    }

    /// Number of living documents that are kept.
    pub fn kept(&self) -> u32 {
        self.kept
    }

    /// Number of documents, including dead ones.
    pub fn count(&self) -> u32 {
        self.alive.len() as u32
    }

    /// The end of the numbers: that of the next document.
    pub fn end(&self) -> DocId {
        DocId(self.count())
    }

    /// Whether a document is alive.
    #[inline]
    pub fn is_alive(&self, number: DocId) -> bool {
        self.alive[number.index()]
    }

    /// Marks a document as dead. The caller must find a new representative for the text that it represented.
    pub fn mark_dead(&mut self, number: DocId) {
        self.living -= u32::from(std::mem::replace(&mut self.alive[number.index()], false));
        self.shrink_group(self.leader(self.representative(number)), 1);
    }

    /// Whether a document is the representative of a living text.
    #[inline]
    pub fn is_representative(&self, number: DocId) -> bool {
        self.is_alive(number) && self.representatives[number.index()] == number
    }

    /// Whether a document is the representative of a living text that is kept.
    #[inline]
    pub fn leads(&self, number: DocId) -> bool {
        self.is_representative(number) && self.leaders[number.index()] == number
    }

    /// Returns the representative of a document's text.
    #[inline]
    pub fn representative(&self, number: DocId) -> DocId {
        self.representatives[number.index()]
    }

    /// Returns the representative of the text that the text of `representative` was dropped for; itself if that text is kept.
    #[inline]
    pub fn leader(&self, representative: DocId) -> DocId {
        self.leaders[representative.index()]
    }

    /// Makes `representative` follow `leader`, which may be itself.
    pub fn follow(&mut self, representative: DocId, leader: DocId) {
        let old = std::mem::replace(&mut self.leaders[representative.index()], leader);
        self.move_group(old, leader, self.members(representative).len());
    }

    /// Number of documents that follow a representative whose text is kept, including its own.
    pub fn group_size(&self, representative: DocId) -> u32 {
        self.groups[representative.index()]
    }

    fn move_group(&mut self, from: DocId, to: DocId, count: usize) {
        self.shrink_group(from, count as u32);
        self.grow_group(to, count as u32);
    }

    fn grow_group(&mut self, leader: DocId, more: u32) {
        let size = &mut self.groups[leader.index()];
        self.kept += u32::from(*size == 0 && more > 0);
        *size += more;
    }

    fn shrink_group(&mut self, leader: DocId, less: u32) {
        let size = &mut self.groups[leader.index()];
        *size -= less;
        self.kept -= u32::from(*size == 0 && less > 0);
    }

    /// Returns the documents of a text, in policy order.
    pub fn members(&self, representative: DocId) -> &[DocId] {
        let alone = || std::slice::from_ref(&self.representatives[representative.index()]);
        self.copies.get(&representative).map_or_else(alone, Vec::as_slice)
    }

    /// Returns the first document of a text in policy order.
    #[inline]
    pub fn first_document(&self, representative: DocId) -> DocId {
        if self.copies.is_empty() { representative } else { self.copies.get(&representative).map_or(representative, |members| members[0]) }
    }

    /// Returns the kept document that a document follows; itself if it is kept.
    pub fn original(&self, number: DocId) -> DocId {
        self.first_document(self.leader(self.representative(number)))
    }

    /// Adds a document that was the only one of its text to another text, at index `place` among its documents.
    pub fn join(&mut self, representative: DocId, number: DocId, place: usize) {
        self.representatives[number.index()] = representative;
        self.copies.entry(representative).or_insert_with(|| vec![representative]).insert(place, number);
        self.move_group(number, self.leader(representative), 1);
    }

    /// Reduces the documents of a text to `rest`, some of them in policy order, with `heir` as their representative.
    pub fn leave(&mut self, representative: DocId, heir: DocId, rest: Vec<DocId>) {
        if heir != representative {
            let is_kept = self.leader(representative) == representative;
            self.leaders[heir.index()] = if is_kept { heir } else { self.leader(representative) };
            if is_kept {
                self.move_group(representative, heir, rest.len());
            }
        }
        rest.iter().for_each(|&member| self.representatives[member.index()] = heir);
        self.copies.remove(&representative);
        if rest.len() > 1 {
            self.copies.insert(heir, rest);
        }
    }

    /// Removes the list of documents of a text that has no living document any more.
    pub fn drop_text(&mut self, representative: DocId) {
        self.copies.remove(&representative);
    }

    /// Returns the root of a document's tree.
    #[inline]
    pub fn root(&self, mut number: DocId) -> DocId {
        while self.parents[number.index()] != number {
            number = self.parents[number.index()];
        }
        number
    }

    /// Connects two documents; returns false if they were connected already.
    pub fn unite(&mut self, left: DocId, right: DocId) -> bool {
        let (left, right) = (self.shorten(left), self.shorten(right));
        if left == right {
            return false;
        }
        self.parents[left.max(right).index()] = left.min(right);
        // Swapping the successors of two members merges their rings.
        self.rings.swap(left.index(), right.index());
        true
    }

    /// Whether a document is connected with no other.
    pub fn is_alone(&self, number: DocId) -> bool {
        self.rings[number.index()] == number
    }

    /// Returns all documents connected with `number`, which comes first.
    pub fn connected(&self, number: DocId) -> impl Iterator<Item = DocId> {
        std::iter::successors(Some(number), move |&at| Some(self.rings[at.index()]).filter(|&next| next != number))
    }

    /// Removes documents from all connections.
    pub fn isolate(&mut self, numbers: &[DocId]) {
        for &number in numbers {
            self.parents[number.index()] = number;
            self.rings[number.index()] = number;
        }
    }

    fn shorten(&mut self, number: DocId) -> DocId {
        let (root, mut at) = (self.root(number), number);
        while at != root {
            at = std::mem::replace(&mut self.parents[at.index()], root);
        }
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn rings_hold_what_the_forest_connects(pairs in proptest::collection::vec((0u32..30, 0u32..30), 0..40)) {
            let mut state = DocumentStates::default();
            let mut sets: Vec<BTreeSet<DocId>> = DocId::first(30).map(|number| { state.push(); BTreeSet::from([number]) }).collect();
            for (left, right) in pairs {
                let (left, right) = (DocId(left), DocId(right));
                let apart = !sets[left.index()].contains(&right);
                prop_assert_eq!(state.unite(left, right), apart);
                let union: BTreeSet<DocId> = &sets[left.index()] | &sets[right.index()];
                union.iter().for_each(|&member| sets[member.index()] = union.clone());
            }
            for (number, set) in DocId::FIRST.onwards().zip(&sets) {
                prop_assert_eq!(&state.connected(number).collect::<BTreeSet<DocId>>(), set);
                prop_assert_eq!(state.connected(number).count(), set.len());
                prop_assert_eq!(Some(&state.root(number)), set.first());
            }
        }
    }
}
