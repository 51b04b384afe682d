//! Jobs: full descriptions of runs.

pub(crate) mod finding;
pub(crate) mod given;
pub(crate) mod lexicons;
pub mod options;
pub(crate) mod outcome;
pub(crate) mod passage_cuts;
pub(crate) mod recluster_policy;

use crate::documents::groups::DocumentGroups;
use crate::documents::order::Keep;
use crate::documents::signed::SignedCorpus;
use crate::job::options::JobOptions;
use crate::job::passage_cuts::PassageCuts;
use crate::recluster::ReclusterPolicy;
use crate::{Error, Result};
use arrow_array::RecordBatch;
use neardup_core::candidates::scope::{GroupScope, PairScope};
use neardup_core::scheme::Scheme;
use neardup_core::util::ratio::Ratio;
use neardup_corpus::{Extract, Fields, Preference, ReadArchive, TimeUnit};
use neardup_disk::owned::refuse_inputs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The output that means the standard output.
const STDOUT: &str = "-";

/// The tables of a run that finds repeated passages.
pub const PASSAGE_TABLES: [&str; 4] = ["passages", "repeated", "removed", "changed"];

/// The kind of result that a run returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Decisions: which documents are kept.
    Dedup,
    /// Components and leader groups.
    Cluster,
    /// Every pair at or above the threshold.
    Pairs,
    /// The first signature of every document.
    Sketch,
    /// Passages that occur at several places of the corpus.
    Passages,
}

impl Verb {
    /// Returns its name on the command line and in `run.json`.
    pub fn name(self) -> &'static str {
        match self {
            Verb::Dedup => "dedup",
            Verb::Cluster => "cluster",
            Verb::Pairs => "pairs",
            Verb::Sketch => "sketch",
            Verb::Passages => "passages",
        }
    }
}

/// An error of the caller's code.
pub type ExternalError = Box<dyn std::error::Error + Send + Sync>;

/// Brings a file that is on no disk of this machine into a folder, and returns its path there. Of a file of lines only the records that
/// begin in a range of its bytes are needed, and its first bytes.
pub type FetchFile<'a> = dyn Fn(&Path, Option<Range<u64>>, &Path) -> Result<PathBuf, ExternalError> + Sync + 'a;

/// Record batches from outside, of one schema.
pub struct BatchStream {
    /// Name of the source in results and messages.
    pub name: String,
    /// The batches; an error ends the run. The thread that reads takes them out of the lock.
    pub batches: Mutex<Box<dyn Iterator<Item = Result<RecordBatch, ExternalError>> + Send>>,
    /// Whether they are in memory anyway. Otherwise the run does not keep them there.
    pub is_in_memory: bool,
    /// Folder that they are read from; `None` if it is not on this machine.
    pub folder: Option<PathBuf>,
    /// Names of the fields, of nested ones the paths.
    pub fields: Vec<String>,
}

/// The source of documents.
pub enum Input {
    /// Files, folders, globs, or `-`.
    Files(Vec<String>),
    /// Arrow streams.
    Streams(Vec<BatchStream>),
}

/// One run, fully described.
pub struct Job<'a> {
    /// The kind of result.
    pub verb: Verb,
    /// The documents.
    pub input: Input,
    /// Documents that the input is compared with, and that are never dropped or written.
    pub against: Option<Input>,
    /// How documents become pairs, with every choice filled in.
    pub scheme: Scheme,
    /// Names of the fields that are read.
    pub fields: Fields,
    /// The other options.
    pub options: JobOptions,
    /// Number of worker threads, at least one.
    pub threads: usize,
    /// Number of threads that would work if there were more memory.
    pub most_threads: usize,
    /// Number of bytes of memory that the run should not exceed.
    pub memory: usize,
    /// Turns HTML into text.
    pub extract: Option<&'a Extract<'a>>,
    /// Reads web archives.
    pub archive: Option<&'a ReadArchive<'a>>,
    /// Brings the files of a task to its machine; `None` if they are there.
    pub fetch: Option<&'a FetchFile<'a>>,
}

impl JobOptions {
    /// Returns the preferences, the first one first.
    fn preferences(&self) -> Vec<Preference> {
        let preference = |(field, values, by_beginning): &(String, Vec<String>, bool)| Preference {
            field: field.clone(),
            values: values.clone(),
            by_beginning: *by_beginning,
        };
        self.prefer.iter().map(preference).collect()
    }

    /// Returns the names of the fields that are read.
    pub fn fields(&self) -> Fields {
        let text = self.text_field.clone().unwrap_or_else(|| Fields::default().text);
        Fields {
            text,
            html: self.html_field.clone(),
            id: self.id_field.clone(),
            url: self.url_field.clone(),
            time: self.time_field.clone(),
            time_unit: self.time_unit,
            given: None,
            number: self.keep.as_ref().and_then(Keep::number_field).map(str::to_owned),
            group: self.group_field.clone(),
            prefer: self.preferences(),
            quoted_tsv: self.quoted_tsv,
            may_lack: false,
        }
    }
}

