//! Store: columns that are appended to one work file and read back by range.
//!
//! At 10^9 documents, signing produces far more than fits in memory, and almost all of it is read once and in order. So it
//! is written to a file, which the page cache keeps in memory if there is room. Columns are small, and a file system has a
//! fixed cost per write and per page, so columns are gathered and written in large pieces.

use bytemuck::Pod;
use neardup_disk::pages::forget;
use neardup_disk::positioned::{read_exact_at, write_at};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

const ALIGNMENT: usize = 16;
/// Columns of fewer bytes are gathered into pieces of this size, which are written at multiples of it.
const PIECE: u64 = 1 << 18;
/// Size in bytes from which the system is advised to drop the pages of finished columns. The pages of smaller files do no
/// harm, and the system would have to write them before it drops them.
const LARGE: u64 = 1 << 30;

/// Append-only file of columns. Several threads can append and read at once.
#[derive(Debug)]
pub struct Store {
    file: File,
    /// Offset of the tail. All bytes before it are in the file.
    written: AtomicU64,
    /// Bytes that are not in the file yet.
    tail: Mutex<Vec<u8>>,
}

/// Location of one column in a store. If all values are equal, only one is stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StoredColumn<T> {
    /// Offset, number of values, and whether all values are equal.
    place: (u64, u64, bool),
    #[serde(skip)]
    kind: PhantomData<T>,
}

impl<T> Clone for StoredColumn<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for StoredColumn<T> {}

impl<T> StoredColumn<T> {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.place.1 as usize
    }

    /// Whether the column is empty.
    pub fn is_empty(&self) -> bool {
        self.place.1 == 0
    }
}

/// A list that grows by parts, each of which is a column.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct List<T> {
    parts: Vec<StoredColumn<T>>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List { parts: Vec::new() }
    }
}

impl<T: Pod> List<T> {
    /// Appends values.
    pub fn append(&mut self, store: &Store, values: &[T]) -> io::Result<()> {
        if !values.is_empty() {
            self.parts.push(store.append(values)?);
        }
        Ok(())
    }

    /// Appends another list of the same store.
    pub fn extend(&mut self, other: List<T>) {
        self.parts.extend(other.parts);
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.parts.iter().map(StoredColumn::len).sum()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the values, one part at a time.
    pub fn parts<'s>(&'s self, store: &'s Store) -> impl Iterator<Item = io::Result<Vec<T>>> + 's {
        self.parts.iter().map(|&part| store.all(part))
    }

    /// Returns the values one by one. One part is in memory at a time.
    pub fn values<'s>(&'s self, store: &'s Store) -> impl Iterator<Item = io::Result<T>> + 's {
        self.values_from(store, 0)
    }

    /// Returns the values from index `start` on. Parts that end before it are not read.
    pub fn values_from<'s>(&'s self, store: &'s Store, start: usize) -> impl Iterator<Item = io::Result<T>> + 's {
        let ends = self.parts.iter().scan(0, |end, part| {
            *end += part.len();
            Some(*end)
        });
        let parts = self.parts.iter().zip(ends).skip_while(move |&(_, end)| end <= start);
        parts.flat_map(move |(&part, end)| {
            let part = store.read(part, start.saturating_sub(end - part.len())..part.len());
            let (values, failed) = part.map_or_else(|error| (Vec::new(), Some(Err(error))), |values| (values, None));
            values.into_iter().map(Ok).chain(failed)
        })
    }

    /// Reads all values.
    pub fn all(&self, store: &Store) -> io::Result<Vec<T>> {
        self.read(store, 0..self.len())
    }

    /// Reads a range of the values.
    pub fn read(&self, store: &Store, range: Range<usize>) -> io::Result<Vec<T>> {
        let mut values = Vec::with_capacity(range.len());
        let mut start = 0;
        for &part in &self.parts {
            let end = start + part.len();
            let (from, to) = (range.start.clamp(start, end), range.end.clamp(start, end));
            if from < to {
                values.extend(store.read(part, from - start..to - start)?);
            }
            start = end;
        }
        Ok(values)
    }
}

/// Builds a list. It gathers values, so that the parts are large.
pub struct ListBuilder<'a, T> {
    store: &'a Store,
    list: List<T>,
    gathered: Vec<T>,
}

