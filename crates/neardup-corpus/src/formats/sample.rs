use std::fs::File;

use memchr::memchr_iter;
use neardup_disk::positioned::read_at;

use crate::error::{Error, Result};
use crate::records::fields::Fields;
use crate::sources::source::Source;
use crate::texts::fetch::are_in_place;

/// Chunks of one source that are read before all others, to estimate what the rest is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Index of the source in the given list.
    pub source: usize,
    /// Numbers of the chunks, ascending.
    pub chunks: Vec<usize>,
    /// Number of bytes of each chunk.
    pub bytes: Vec<u64>,
}

/// Returns the chunks of about `chunk_bytes` at `places` places, evenly spread over the bytes of all sources together.
///
/// Returns `None` if the chunks of a source cannot be read independently. Only JSON lines whose texts are fetched from their source
/// have such chunks.
pub fn spread(sources: &[&Source], fields: &Fields, chunk_bytes: usize, places: usize) -> Option<Vec<Sample>> {
    let whole = |source: &&Source| source.is_read_in_parts() && are_in_place(source, fields) && !source.is_stdin();
    let is_spread = !sources.is_empty() && sources.iter().all(whole);
    is_spread.then(|| at_places(sources, chunk_bytes, places))
}

/// Counts bytes and line ends in `places` samples of `bytes` bytes, in order. The samples are evenly spread over the uncompressed
/// lines of all sources. The total number of lines can be estimated from them. Empty lines do not count.
///
/// # Errors
/// [`Error::Io`] for a file that cannot be read.
pub fn count_lines(sources: &[&Source], bytes: usize, places: usize) -> Result<Vec<(u64, usize)>> {
    let (mut counts, mut room) = (Vec::new(), vec![0; bytes]);
    for sample in at_places(sources, bytes, places) {
        let path = &sources[sample.source].path;
        let file = File::open(path).map_err(Error::io(path, "read"))?;
        for number in sample.chunks {
            let filled = read_at(&file, &mut room, (number * bytes) as u64).map_err(Error::io(path, "read"))?;
            let read = &room[..filled];
            let ends = memchr_iter(b'\n', read).filter(|&at| at == 0 || read[at - 1] != b'\n').count();
            counts.push((filled as u64, ends));
        }
    }
    Ok(counts)
}

fn at_places(sources: &[&Source], chunk_bytes: usize, places: usize) -> Vec<Sample> {
    let (chunk, places) = (chunk_bytes.max(1) as u64, places.max(1) as u64);
    let total: u64 = sources.iter().map(|source| source.bytes).sum();
    let mut samples: Vec<Sample> = Vec::new();
    let (mut source, mut before) = (0, 0);
    for place in 0..places {
        // The middle of one of `places` equal stretches.
        let at = (u128::from(total) * u128::from(2 * place + 1) / u128::from(2 * places)) as u64;
        while source + 1 < sources.len() && at >= before + sources[source].bytes {
            before += sources[source].bytes;
            source += 1;
        }
        let number = (at - before) / chunk;
        let bytes = sources[source].bytes.saturating_sub(number * chunk).min(chunk);
        if bytes == 0 {
            continue;
        }
        if samples.last().is_none_or(|last| last.source != source) {
            samples.push(Sample { source, chunks: Vec::new(), bytes: Vec::new() });
        }
        if let Some(last) = samples.last_mut().filter(|last| last.chunks.last() != Some(&(number as usize))) {
            last.chunks.push(number as usize);
            last.bytes.push(bytes);
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compression::Compression;
    use crate::formats::suffixes::{kind, lines};
    use std::path::Path;

    fn source(bytes: u64) -> Source {
        Source { bytes, ..Source::new("a.jsonl".into(), "a.jsonl".to_owned(), lines(), Compression::NONE) }
    }

    fn spread_over(sizes: &[u64], chunk: usize, places: usize) -> Vec<(usize, Vec<usize>, Vec<u64>)> {
        let sources: Vec<Source> = sizes.iter().map(|&bytes| source(bytes)).collect();
        let samples = spread(&sources.iter().collect::<Vec<_>>(), &Fields::default(), chunk, places).unwrap();
        samples.into_iter().map(|sample| (sample.source, sample.chunks, sample.bytes)).collect()
    }

    #[test]
    fn places_are_spread_over_all_files() {
        assert_eq!(spread_over(&[1000], 10, 4), [(0, vec![12, 37, 62, 87], vec![10; 4])]);
        assert_eq!(spread_over(&[100, 0, 300], 10, 4), [(0, vec![5], vec![10]), (2, vec![5, 15, 25], vec![10; 3])]);
        // A chunk counts once, and the last one counts its actual length.
        assert_eq!(spread_over(&[15], 10, 4), [(0, vec![0, 1], vec![10, 5])]);
        assert_eq!(spread_over(&[0, 0], 10, 4), []);
    }

    #[test]
    fn only_files_that_are_read_from_any_place_have_a_sample() {
        let fields = Fields::default();
        let refused = |other: Source, fields: &Fields| spread(&[&source(1000), &other], fields, 10, 4).is_none();
        assert!(!refused(source(1000), &fields));
        assert!(refused(Source { compression: Compression::of("a.gz").1, ..source(1000) }, &fields));
        assert!(refused(Source { format: kind(Path::new("a.parquet")).unwrap().0, ..source(1000) }, &fields));
        assert!(refused(Source { path: "-".into(), ..source(1000) }, &fields));
        assert!(refused(source(1000), &Fields { html: Some("html".to_owned()), ..Fields::default() }));
    }

    #[test]
    fn lines_are_counted_where_they_end() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: String| {
            let path = folder.path().join(name);
            std::fs::write(&path, &text).unwrap();
            Source { path, ..source(text.len() as u64) }
        };
        // Short lines, then long ones, then nearly none.
        let files =
            [file("a", "short\n\n".repeat(5000)), file("b", format!("{}\n", "x".repeat(699)).repeat(100)), file("c", "y".repeat(50_000))];
        let counts = count_lines(&files.iter().collect::<Vec<_>>(), 100, 400).unwrap();
        let (bytes, lines) = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        let told = lines as f64 / bytes as f64 * files.iter().map(|file| file.bytes as f64).sum::<f64>();
        assert!((4800.0..5400.0).contains(&told), "{told} of 5100");
    }
}