impl JobOptions {
    /// Returns the names of the fields that are read from a reference.
    pub fn reference_fields(&self) -> Fields {
        let fields = self.fields();
        let own = |own: &Option<String>, other: Option<String>| own.clone().or(other);
        // A text field of its own takes the place of HTML.
        let html = if self.against_text_field.is_some() { None } else { fields.html };
        Fields {
            text: self.against_text_field.clone().unwrap_or(fields.text),
            html: own(&self.against_html_field, html),
            id: own(&self.against_id_field, fields.id),
            time: own(&self.against_time_field, fields.time),
            ..fields
        }
    }

    fn has_reference_fields(&self) -> bool {
        [&self.against_text_field, &self.against_html_field, &self.against_id_field, &self.against_time_field]
            .into_iter()
            .any(Option::is_some)
    }
}

impl<'a> Job<'a> {
    /// Returns the same job without its inputs, for a task that receives documents in another way.
    pub fn without_inputs(&self) -> Job<'a> {
        let nothing = || Input::Files(Vec::new());
        Job {
            verb: self.verb,
            input: nothing(),
            against: self.against.as_ref().map(|_| nothing()),
            scheme: self.scheme.clone(),
            fields: self.fields.clone(),
            options: self.options.clone(),
            threads: self.threads,
            most_threads: self.most_threads,
            memory: self.memory,
            extract: self.extract,
            archive: self.archive,
            fetch: self.fetch,
        }
    }
}