/// Number of values that [`ListBuilder`] gathers.
const GATHERED: usize = 1 << 14;

impl<'a, T: Pod> ListBuilder<'a, T> {
    /// Creates an empty list.
    pub fn new(store: &'a Store) -> Self {
        ListBuilder { store, list: List::default(), gathered: Vec::new() }
    }

    /// Appends a value.
    pub fn push(&mut self, value: T) -> io::Result<()> {
        self.gathered.push(value);
        if self.gathered.len() < GATHERED { Ok(()) } else { self.flush() }
    }

    /// Appends values.
    pub fn extend(&mut self, values: impl IntoIterator<Item = T>) -> io::Result<()> {
        values.into_iter().try_for_each(|value| self.push(value))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.list.append(self.store, &self.gathered)?;
        self.gathered.clear();
        Ok(())
    }

    /// Writes the gathered values and returns the list.
    pub fn finish(mut self) -> io::Result<List<T>> {
        self.flush()?;
        Ok(self.list)
    }
}

impl Store {
    /// Creates a store over `file`, whose first `end` bytes are in use.
    pub fn new(file: File, end: u64) -> Self {
        Store { file, written: AtomicU64::new(end), tail: Mutex::default() }
    }

    /// Returns the number of bytes in use.
    pub fn len(&self) -> u64 {
        let tail = self.tail();
        self.written.load(Ordering::Acquire) + tail.len() as u64
    }

    /// Whether no byte is in use.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Truncates or extends the file to the bytes in use and returns their number. No other thread may append meanwhile.
    pub fn trim(&self) -> io::Result<u64> {
        let end = self.flush()?;
        self.file.set_len(end)?;
        Ok(end)
    }

    /// Writes everything that was appended before to the file and returns its end.
    pub fn flush(&self) -> io::Result<u64> {
        let mut tail = self.tail();
        self.write_out(&mut tail, 1)?;
        Ok(self.written.load(Ordering::Acquire))
    }

    /// Appends a column of values.
    pub fn append<T: Pod>(&self, values: &[T]) -> io::Result<StoredColumn<T>> {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let size = size_of::<T>();
        // True if every value equals the one before it.
        let alike = values.len() > 1 && bytes[size..] == bytes[..bytes.len() - size];
        let bytes = if alike { &bytes[..size] } else { bytes };
        let mut tail = self.tail();
        let offset = self.written.load(Ordering::Acquire) + tail.len() as u64;
        let padding = bytes.len().next_multiple_of(ALIGNMENT) - bytes.len();
        if bytes.len() as u64 >= PIECE {
            // Not gathered, because that would take as much memory again.
            self.write_out(&mut tail, 1)?;
            write_at(&self.file, bytes, offset)?;
            self.written.fetch_add(bytes.len() as u64, Ordering::Release);
        } else {
            tail.extend_from_slice(bytes);
        }
        tail.extend_from_slice(&[0; ALIGNMENT][..padding]);
        self.write_out(&mut tail, PIECE)?;
        Ok(StoredColumn { place: (offset, values.len() as u64, alike), kind: PhantomData })
    }

    /// Advises the system that a column will hardly be read again, so that its pages are free for later writes. The column
    /// stays readable.
    pub fn let_go<T: Pod>(&self, column: StoredColumn<T>) {
        let bytes = if column.place.2 { size_of::<T>() } else { column.len() * size_of::<T>() };
        if self.written.load(Ordering::Acquire) >= LARGE {
            forget(&self.file, column.place.0, bytes as u64);
        }
    }

