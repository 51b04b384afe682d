//! Large allocations: tables over millions of documents, which are accessed in random order, are on pages of 2 MB if the system
//! has these.
//!
//! With pages of 4 KB, nearly every access to a table of gigabytes also misses the translation buffer of the processor (TLB),
//! and the system clears all these pages one by one. Systems provide large pages on request, and the standard allocator does
//! not request them.
#![allow(unsafe_code, reason = "an allocator is unsafe by its trait; it only adds advice to the system's own")]

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, with large pages for large allocations.
pub struct LargePageAllocator;

#[global_allocator]
static LARGE: LargePageAllocator = LargePageAllocator;

/// Minimum size, in bytes, of an allocation on large pages of its own, which are returned to the system when it is freed. For a
/// smaller allocation that would not pay: returning memory and requesting it anew takes time.
const BYTES: usize = 16 << 20;

/// Makes the C library return every large allocation to the system. By default its limit for a large allocation grows up to 32
/// MB, depending on what was freed before, and it keeps everything below. Then the peak of a run depends on the order of its
/// threads, by some 20 MB.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn settle() {
    // SAFETY: it sets a parameter of the allocator, which takes its own lock.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, BYTES as libc::c_int) };
}

/// Does nothing: other allocators have other ways.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn settle() {}

// SAFETY: every call is passed to the system's allocator unchanged, and so is its result to the caller. The advice changes
// neither addresses nor contents.
unsafe impl GlobalAlloc for LargePageAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the contract of this same function.
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

/// Requests large pages for `memory` if `bytes` is large enough, and returns `memory`. Null stays null.
fn advised(memory: *mut u8, bytes: usize) -> *mut u8 {
    if bytes >= BYTES && !memory.is_null() {
        ask(memory, bytes);
    }
    memory
}

#[cfg(target_os = "linux")]
fn ask(memory: *mut u8, bytes: usize) {
    use rustix::mm::{Advice, madvise};
    /// A multiple of every size of small pages.
    const PAGE: usize = 64 << 10;
    let before = memory.align_offset(PAGE);
    // SAFETY: the range is inside the memory that was just allocated. Advice that cannot be followed changes nothing.
    let _ = unsafe { madvise(memory.wrapping_add(before).cast(), (bytes - before) / PAGE * PAGE, Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn ask(_: *mut u8, _: usize) {}
