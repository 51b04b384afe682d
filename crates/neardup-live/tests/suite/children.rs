//! Tests as processes of their own, to be killed or held short: ignored tests, started by the others.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Where the process of a test works.
const FOLDER: &str = "NEARDUP_TEST_FOLDER";
/// What its random numbers start at.
const SEED: &str = "NEARDUP_TEST_SEED";

/// Starts an ignored test, named with its module, in a process of its own, after a line of the shell.
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

/// The folder and the seed that such a test was given; None, and it does nothing, where all ignored tests are run.
pub fn given() -> Option<(PathBuf, u64)> {
    let folder = env::var_os(FOLDER)?;
    Some((folder.into(), env::var(SEED).unwrap().parse().unwrap()))
}

/// What such a test says of itself, a line each; one that was killed in the middle of a line did not say it.
pub fn lines(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let mut out = BufReader::new(child.stdout.take().unwrap());
    std::iter::from_fn(move || {
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        line.ends_with('\n').then_some(line)
    })
    .filter_map(|line| line.strip_prefix("said ").map(|said| said.trim_end().to_owned()))
}

pub fn say(what: impl std::fmt::Display) {
    println!("\nsaid {what}");
}