    fn tail(&self) -> MutexGuard<'_, Vec<u8>> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the tail up to the last multiple of `piece`. The lock serialises writes, as the file system does anyway.
    fn write_out(&self, tail: &mut Vec<u8>, piece: u64) -> io::Result<()> {
        let start = self.written.load(Ordering::Acquire);
        let whole = ((start + tail.len() as u64) / piece * piece).saturating_sub(start) as usize;
        if whole > 0 {
            write_at(&self.file, &tail[..whole], start)?;
            tail.drain(..whole);
            self.written.store(start + whole as u64, Ordering::Release);
        }
        Ok(())
    }

    /// Reads bytes that were appended before.
    fn fetch(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        if offset + bytes.len() as u64 > self.written.load(Ordering::Acquire) {
            self.write_out(&mut self.tail(), 1)?;
        }
        read_exact_at(&self.file, bytes, offset)
    }

    /// Reads a range of a column.
    pub fn read<T: Pod>(&self, column: StoredColumn<T>, range: Range<usize>) -> io::Result<Vec<T>> {
        let mut values = vec![T::zeroed(); range.len()];
        self.fill(&mut values, column, range.start)?;
        Ok(values)
    }

    /// Fills `values` with the values of a column from index `start` on.
    fn fill<T: Pod>(&self, values: &mut [T], column: StoredColumn<T>, start: usize) -> io::Result<()> {
        if column.place.2 && !values.is_empty() {
            values.fill(self.get(column, start)?);
            return Ok(());
        }
        self.fetch(bytemuck::cast_slice_mut(values), column.place.0 + (start * size_of::<T>()) as u64)
    }

    /// Reads whole columns in parallel and joins them in order.
    pub fn joined<T: Pod + Send>(&self, columns: impl Iterator<Item = StoredColumn<T>> + Clone) -> io::Result<Vec<T>> {
        let mut values = vec![T::zeroed(); columns.clone().map(|column| column.len()).sum()];
        let (mut places, mut rest) = (Vec::new(), &mut values[..]);
        for column in columns {
            let (place, behind) = rest.split_at_mut(column.len());
            places.push((place, column));
            rest = behind;
        }
        places.into_par_iter().try_for_each(|(place, column)| self.fill(place, column, 0))?;
        Ok(values)
    }

    /// Reads a whole column.
    pub fn all<T: Pod>(&self, column: StoredColumn<T>) -> io::Result<Vec<T>> {
        self.read(column, 0..column.len())
    }

