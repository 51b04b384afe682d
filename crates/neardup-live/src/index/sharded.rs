//! An index in one folder, or in several folders that are opened as one. Each shard is asked by its own thread, and the shards
//! decide together.

use crate::decide::passes::IndexPasses;
use crate::decide::verdict::{Admission, Removal, Verdict, verdict};
use crate::documents::document::Document;
use crate::index::Index;
use crate::index::info::Info;
use crate::mutex::lock;
use crate::shards::exchange::{Exchange, LocalExchange};
use crate::shards::shard::Shard;
use crate::shards::tcp::TcpExchange;
use crate::snapshot::check::Check;
use crate::snapshot::contents::Snapshot;
use crate::snapshot::folder::{of_shard, refuse_another, take_for_shards};
use crate::snapshot::manifest::{Manifest, Settings};
use crate::snapshot::query::{self, QueryText};
use crate::storage::identity::Identity;
use crate::{Error, Result};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// All shards of an index; or a single one, which is an unsplit index or one shard of a split one.
pub struct ShardSet {
    shards: Vec<Index>,
    /// Lock for one question at a time, so that each caller receives the answers to its own question.
    turn: Mutex<()>,
}

/// A shard while it is asked. If its thread panics, no other shard waits for it.
struct ShardGuard<'a>(&'a Index);

impl Drop for ShardGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.leave();
        }
    }
}

impl ShardSet {
    /// Creates an empty index of `shards` shards in the folders `shard-0`, `shard-1`, ... of `dir`.
    pub fn create(dir: &Path, settings: &Settings, passes: &IndexPasses, shards: u32) -> Result<ShardSet> {
        refuse_another(dir)?;
        take_for_shards(dir, shards)?;
        // Shard 0 is created last, so that a folder with shard 0 contains a complete index. Shards of an interrupted creation are
        // reused.
        let begun = (1..shards).find_map(|number| Manifest::read(&of_shard(dir, number)).ok()?.settings.shard);
        let index = begun.map_or_else(|| Identity::draw(dir), |shard| Ok(shard.index))?;
        for number in (0..shards).rev() {
            let (folder, shard) = (of_shard(dir, number), Some(Shard { index: index.clone(), number, of: shards }));
            let settings = Settings { shard, ..settings.clone() };
            if !Manifest::read(&folder).is_ok_and(|manifest| manifest.settings == settings) {
                Index::create(&folder, settings, passes.clone())?;
            }
        }
        ShardSet::open(dir, |_| Ok(passes.clone()))
    }

    /// Wraps an index in one folder, or a single shard.
    pub fn of(index: Index) -> ShardSet {
        ShardSet { shards: vec![index], turn: Mutex::new(()) }
    }

    /// Opens the shard in `dir`, and connects with the others at an address: see [`TcpExchange::meet`].
    pub fn meet(dir: &Path, passes: impl FnOnce(&Settings) -> Result<IndexPasses>, address: &str, timeout: Duration) -> Result<ShardSet> {
        let shard = Manifest::read(dir)?.settings.shard;
        let shard = shard.ok_or_else(|| Error::Usage(format!("{}: this index is whole, and has no other shards", dir.display())))?;
        let wire = TcpExchange::meet(&shard, address, timeout)?;
        Index::join(dir, passes, Arc::new(wire)).map(ShardSet::of)?.agreed()
    }

    /// Opens the split index in `dir`, with all of its shards.
    pub fn open(dir: &Path, passes: impl Fn(&Settings) -> Result<IndexPasses>) -> Result<ShardSet> {
        let count = (0..).take_while(|&shard| of_shard(dir, shard).exists()).count();
        let seats = LocalExchange::all(count).into_iter().map(|seat| Arc::new(seat) as Arc<dyn Exchange>);
        let shards: Vec<Index> =
            (0..).zip(seats).map(|(shard, seat)| Index::join(&of_shard(dir, shard), &passes, seat)).collect::<Result<_>>()?;
        let fits = |(at, shard): (u32, &Index)| {
            let contents = shard.contents();
            contents.settings().shard.as_ref().is_some_and(|shard| (shard.number, shard.of as usize) == (at, count))
        };
        if count == 0 || !(0..).zip(&shards).all(fits) {
            return Err(Error::Usage(format!(
                "{}: this folder must contain all shards of one index, shard-0 and those that follow",
                dir.display()
            )));
        }
        ShardSet { shards, turn: Mutex::new(()) }.agreed()
    }

    /// Returns this once all shards are at the same step.
    fn agreed(self) -> Result<ShardSet> {
        self.agree().map(|()| self)
    }

    /// Brings all shards to the same step.
    fn agree(&self) -> Result<()> {
        self.all(|shard| shard.consult(|_, _| ()))
    }

    /// See [`Index::with_flush_at`].
    pub fn with_flush_at(self, documents: u32) -> ShardSet {
        ShardSet { shards: self.shards.into_iter().map(|shard| shard.with_flush_at(documents)).collect(), ..self }
    }