impl Job<'_> {
    /// Returns the names of the fields that are read from the reference.
    pub fn reference_fields(&self) -> Fields {
        let Fields { text, html, id, time, .. } = self.options.reference_fields();
        Fields { text, html, id, time, ..self.fields.clone() }
    }

    /// Whether the fields of the reference have names of their own.
    pub fn names_reference_fields(&self) -> bool {
        self.options.has_reference_fields()
    }

    /// Refuses options that contradict each other.
    ///
    /// # Errors
    /// [`Error::Usage`] names the options.
    pub fn check_options(&self) -> Result<()> {
        let options = &self.options;
        let refuse = |why: &str| Err(Error::Usage(why.to_owned()));
        match () {
            () if options.only_against && self.against.is_none() => refuse("only_against needs a reference: give against"),
            () if self.names_reference_fields() && self.against.is_none() => {
                refuse("against_text_field, against_html_field, against_id_field and against_time_field are of a reference: give against")
            }
            () if options.against_id_field.is_some() && options.id_field.is_none() => {
                refuse("against_id_field needs id_field: ids are given on both sides, or on neither")
            }
            () if options.against_time_field.is_some() && options.time_field.is_none() => {
                refuse("against_time_field needs time_field, because a policy by time needs both")
            }
            () if options.time_unit != TimeUnit::default() && options.time_field.is_none() => {
                refuse("time_unit is that of the numbers in a field: give time_field")
            }
            () if options.groups.is_some() && options.group_field.is_none() => refuse("groups needs group_field, which names the groups"),
            () => self.group_scope().map(|_| ()),
        }
    }

    /// Returns the streams of the input and of the reference.
    pub fn batch_streams(&self) -> impl Iterator<Item = &BatchStream> {
        let inputs = [Some(&self.input), self.against.as_ref()].into_iter().flatten();
        inputs.filter_map(|input| if let Input::Streams(streams) = input { Some(streams) } else { None }).flatten()
    }

    /// Returns the names of the fields of all streams.
    pub fn stream_fields(&self) -> Vec<String> {
        self.batch_streams().flat_map(|stream| stream.fields.iter().cloned()).collect()
    }

    /// Returns which pairs count by their groups.
    fn group_scope(&self) -> Result<Option<GroupScope>> {
        match self.options.groups.as_deref() {
            None => Ok(None),
            Some("within") => Ok(Some(GroupScope::Within)),
            Some("across") => Ok(Some(GroupScope::Across)),
            Some(other) => Err(Error::Usage(format!("groups is `{other}`; allowed are within, across"))),
        }
    }

    /// Whether dedup keeps one document of each component.
    pub fn keeps_one_per_component(&self) -> bool {
        self.verb == Verb::Dedup && self.options.one_per.as_deref() == Some("component")
    }

    /// Whether an option decides which pairs count.
    pub fn limits_pairs(&self) -> bool {
        self.options.only_against || self.options.groups.is_some() || self.options.min_tokens.is_some()
    }

    /// Finds the groups of signed documents, and the pairs that count.
    pub(crate) fn scope(&self, signed: &mut SignedCorpus) -> Result<()> {
        if self.options.group_field.is_some() {
            signed.groups = Some(DocumentGroups::of(&signed.catalogue)?);
        }
        if !self.limits_pairs() {
            return Ok(());
        }
        let least = self.options.min_tokens.unwrap_or(0) as u32;
        let short = if least == 0 { Vec::new() } else { signed.segments[0].column(|segment| segment.tokens)? };
        let groups = self.group_scope()?.zip(signed.groups.as_ref().map(|groups| groups.of.clone()));
        signed.scope = Some(PairScope {
            groups,
            reference: signed.reference,
            only_cross: self.options.only_against,
            short: short.into_iter().map(|tokens| tokens < least).collect(),
        });
        Ok(())
    }

    /// Whether every pair is scored and listed.
    pub fn lists(&self) -> bool {
        self.verb == Verb::Pairs || self.options.pairs && self.verb == Verb::Cluster
    }

    /// Returns the threshold from which the run writes the maximum spanning forest of its pairs; `None` if none is wanted.
    ///
    /// # Errors
    /// [`Error::Usage`] if no forest could show which documents belong together at another threshold.
    pub fn spans_from(&self) -> Result<Option<Ratio>> {
        if !self.options.forest {
            return Ok(None);
        }
        let refuse = |why: String| Err(Error::Usage(format!("no forest can be written: {why}")));
        match (self.scheme.passes(), ReclusterPolicy::Resemblance.least(&self.scheme.passes()[0])) {
            _ if self.options.only_against || self.options.groups.is_some() => {
                refuse("it is of the pairs of all documents, and only some count (groups, only_against)".to_owned())
            }
            _ if self.verb != Verb::Cluster => refuse("only cluster connects documents".to_owned()),
            _ if self.against.is_some() => {
                refuse("documents of a reference may have the ids of the input's: make all documents input".to_owned())
            }
            ([_], Some(least)) => Ok(Some(least)),
            ([pass], None) => refuse(format!("pairs are found by {}, which may miss pairs of any resemblance", pass.condition())),
            _ => refuse("the scheme has several passes, and each sees only what those before it keep".to_owned()),
        }
    }

    /// Returns the policy by which the kept document of a group is chosen.
    pub fn keep(&self) -> Keep {
        self.options.keep.clone().unwrap_or(if self.fields.time.is_some() { Keep::Earliest } else { Keep::First })
    }

    /// Refuses an output that would replace anything that the job reads besides the files of its inputs: indexes, and files
    /// that its scheme names. The files of the inputs are checked when they are found.
    pub fn refuse_to_replace(&self, output: &Path) -> Result<()> {
        let folders = self.batch_streams().filter_map(|stream| stream.folder.as_deref());
        Ok(refuse_inputs(output, folders.chain(self.scheme.files()))?)
    }

    /// Whether the input is written again, without what is dropped or cut.
    pub fn writes_kept(&self) -> bool {
        self.options.output.is_some() && !self.options.no_kept && matches!(self.verb, Verb::Dedup | Verb::Passages)
    }

    /// Whether the dropped records of the input are written, too.
    pub fn writes_dropped(&self) -> bool {
        self.options.write_dropped && self.verb == Verb::Dedup
    }

    /// Whether the kept records go to the standard output.
    pub fn streams(&self) -> bool {
        self.options.output.as_deref().is_some_and(|output| output == Path::new(STDOUT))
    }

    /// Returns the folder of the results; `None` if they stay in memory or go to the standard output.
    pub fn folder(&self) -> Option<&Path> {
        self.options.output.as_deref().filter(|_| !self.streams())
    }

    /// Whether any records of the input are written again.
    pub fn writes_records(&self) -> bool {
        self.writes_kept() || self.writes_dropped()
    }

    /// How repeated passages are cut.
    pub(crate) fn cutting(&self) -> PassageCuts {
        PassageCuts { cut: self.options.cut, least: self.options.least }
    }

    /// Whether the run decides which documents are kept.
    pub fn decides(&self) -> bool {
        matches!(self.verb, Verb::Dedup | Verb::Cluster)
    }

    /// Returns the names of the result tables, the main table of the verb first.
    pub fn tables(&self) -> Vec<&'static str> {
        let own = match self.verb {
            Verb::Dedup => "decisions",
            Verb::Cluster => "clusters",
            Verb::Pairs => "pairs",
            Verb::Sketch => "sketches",
            Verb::Passages => return PASSAGE_TABLES.to_vec(),
        };
        let forest = (self.options.forest && self.verb == Verb::Cluster).then_some("forest");
        let pairs = (self.verb == Verb::Cluster && self.lists()).then_some("pairs");
        let passages = (self.options.passages && self.lists()).then_some("passages");
        [Some(own), forest, pairs, passages].into_iter().flatten().collect()
    }
}