    /// Reads one value.
    pub fn get<T: Pod>(&self, column: StoredColumn<T>, index: usize) -> io::Result<T> {
        let mut value = T::zeroed();
        let index = if column.place.2 { 0 } else { index };
        self.fetch(bytemuck::bytes_of_mut(&mut value), column.place.0 + (index * size_of::<T>()) as u64)?;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_back() {
        let store = Store::new(tempfile::tempfile().unwrap(), 0);
        let (words, bytes) = (store.append(&[1u64, 2, 3]).unwrap(), store.append(&[7u8; 5]).unwrap());
        let wide = store.append(&[u128::MAX]).unwrap();
        assert_eq!(store.all(words).unwrap(), [1, 2, 3]);
        assert_eq!(store.read(words, 1..3).unwrap(), [2, 3]);
        assert_eq!(store.get(words, 2).unwrap(), 3);
        assert_eq!(store.all(bytes).unwrap(), [7; 5]);
        assert_eq!(store.get(wide, 0).unwrap(), u128::MAX);
        assert_eq!(store.joined([words, words].into_iter()).unwrap(), [1, 2, 3, 1, 2, 3]);
        assert_eq!(store.trim().unwrap(), 64);
        assert_eq!(store.file.metadata().unwrap().len(), 64);
    }

    #[test]
    fn columns_of_every_length_come_back_at_any_time() {
        let store = Store::new(tempfile::tempfile().unwrap(), 32);
        let piece = PIECE as usize / 4;
        let lengths = [0, 1, piece - 9, 3, piece, piece + 1, 5 * piece + 7, 2, 40, piece - 1];
        let values = |thread: u32, length: usize| (0..length as u32).map(|value| value * 8 + thread).collect::<Vec<u32>>();
        let work = |thread: u32| {
            let columns: Vec<StoredColumn<u32>> = lengths.iter().map(|&length| store.append(&values(thread, length)).unwrap()).collect();
            let last = columns[lengths.len() - 1];
            assert_eq!(store.get(last, last.len() - 1).unwrap(), (last.len() - 1) as u32 * 8 + thread);
            columns
        };
        let columns: Vec<(u32, Vec<StoredColumn<u32>>)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|thread| (thread, scope.spawn(move || work(thread)))).collect();
            threads.into_iter().map(|(thread, columns)| (thread, columns.join().unwrap())).collect()
        });
        for (thread, columns) in &columns {
            for (&column, &length) in columns.iter().zip(&lengths) {
                assert_eq!(store.all(column).unwrap(), values(*thread, length));
            }
        }
        assert_eq!(store.trim().unwrap(), store.file.metadata().unwrap().len());
    }

    #[test]
    fn what_was_let_go_of_comes_back() {
        // A sparse file, so that it counts as large.
        let store = Store::new(tempfile::tempfile().unwrap(), LARGE);
        let (values, one) = ((0..1 << 16).collect::<Vec<u32>>(), store.append(&[9u64]).unwrap());
        let columns = [store.append(&values).unwrap(), store.append(&[3u32; 100]).unwrap()];
        store.flush().unwrap();
        columns.into_iter().for_each(|column| store.let_go(column));
        store.let_go(one);
        store.let_go(store.append::<u8>(&[]).unwrap());
        assert_eq!(store.all(columns[0]).unwrap(), values);
        assert_eq!(store.joined(columns.into_iter()).unwrap(), [values, vec![3; 100]].concat());
        assert_eq!(store.get(one, 0).unwrap(), 9);
    }

    #[test]
    fn of_values_that_are_alike_one_is_stored() {
        let store = Store::new(tempfile::tempfile().unwrap(), 0);
        let (alike, nearly) = (store.append(&[7u64; 1000]).unwrap(), store.append(&[7u64, 7, 7, 8]).unwrap());
        assert_eq!(store.len(), (ALIGNMENT + 4 * size_of::<u64>()) as u64);
        assert_eq!((alike.len(), store.all(alike).unwrap()), (1000, vec![7; 1000]));
        assert_eq!((store.read(alike, 998..1000).unwrap(), store.get(alike, 999).unwrap()), (vec![7, 7], 7));
        assert_eq!(store.all(nearly).unwrap(), [7, 7, 7, 8]);
    }

    #[test]
    fn a_growing_list_has_few_parts() {
        let store = Store::new(tempfile::tempfile().unwrap(), 0);
        let values: Vec<u32> = (0..2 * GATHERED as u32 + 3).collect();
        let mut growing = ListBuilder::new(&store);
        growing.push(0).unwrap();
        growing.extend(values[1..].iter().copied()).unwrap();
        let list = growing.finish().unwrap();
        assert_eq!((list.all(&store).unwrap(), list.parts.len()), (values, 3));
        assert!(ListBuilder::<u32>::new(&store).finish().unwrap().is_empty());
    }

    #[test]
    fn lists_come_back_by_range() {
        let store = Store::new(tempfile::tempfile().unwrap(), 0);
        let mut list = List::default();
        [&[1u32, 2, 3][..], &[], &[4], &[5, 6]].iter().for_each(|part| list.append(&store, part).unwrap());
        assert_eq!(list.len(), 6);
        let whole = list.all(&store).unwrap();
        assert_eq!(whole, [1, 2, 3, 4, 5, 6]);
        assert_eq!(list.values(&store).collect::<io::Result<Vec<_>>>().unwrap(), whole);
        for start in 0..=6 {
            for end in start..=6 {
                assert_eq!(list.read(&store, start..end).unwrap(), whole[start..end]);
            }
            assert_eq!(list.values_from(&store, start).collect::<io::Result<Vec<_>>>().unwrap(), whole[start..]);
        }
    }
}
