//! A guard for libraries that panic on damaged files.

use std::any::Any;
use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `read` on a columnar file. The libraries check most of what they read, and panic on the rest. Such a panic becomes an error
/// of the file, and nothing is printed.
pub fn guarded<T, E: From<io::Error>>(read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                others(panic)
            }
        }));
    });
    let before = QUIET.replace(true);
    let done = catch_unwind(AssertUnwindSafe(read));
    QUIET.set(before);
    done.unwrap_or_else(|panic| Err(io::Error::other(message_of(&*panic)).into()))
}

/// Returns the message of a panic.
fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("it cannot be read").to_owned()
}