    /// Wraps several shards of one index, or an index in one folder.
    pub fn of_shards(shards: Vec<Index>) -> ShardSet {
        ShardSet { shards, turn: Mutex::new(()) }
    }

    /// Returns the shards as separate indexes.
    pub fn into_shards(self) -> Vec<Index> {
        self.shards
    }

    /// The shards. What all of them have in common can be asked of the first.
    pub fn shards(&self) -> &[Index] {
        &self.shards
    }

    /// Applies `read` to the contents of the first shard, for facts that all shards have in common. Nothing is added meanwhile.
    pub fn look<R>(&self, read: impl FnOnce(&Snapshot) -> R) -> Result<R> {
        let _turn = self.turn();
        Ok(read(&*self.shards[0].readable()?))
    }

    /// Returns the text of the document with this serial number, from a shard that stores it; empty if the index is not split. Call
    /// it within [`ShardSet::look`], which keeps writers away.
    pub fn text(&self, serial: u64) -> Result<String> {
        if self.shards.len() == 1 {
            return Ok(String::new());
        }
        for shard in &self.shards {
            let contents = shard.readable()?;
            let document_table = &contents.index_state.document_table;
            if let Some(number) = document_table.of_serial(serial).filter(|&number| !document_table.row(number).text.is_empty()) {
                return Ok(String::from_utf8_lossy(document_table.row(number).text).into_owned());
            }
        }
        Ok(String::new())
    }

    /// Returns the facts about the index, with all shards together.
    pub fn info(&self) -> Result<Info> {
        let _turn = self.turn();
        let first = Info::of(&self.shards[0])?;
        self.shards[1..].iter().try_fold(first, |info, shard| Ok(info.and(Info::of(shard)?)))
    }

    /// See [`Index::refresh`].
    pub fn refresh(&self) -> Result<()> {
        {
            let _turn = self.turn();
            self.shards.iter().try_for_each(Index::refresh)?;
        }
        if self.shards.len() > 1 { self.agree() } else { Ok(()) }
    }

    /// See [`Index::recover`].
    pub fn recover(&self) -> Result<()> {
        self.all(Index::recover)
    }

    /// See [`Index::add`].
    pub fn add(&self, documents: &[Document], now: i64) -> Result<Vec<Admission>> {
        self.all(|shard| shard.add(documents.to_vec(), now))
    }

    /// See [`Index::remove`].
    pub fn remove(&self, ids: &[String]) -> Result<Removal> {
        self.all(|shard| shard.remove(ids.to_vec()))
    }

    /// See [`Index::expire`].
    pub fn expire(&self, now: i64) -> Result<Removal> {
        self.all(|shard| shard.expire(now))
    }

    /// See [`Index::compact`].
    pub fn compact(&self) -> Result<()> {
        self.all(Index::compact)
    }

    /// Verifies each shard: see [`Index::verify`]. Also checks that all shards have the same state of every document.
    pub fn verify(&self) -> Result<()> {
        self.shards.iter().try_for_each(Index::verify)?;
        self.refresh()?;
        let _turn = self.turn();
        self.shards[1..].iter().try_for_each(|shard| shard.refuse_difference(&self.shards[0]))
    }

    /// See [`crate::snapshot::contents::Snapshot::check`].
    pub fn check(&self, document: &Document) -> Result<Check> {
        self.all(|shard| shard.consult(|contents, comparer| contents.check(document, comparer))?)
    }

    /// See [`crate::snapshot::contents::Snapshot::query`].
    pub fn query(&self, text: &str, question: QueryText) -> Result<query::QueryAnswer> {
        self.all(|shard| shard.consult(|contents, comparer| contents.query(text, question, comparer))?)
    }

    /// Returns the verdict on the document of this id, if there is one.
    pub fn verdict(&self, id: &str) -> Result<Option<Verdict>> {
        self.all(|shard| {
            shard.consult(|contents, comparer| contents.of_id(id).map(|number| verdict(&contents.index_state, number, comparer)))
        })
    }

    /// Asks all shards at once, and returns the answer of the first, which is the same as the others'.
    pub fn all<R: Send>(&self, ask: impl Fn(&Index) -> Result<R> + Sync) -> Result<R> {
        let _turn = self.turn();
        self.shards.iter().try_for_each(Index::rejoin)?;
        if let [shard] = &self.shards[..] {
            return ask(shard);
        }
        let mut answers = thread::scope(|scope| {
            let present = |shard| {
                let present = ShardGuard(shard);
                ask(present.0)
            };
            let asked: Vec<_> = self.shards.iter().map(|shard| scope.spawn(move || present(shard))).collect();
            asked.into_iter().map(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect::<Vec<_>>()
        });
        // If one shard fails, the others only report that it left.
        let fails = |answer: &Result<R>| matches!(answer, Err(error) if !matches!(error, Error::Left(_)));
        let telling = answers.iter().position(fails).or_else(|| answers.iter().position(Result::is_err));
        answers.swap_remove(telling.unwrap_or(0))
    }

    /// If there are several shards, locks out other callers, because all shards must receive the same questions.
    fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        self.shards[0].is_shard().then(|| lock(&self.turn))
    }
}
