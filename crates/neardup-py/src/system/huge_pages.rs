//! Large memory: what is reached in no order, millions of documents wide, is on pages of 2 MB where the system has such.
//!
//! With pages of 4 KB nearly every look at a table of gigabytes misses the processor's list of pages, too, and the system
//! clears as many pages one by one. Systems give large pages to those that ask, and the standard allocator does not.
#![allow(unsafe_code, reason = "an allocator is unsafe by its trait; it only adds advice to the system's own")]

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, which asks for large pages under what is large.
pub struct LargePageAllocator;

#[global_allocator]
static LARGE: LargePageAllocator = LargePageAllocator;

/// Memory of this many bytes is by itself, on large pages, and is given back when it is freed. What is smaller is not worth
/// it: to give it back and ask for it anew takes time.
const BYTES: usize = 16 << 20;

/// Has the C library give back what is large, every time. Left alone, it takes up to 32 MB for small, by what was freed before,
/// and keeps them: then the peak of a run depends on the order of its threads, by some 20 MB.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn settle() {
    // SAFETY: it sets a number of the allocator, which takes its own lock.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, BYTES as libc::c_int) };
}

/// Other allocators have other ways.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn settle() {}

// SAFETY: every call goes to the system's allocator as it came, and what comes back is given on. An advice changes neither
// addresses nor contents.
unsafe impl GlobalAlloc for LargePageAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of this very function.
        advised(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        advised(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        advised(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// `memory` of this many bytes, for which large pages are asked if there are enough of them; null stays null.
fn advised(memory: *mut u8, bytes: usize) -> *mut u8 {
    if bytes >= BYTES && !memory.is_null() {
        ask(memory, bytes);
    }
    memory
}

#[cfg(target_os = "linux")]
fn ask(memory: *mut u8, bytes: usize) {
    use rustix::mm::{Advice, madvise};
    /// A multiple of every size that small pages have.
    const PAGE: usize = 64 << 10;
    let before = memory.align_offset(PAGE);
    // SAFETY: the range is inside of what was just allocated. An advice that cannot be taken leaves all as it is.
    let _ = unsafe { madvise(memory.wrapping_add(before).cast(), (bytes - before) / PAGE * PAGE, Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn ask(_: *mut u8, _: usize) {}
