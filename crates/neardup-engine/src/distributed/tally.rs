//! Tallies: what tasks count for the driver. Their size depends on the number of tasks and sources, not on the documents.

use crate::Result;
use crate::distributed::home::Home;
use crate::distributed::plan::{HomeSplit, Plan};
use crate::distributed::records::{ClassMember, DocName, DocNumber, PairFound, PolicyKey, RepeatedId, TextRow};
use crate::documents::order::Keep;
use crate::job::Job;
use crate::results::cluster_table::ClusterTable;
use crate::results::missing_fields::Lacking;
use neardup_core::pass::compiled::CompiledPass;
use neardup_core::pass::rule::Rule;
use neardup_core::util::ids::DocId;
use neardup_corpus::{PassedOver, Reject};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Number of documents without usable text that are named.
pub const LISTED: usize = 100;

/// What a task counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Tally {
    /// Of the terms of a part, or the documents of a home that have them.
    Counted(CountTally),
    /// Of a document that an error names.
    Described(DescribeTally),
    /// Of the documents of a home.
    Signed(SignTally),
    /// Of the keys of a part.
    Linked(LinkTally),
    /// Of the links that a part changed.
    Stars(u64),
    /// Of the families of a part.
    Compared(CompareTally),
    /// Of a range of the pairs.
    Listed(ListTally),
    /// Of the results of a home.
    Written(WriteTally),
}

/// Counts of terms.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CountTally {
    /// Number of documents that were counted; of frames, of those in all samples.
    pub documents: u64,
    /// Terms, with the number of documents that contain each.
    pub terms: Vec<(u64, u32)>,
    /// Number of documents that the pass sees.
    pub seen: u64,
    /// Number of those that have a host.
    pub hosted: u64,
}

/// A document that an error names.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct DescribeTally {
    /// Its place, as messages name it.
    pub place: String,
    /// Its id.
    pub id: String,
}

/// Counts of a home.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SignTally {
    /// The home.
    pub home: u32,
    /// Number of its first source among all of the run.
    pub first_source: u32,
    /// Whether its documents are of the reference.
    pub is_reference: bool,
    /// Number of its rows.
    pub rows: u64,
    /// Number of the documents of each of its sources, without those that are set aside.
    pub documents: Vec<u64>,
    /// Number of the records of each source that lack each of [`neardup_corpus::MissingFields::flags`].
    pub lacking: Vec<Vec<u64>>,
    /// Records that are passed over, by source.
    pub passed_over: Vec<(u32, PassedOver)>,
    /// Texts that could not be read to their end, by source.
    pub flaws: Vec<(u32, PassedOver)>,
    /// The first record that cannot be used.
    pub first_reject: Option<Reject>,
    /// Whether any document has a time by which it is kept.
    pub has_times: bool,
    /// Ranks of the documents in the preferences.
    pub ranks: BTreeSet<u32>,
    /// Number of documents without tokens.
    pub without_text: u64,
    /// The first of them.
    pub without_text_names: Vec<DocName>,
    /// Number of documents with tokens and without features in any pass so far.
    pub without_features: u64,
    /// Number of documents that are shorter than one shingle.
    pub short: u64,
    /// Digest of the lexicon of the pass.
    pub lexicon: Option<String>,
    /// Number of shingles that are left out as frame.
    pub frame: Option<u64>,
    /// Caps of each kind of keys.
    pub caps: Vec<Option<u32>>,
    /// Whether the pass ignores signs.
    pub ignores_signs: bool,
}

impl SignTally {
    /// Counts the documents of a home, except those `aside`.
    pub fn of(job: &Job<'_>, home: &Home, split: &HomeSplit, pass: &CompiledPass, plan: &Plan, aside: &HashSet<u32>) -> Result<SignTally> {
        let signed = &home.signed;
        let lacking = Lacking::of(signed, &job.fields, Some(&job.keep()).filter(|keep| Keep::is_by_time(keep)))?;
        let tokens = signed.segments[0].column(|segment| segment.tokens)?;
        let here: Vec<DocId> = home.documents().filter(|document| !aside.contains(&document.0)).collect();
        let of = |document: &DocId| tokens[document.index()];
        let mut documents = vec![0; signed.catalogue.sources.len()];
        here.iter().for_each(|document| documents[home.source_of[document.index()] as usize] += 1);
        let without_text: Vec<DocId> = here.iter().copied().filter(|document| of(document) == 0).collect();
        Ok(SignTally {
            home: split.number,
            first_source: split.first_source,
            is_reference: split.is_reference,
            rows: signed.read_rows,
            documents,
            lacking: lacking.counts.into_iter().map(|counts| counts.to_vec()).collect(),
            passed_over: signed.passed_over.clone(),
            flaws: signed.flaws.clone(),
            first_reject: signed.rejects.first().cloned(),
            has_times: lacking.has_times,
            ranks: lacking.ranks,
            without_text: without_text.len() as u64,
            without_text_names: without_text.iter().take(LISTED).map(|&document| home.name(split, plan, document)).collect(),
            without_features: 0,
            short: here.iter().filter(|document| (1..pass.features.tokens() as u32).contains(&of(document))).count() as u64,
            lexicon: pass.weigher.lexicon().map(|lexicon| lexicon.digest().to_owned()),
            frame: pass.features.frame().map(|frame| frame.terms().len() as u64),
            caps: pass.kinds.iter().map(|kind| kind.cap).collect(),
            ignores_signs: pass.rules.ignores_signs(),
        })
    }
}

/// A key above its cap.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Capped {
    /// The table, numbered through all kinds of keys, and the key.
    pub bucket: u64,
    /// Number of its documents.
    pub size: u64,
    /// A few of these.
    pub sample: Vec<DocNumber>,
}

