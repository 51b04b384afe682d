//! The Python class of an index.

use crate::documents::collect::refused;
use crate::documents::table::{ArrowTable, stream};
use crate::documents::time::Time;
use crate::errors::{data, raised_live, usage};
use crate::live::document_row::{RowTuple, document_row};
use crate::live::following::{self, ArchivedDocument, ChangeTuple, RoleTuple};
use crate::live::index_rows::IndexRows;
use crate::live::tables::HeldDocuments;
use crate::scheme::resolved;
use crate::system::waiting::in_turn;
use neardup_core::scheme::Scheme;
use neardup_core::util::ratio::Ratio;
use neardup_live::decide::passes::IndexPasses;
use neardup_live::decide::verdict::{Admission, Verdict, name};
use neardup_live::documents::document::Document;
use neardup_live::documents::policy::Policy;
use neardup_live::index::Index as Live;
use neardup_live::index::sharded::ShardSet;
use neardup_live::read_only::open_read_only;
use neardup_live::snapshot::contents::Snapshot;
use neardup_live::snapshot::folder::{holds_index, is_split};
use neardup_live::snapshot::manifest::Settings;
use neardup_live::snapshot::query::{Hit, HitOrder, QueryText};
use neardup_live::{Error, Result};
use neardup_text::TokensVersion;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// id, text, url, time
pub type DocumentTuple = (Option<String>, String, Option<String>, Option<Time>);
/// id, original, rule, shared, size of the document, size of the original, verified
type AdmissionTuple = (String, Option<String>, Option<&'static str>, u32, u32, u32, bool);
/// verdict, replaced, unchanged, expired, changed
type AdmittedTuple = (AdmissionTuple, Option<String>, bool, Vec<String>, Vec<AdmissionTuple>);
/// id, url, time, shared, size of the text, size of the document, rule, original, group size, value
type HitTuple = (String, Option<String>, Option<Time>, u32, u32, u32, Option<&'static str>, String, u32, Option<f64>);

#[pyclass(module = "neardup._core", frozen)]
pub struct Index {
    shards: Arc<ShardSet>,
    /// Folder of the index.
    pub dir: PathBuf,
}

#[pymethods]
impl Index {
    #[staticmethod]
    #[pyo3(signature = (dir, scheme, parts, policy, ttl, most, folders=None, extractor=None))]
    #[allow(clippy::too_many_arguments)]
    fn create(
        py: Python<'_>,
        dir: PathBuf,
        scheme: &str,
        parts: Option<&str>,
        policy: &str,
        ttl: Option<u64>,
        most: Option<u64>,
        folders: Option<u32>,
        extractor: Option<&str>,
    ) -> PyResult<Self> {
        let policy = policy_of(py, policy)?;
        let schemes = Schemes::new(scheme, parts).map_err(|error| raised_live(py, &error))?;
        let made = in_turn(py, || {
            let settings = schemes.settings(policy, ttl, most, extractor)?;
            match folders {
                Some(folders) => ShardSet::create(&dir, &settings, &schemes.passes()?, folders),
                None => Live::create(&dir, settings, schemes.passes()?).map(ShardSet::of),
            }
        });
        made.map(Arc::new).map(|shards| Index { shards, dir })
    }

    #[staticmethod]
    #[pyo3(signature = (dir, scheme=None, parts=None, flush_at=None, peers=None, timeout=60.0, read_only=false))]
    #[allow(clippy::too_many_arguments)]
    fn open(
        py: Python<'_>,
        dir: PathBuf,
        scheme: Option<&str>,
        parts: Option<&str>,
        flush_at: Option<u32>,
        peers: Option<&str>,
        timeout: f64,
        read_only: bool,
    ) -> PyResult<Self> {
        let passes = |settings: &Settings| {
            let (version, ours) = (settings.version(), TokensVersion::current());
            if version != ours {
                let dir = dir.display();
                let why =
                    format!("{dir}: its texts were cut by {version}, and this neardup cuts by {ours}: run neardup index repair {dir}");
                return Err(Error::Usage(why));
            }
            Schemes::of(settings, scheme, parts, &dir)?.passes()
        };
        let opened = py.detach(|| match peers {
            Some(address) => ShardSet::meet(&dir, passes, address, Duration::from_secs_f64(timeout.clamp(0.0, 1e6))),
            None if read_only => open_read_only(&dir, passes).map(ShardSet::of_shards),
            None if is_split(&dir)? => ShardSet::open(&dir, passes),
            None => Live::open(&dir, passes).map(ShardSet::of),
        });
        let shelved = opened.map(|index| if let Some(documents) = flush_at { index.with_flush_at(documents) } else { index });
        shelved.map(Arc::new).map(|shards| Index { shards, dir }).map_err(|error| raised_live(py, &error))
    }

    #[staticmethod]
    fn exists_in(py: Python<'_>, dir: PathBuf) -> PyResult<bool> {
        let exists = || Ok(dir.is_dir() && holds_index(&dir)?);
        exists().map_err(|error| raised_live(py, &error))
    }

    fn add(&self, py: Python<'_>, documents: Vec<Bound<'_, PyAny>>, now: i64, first: usize) -> PyResult<Vec<AdmittedTuple>> {
        let documents = documents.iter().zip(first..).map(|(given, number)| document(py, given, number)).collect::<PyResult<Vec<_>>>()?;
        let added = in_turn(py, || self.shards.add(&documents, now))?;
        Ok(added.into_iter().map(admitted).collect())
    }

    fn check(&self, py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<(AdmissionTuple, Option<String>, bool)> {
        let document = document(py, given, 1)?;
        let check = py.detach(|| self.shards.check(&document)).map_err(|error| raised_live(py, &error))?;
        Ok((admission_tuple(check.verdict), check.replaced, check.unchanged))
    }

    fn remove(&self, py: Python<'_>, ids: Vec<String>) -> PyResult<(Vec<String>, Vec<AdmissionTuple>)> {
        let removal = in_turn(py, || self.shards.remove(&ids))?;
        Ok((removal.removed, removal.changed.into_iter().map(admission_tuple).collect()))
    }

    fn expire(&self, py: Python<'_>, now: i64) -> PyResult<(Vec<String>, Vec<AdmissionTuple>)> {
        let removal = in_turn(py, || self.shards.expire(now))?;
        Ok((removal.removed, removal.changed.into_iter().map(admission_tuple).collect()))
    }

    #[pyo3(signature = (text, by, threshold, limit))]
    fn query(&self, py: Python<'_>, text: &str, by: &str, threshold: Option<&str>, limit: usize) -> PyResult<(Vec<HitTuple>, bool, bool)> {
        let by = match by {
            "scheme" => HitOrder::Scheme,
            "containment" => HitOrder::Containment,
            "contained_by" => HitOrder::ContainedBy,
            other => return Err(usage(py, format!("by is `{other}`; allowed are scheme, containment, contained_by"))),
        };
        let threshold = threshold.map(str::parse::<Ratio>).transpose().map_err(|error| raised_live(py, &error.into()))?;
        let question = QueryText { by, threshold, limit };
        let answer = py.detach(|| self.shards.query(text, question));
        let answer = answer.map_err(|error| raised_live(py, &error))?;
        Ok((answer.hits.into_iter().map(found).collect(), answer.is_thin, answer.is_cut))
    }

    fn get(&self, py: Python<'_>, id: &str) -> PyResult<Option<RowTuple>> {
        self.look(py, |contents| contents.of_id(id).map(|number| self.whole(document_row(contents, number))).transpose())?
            .map_err(|error| raised_live(py, &error))
    }

    fn of_url(&self, py: Python<'_>, url: &str) -> PyResult<Option<String>> {
        self.look(py, |contents| contents.of_url(url).map(|number| name(&contents.index_state.document_table.row(number))))
    }

    fn documents(&self, py: Python<'_>, from: u64, count: usize) -> PyResult<Vec<RowTuple>> {
        self.look(py, |contents| {
            contents.living_from(from).take(count).map(|number| self.whole(document_row(contents, number))).collect::<Result<_, _>>()
        })?
        .map_err(|error| raised_live(py, &error))
    }

    fn verdict(&self, py: Python<'_>, id: &str) -> PyResult<Option<AdmissionTuple>> {
        let verdict = py.detach(|| self.shards.verdict(id)).map_err(|error| raised_live(py, &error))?;
        Ok(verdict.map(admission_tuple))
    }

    fn cluster(&self, py: Python<'_>, id: &str) -> PyResult<Option<Vec<String>>> {
        self.look(py, |contents| Some(contents.cluster(contents.of_id(id)?)))
    }

    fn group(&self, py: Python<'_>, id: &str) -> PyResult<Option<Vec<String>>> {
        self.look(py, |contents| Some(contents.group(contents.of_id(id)?)))
    }

    fn decisions(&self, py: Python<'_>) -> PyResult<ArrowTable> {
        py.detach(|| HeldDocuments::read(&self.shards)?.decisions()).map_err(|error| raised_live(py, &error))
    }

    fn clusters(&self, py: Python<'_>) -> PyResult<ArrowTable> {
        py.detach(|| HeldDocuments::read(&self.shards)?.clusters()).map_err(|error| raised_live(py, &error))
    }

    fn changes_since(&self, py: Python<'_>, step: u64, count: usize) -> PyResult<Option<ChangeTuple>> {
        let changed = py.detach(|| {
            let changed = self.shards.all(|shard| following::changes_since(shard, step, count))?;
            changed.map(|(end, gone, added, roles): ChangeTuple| Ok((end, gone, self.arrived(added)?, roles))).transpose()
        });
        changed.map_err(|error| raised_live(py, &error))
    }

    fn originals(&self, py: Python<'_>) -> PyResult<(u64, Vec<(String, String)>)> {
        py.detach(|| self.shards.all(following::originals)).map_err(|error| raised_live(py, &error))
    }

    fn roles(&self, py: Python<'_>, ids: Vec<String>) -> PyResult<Vec<RoleTuple>> {
        py.detach(|| self.shards.all(|shard| following::roles(shard, &ids))).map_err(|error| raised_live(py, &error))
    }

    fn arrivals(&self, py: Python<'_>, after: u64, until: u64, count: usize) -> PyResult<Vec<ArchivedDocument>> {
        let added =
            py.detach(|| self.shards.all(|shard| following::arrivals(shard, after, until, count)).and_then(|added| self.arrived(added)));
        added.map_err(|error| raised_live(py, &error))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(&self, py: Python<'py>, requested_schema: Option<Bound<'py, PyCapsule>>) -> PyResult<Bound<'py, PyCapsule>> {
        stream(py, &IndexRows::schema(), IndexRows::new(Arc::clone(&self.shards)), requested_schema)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.look(py, |contents| contents.index_state.state.living() as usize)
    }

    #[getter(position)]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.look(py, |contents| contents.steps)
    }

    #[getter]
    fn folder(&self) -> String {
        self.dir.display().to_string()
    }

    #[getter]
    fn identity(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |contents| contents.manifest.identity.as_str().to_owned())
    }

    #[getter]
    fn scheme(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |contents| contents.settings().scheme.clone())
    }

    fn info(&self, py: Python<'_>) -> PyResult<String> {
        let info = py.detach(|| self.shards.info()).map_err(|error| raised_live(py, &error))?;
        serde_json::to_string(&info).map_err(|error| data(py, error.to_string()))
    }

    fn refresh(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.shards.refresh()).map_err(|error| raised_live(py, &error))
    }

    fn recover(&self, py: Python<'_>) -> PyResult<()> {
        in_turn(py, || self.shards.recover())
    }

    fn compact(&self, py: Python<'_>) -> PyResult<()> {
        in_turn(py, || self.shards.compact())
    }

    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.shards.verify()).map_err(|error| raised_live(py, &error))
    }
}

