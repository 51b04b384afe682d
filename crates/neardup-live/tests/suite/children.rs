//! Tests that run as child processes, to be killed or limited: they are ignored tests, which other tests start.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Variable with the folder of a child process.
const FOLDER: &str = "NEARDUP_TEST_FOLDER";
/// Variable with the seed of a child process.
const SEED: &str = "NEARDUP_TEST_SEED";

/// Starts the ignored test `test`, named with its module, in a child process, after the shell code `before`.
pub fn start(before: &str, test: &str, folder: &Path, seed: u64) -> Child {
    Command::new("sh")
        .args(["-c", &format!(r#"{before} exec "$@""#), "sh"])
        .arg(env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(SEED, seed.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns the folder and the seed of the child process; `None` if the test was started by hand, and has nothing to do.
pub fn given() -> Option<(PathBuf, u64)> {
    let folder = env::var_os(FOLDER)?;
    Some((folder.into(), env::var(SEED).unwrap().parse().unwrap()))
}

/// Yields the messages of a child process; a last line that a kill cut off is left out.
pub fn lines(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let mut out = BufReader::new(child.stdout.take().unwrap());
    std::iter::from_fn(move || {
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        line.ends_with('\n').then_some(line)
    })
    .filter_map(|line| line.strip_prefix("said ").map(|message| message.trim_end().to_owned()))
}

/// Prints a message to the process that started this one.
pub fn say(what: impl std::fmt::Display) {
    println!("\nsaid {what}");
}