/// Counts of a part of the keys.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LinkTally {
    /// Number of links.
    pub links: u64,
    /// Number of keys above their cap whose documents are compared with the first only.
    pub bounded: u64,
    /// Keys above their cap that propose no pair.
    pub capped: Vec<Capped>,
    /// Number of documents whose id another one has.
    pub repeated: u64,
    /// The first of them.
    pub first_repeated: Option<RepeatedId>,
}

impl LinkTally {
    /// Adds the counts of another part.
    pub fn add(&mut self, other: LinkTally) {
        self.links += other.links;
        self.bounded += other.bounded;
        self.capped.extend(other.capped);
        self.repeated += other.repeated;
        self.first_repeated = [self.first_repeated.take(), other.first_repeated].into_iter().flatten().min();
    }
}

/// Maximum number of documents of a large family that a task samples.
const SAMPLED_OF_FAMILY: usize = 100;

/// Number of pairs for each of which one left document is sampled, and maximum number of samples of a task.
const SAMPLED: [usize; 2] = [4096, 1000];

/// The pairs of some families.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PairsTally {
    /// Number of pairs.
    pub count: u64,
    /// A sample of their left documents.
    pub sample: Vec<DocName>,
}

impl PairsTally {
    /// Counts pairs.
    pub fn of(pairs: &[PairFound], plan: &Plan) -> PairsTally {
        let mut lefts: Vec<&DocName> = pairs.iter().map(|pair| &pair.left).collect();
        lefts.sort_by(|one, other| plan.order(one, other));
        let step = SAMPLED[0].max(lefts.len().div_ceil(SAMPLED[1]));
        let name = |name: &&DocName| DocName { page: None, ..(*name).clone() };
        PairsTally { count: pairs.len() as u64, sample: lefts.iter().step_by(step).map(name).collect() }
    }
}

/// Counts of a range of the pairs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ListTally {
    /// The sum of the rows.
    pub sum: Vec<u8>,
}

/// Documents of large families that are not decided yet.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LargeTally {
    /// Of each family, by root: their number, and a sample of every so many.
    pub families: BTreeMap<DocNumber, LargeFamily>,
}

/// The documents of a large family that are not decided yet.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LargeFamily {
    /// Their number.
    pub count: u64,
    /// A sample, each with the number of documents that it represents.
    pub sample: Vec<(PolicyKey, u64)>,
}

impl LargeTally {
    /// Counts documents.
    pub fn of(plan: &Plan, rows: &[TextRow<'_>]) -> LargeTally {
        let mut keys: BTreeMap<DocNumber, Vec<PolicyKey>> = BTreeMap::new();
        rows.iter().for_each(|row| keys.entry(row.root).or_default().push(policy_key(plan, &row.member)));
        let family = |(root, mut keys): (DocNumber, Vec<PolicyKey>)| {
            keys.sort_unstable();
            let (count, step) = (keys.len() as u64, keys.len().div_ceil(SAMPLED_OF_FAMILY));
            let sample = keys.into_iter().step_by(step.max(1)).map(|key| (key, step as u64)).collect();
            (root, LargeFamily { count, sample })
        };
        LargeTally { families: keys.into_iter().map(family).collect() }
    }

    /// Adds the documents of another part.
    pub fn add(&mut self, other: LargeTally) {
        for (root, mut more) in other.families {
            let family = self.families.entry(root).or_default();
            family.count += more.count;
            family.sample.append(&mut more.sample);
        }
    }
}

/// Returns the place of a document in policy order.
pub fn policy_key(plan: &Plan, member: &ClassMember) -> PolicyKey {
    PolicyKey { is_input: !plan.is_reference(member.name.number), order: member.order.clone(), number: member.name.number }
}

/// Counts of some families.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CompareTally {
    /// Broder's table.
    pub clusters: ClusterTable,
    /// Number of links between the documents of clusters, which several passes connect.
    pub links: u64,
    /// Number of dropped documents.
    pub dropped: u64,
    /// Keys above their cap whose documents are compared all the same.
    pub capped: Vec<Capped>,
    /// Names of their documents.
    pub names: Vec<(DocNumber, String)>,
    /// The pairs, if they are listed.
    pub pairs: PairsTally,
    /// Families of copies that are listed as stars: the first, and the size.
    pub stars: Vec<(DocName, u64)>,
    /// Families that share a key and were compared with their first only.
    pub starred_keys: Vec<(DocName, u64)>,
    /// Number of dropped documents that differ from their originals in signs only, if the pass ignores signs.
    pub signs_only: u64,
    /// The documents of large families that are left.
    pub large: LargeTally,
}

impl CompareTally {
    /// Adds the counts of other families.
    pub fn add(&mut self, other: CompareTally) {
        self.clusters = std::mem::take(&mut self.clusters).with(other.clusters);
        self.links += other.links;
        self.dropped += other.dropped;
        self.pairs.count += other.pairs.count;
        self.pairs.sample.extend(other.pairs.sample);
        self.stars.extend(other.stars);
        self.starred_keys.extend(other.starred_keys);
        self.signs_only += other.signs_only;
    }
}

/// Counts of the results of a home.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WriteTally {
    /// The sum of the rows of the verb's own table.
    pub sum: Vec<u8>,
    /// Number of dropped documents of each source, numbered among all of the run.
    pub dropped: BTreeMap<u32, u64>,
    /// Number of rejected records of each source of the input.
    pub rejected: BTreeMap<u32, u64>,
    /// Number of rejected records of the reference.
    pub rejected_of_reference: u64,
    /// Number of documents dropped by each rule, in the order of rules.
    pub rules: [u64; Rule::ALL.len()],
    /// Names of the documents that the driver asked for.
    pub names: Vec<(DocNumber, String)>,
}