impl Index {
    fn look<R: Send>(&self, py: Python<'_>, read: impl FnOnce(&Snapshot) -> R + Send) -> PyResult<R> {
        py.detach(|| self.shards.look(read)).map_err(|error| raised_live(py, &error))
    }

    fn arrived(&self, added: Vec<ArchivedDocument>) -> Result<Vec<ArchivedDocument>> {
        added.into_iter().map(|(document_row, rule)| Ok((self.whole(document_row)?, rule))).collect()
    }

    /// Returns a document with its text, wherever that is stored.
    fn whole(&self, document_row: RowTuple) -> Result<RowTuple> {
        let (serial, id, text, url, time, original) = document_row;
        let text = if text.is_empty() { self.shards.text(serial)? } else { text };
        Ok((serial, id, text, url, time, original))
    }
}

/// The schemes that are requested for an index.
pub struct Schemes {
    main: Scheme,
    parts: Option<Scheme>,
}

impl Schemes {
    pub fn new(main: &str, parts: Option<&str>) -> Result<Self> {
        let scheme = |line: &str| resolved(line, "0.99").map_err(Error::from);
        Ok(Schemes { main: scheme(main)?, parts: parts.map(scheme).transpose()? })
    }

    /// Returns the schemes of the index in `dir`. If schemes are requested, they must be the same.
    pub fn of(settings: &Settings, scheme: Option<&str>, parts: Option<&str>, dir: &Path) -> Result<Self> {
        let parts = parts.or(settings.parts_scheme.as_deref());
        let schemes = Schemes::new(scheme.unwrap_or(&settings.scheme), parts)?;
        let (ours, theirs) = (schemes.sealed()?, (settings.scheme.clone(), settings.parts_scheme.clone()));
        if ours == theirs {
            return Ok(schemes);
        }
        let line = |(scheme, parts): (String, Option<String>)| {
            parts.map_or_else(|| format!("`{scheme}`"), |parts| format!("`{scheme}` with parts `{parts}`"))
        };
        let why = format!(
            "{}: the index is of scheme {}, not {}: make another index for another scheme",
            dir.display(),
            line(theirs),
            line(ours)
        );
        Err(Error::Usage(why))
    }

