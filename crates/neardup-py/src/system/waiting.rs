//! Waiting for work, while Ctrl-C and all other signals are handled.

use crate::errors::{raised, raised_live};
use neardup_engine::{Error, Watch};
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

const INTERVAL: Duration = Duration::from_millis(100);

/// The callbacks of a job: `progress(phase, done, total, documents)`, and `notice(sentence)`.
#[derive(Default)]
pub struct Callbacks {
    /// Receives the progress, repeatedly, and once at the end.
    pub progress: Option<Py<PyAny>>,
    /// Receives what the user should know beforehand.
    pub notice: Option<Py<PyAny>>,
}

/// Runs `work` without the interpreter's lock. The callbacks are called on this thread, repeatedly, and once after `work` has
/// succeeded. An exception from them, or from Ctrl-C, stops the work. It is raised when the work has ended, even if that was
/// complete by then.
pub fn watched<R: Send>(
    py: Python<'_>,
    callbacks: &Callbacks,
    watch: &Watch,
    work: impl FnOnce() -> Result<R, Error> + Send,
) -> PyResult<R> {
    let result = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(1);
            scope.spawn(move || {
                // There is no receiver only when this thread is unwinding.
                let _ = sender.send(work());
            });
            let mut stopped: Option<PyErr> = None;
            loop {
                match receiver.recv_timeout(INTERVAL) {
                    Ok(result) => {
                        // Even the quickest work is reported once, with all that was done.
                        if stopped.is_none() && result.is_ok() {
                            stopped = Python::attach(|py| report(py, callbacks, watch)).err();
                        }
                        return (stopped, Some(result));
                    }
                    Err(RecvTimeoutError::Disconnected) => return (stopped, None),
                    Err(RecvTimeoutError::Timeout) if stopped.is_none() => {
                        if let Err(error) = Python::attach(|py| report(py, callbacks, watch)) {
                            watch.corpus.cancel();
                            stopped = Some(error);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    });
    match result {
        (Some(error), _) => Err(error),
        (None, Some(result)) => result.map_err(|error| raised(py, &error)),
        (None, None) => Err(pyo3::exceptions::PyRuntimeError::new_err("the work ended without a result; this is a defect of neardup")),
    }
}

fn report(py: Python<'_>, callbacks: &Callbacks, watch: &Watch) -> PyResult<()> {
    py.check_signals()?;
    if let Some(notice) = &callbacks.notice {
        watch.notices().into_iter().try_for_each(|sentence| notice.call1(py, (sentence,)).map(drop))?;
    }
    if let (Some(progress), Some(at)) = (&callbacks.progress, watch.progress()) {
        progress.call1(py, (at.phase, at.done, at.total, at.documents))?;
    }
    Ok(())
}

/// Runs `work`, which may have to wait for another writer of an index, without the interpreter's lock. A signal ends the wait;
/// if its handler raises nothing, the wait starts again.
pub fn in_turn<R: Send>(py: Python<'_>, work: impl Fn() -> neardup_live::Result<R> + Sync) -> PyResult<R> {
    loop {
        match py.detach(&work) {
            Err(neardup_live::Error::Interrupted) => py.check_signals()?,
            result => return result.map_err(|error| raised_live(py, &error)),
        }
    }
}