    /// Returns the settings of an index with these schemes.
    pub fn settings(&self, policy: Policy, ttl_seconds: Option<u64>, most: Option<u64>, extractor: Option<&str>) -> Result<Settings> {
        let extractor = extractor.map(str::to_owned);
        let (scheme, parts_scheme) = self.sealed()?;
        let TokensVersion { rules: tokens_version, unicode } = TokensVersion::current();
        Ok(Settings { scheme, parts_scheme, tokens_version, unicode, policy, ttl_seconds, most, extractor, shard: None })
    }

    /// Returns the scheme lines, with secrets replaced by check values.
    fn sealed(&self) -> Result<(String, Option<String>)> {
        let line = |scheme: &Scheme| Ok::<_, Error>(scheme.seal()?.to_string());
        Ok((line(&self.main)?, self.parts.as_ref().map(line).transpose()?))
    }

    pub fn passes(&self) -> Result<IndexPasses> {
        IndexPasses::new(&self.main, self.parts.as_ref(), |scheme| {
            neardup_engine::compiled(scheme).map_err(|error| Error::Usage(error.to_string()))
        })
    }
}

/// Returns the policy with this name.
pub fn policy_of(py: Python<'_>, name: &str) -> PyResult<Policy> {
    match name {
        "first" => Ok(Policy::First),
        "earliest" => Ok(Policy::Earliest),
        other => Err(usage(py, format!("policy is `{other}`; allowed are first, earliest"))),
    }
}

pub fn document(py: Python<'_>, given: &Bound<'_, PyAny>, number: usize) -> PyResult<Document> {
    let (id, text, url, time): DocumentTuple = given.extract().map_err(|error| refused(py, number, &error))?;
    let time = time.map(|time| time.micros()).transpose().map_err(|reason| data(py, format!("document {number}: {reason}")))?;
    Ok(Document { id, url: url.filter(|url| !url.is_empty()), time, text })
}

fn admission_tuple(verdict: Verdict) -> AdmissionTuple {
    match verdict.dropped {
        None => (verdict.id, None, None, 0, 0, 0, true),
        Some(evidence) => {
            let overlap = evidence.overlap;
            let rule = Some(evidence.rule.name());
            (verdict.id, Some(evidence.original), rule, overlap.shared, overlap.left, overlap.right, evidence.verified)
        }
    }
}

fn admitted(admission: Admission) -> AdmittedTuple {
    let Admission { verdict, replaced, unchanged, expired, changed } = admission;
    (admission_tuple(verdict), replaced, unchanged, expired, changed.into_iter().map(admission_tuple).collect())
}

fn found(hit: Hit) -> HitTuple {
    let Hit { id, url, time, overlap, value, rule, original, group_size } = hit;
    let (shared, size, id_size) = (overlap.shared, overlap.left, overlap.right);
    (id, url, time.map(Time::of), shared, size, id_size, rule.map(|rule| rule.name()), original, group_size, value.get())
}
