//! One text on the heap: a header, then the bytes.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::UnsafeCell;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The header of a text; its bytes follow in the same allocation.
///
/// Aligned to at least two bytes, so that a pointer to one never has the mark of an inline value.
#[repr(C)]
pub(super) struct Entry {
    /// How many `IStr` point here. Above zero while the entry lives.
    count: AtomicUsize,
    /// Length of the text, shifted by one; the lowest bit says that the table knows this entry.
    length: usize,
    /// The keyed hash the table filed it under; zero when the table does not know it.
    pub(super) hash: u64,
    /// The next entry of the same bucket; touched only under the lock of the shard.
    pub(super) next: UnsafeCell<Option<NonNull<Self>>>,
}

/// A count that no program reaches by honest means: it would need that many live values.
const MAX_COUNT: usize = usize::MAX / 2;

impl Entry {
    /// Makes an entry with a count of one. With a hash it is meant for the table.
    pub(super) fn allocate(text: &str, hash: Option<u64>) -> NonNull<Self> {
        let layout = Self::layout(text.len());
        // SAFETY: the layout has the size of the header at least, so it is not empty.
        let memory = unsafe { alloc(layout) };
        let Some(entry) = NonNull::new(memory.cast::<Self>()) else { handle_alloc_error(layout) };
        let header = Self {
            count: AtomicUsize::new(1),
            length: text.len() << 1 | usize::from(hash.is_some()),
            hash: hash.unwrap_or(0),
            next: UnsafeCell::new(None),
        };
        // SAFETY: the allocation fits the header and, behind it, `text.len()` bytes; it is fresh,
        // so nothing overlaps.
        unsafe {
            entry.write(header);
            entry
                .add(1)
                .cast::<u8>()
                .copy_from_nonoverlapping(NonNull::from(text.as_bytes()).cast(), text.len());
        }
        entry
    }

    /// Gives the memory back.
    ///
    /// # Safety
    /// `entry` came from [`Entry::allocate`], nothing points to it any more.
    pub(super) unsafe fn free(entry: NonNull<Self>) {
        // SAFETY: the caller owns the last reference; the layout is the one it was made with.
        unsafe {
            let layout = Self::layout(entry.as_ref().len());
            dealloc(entry.as_ptr().cast(), layout);
        }
    }

    /// The text of a live entry.
    ///
    /// # Safety
    /// The entry stays alive for `'a`.
    pub(super) unsafe fn text<'a>(entry: NonNull<Self>) -> &'a str {
        // SAFETY: the bytes behind the header were copied from a `&str` of that length and never
        // change; the pointer has the provenance of the whole allocation.
        unsafe {
            let bytes = entry.add(1).cast::<u8>().as_ptr();
            let length = (*entry.as_ptr()).len();
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(bytes, length))
        }
    }

    /// Counts one more holder.
    ///
    /// # Safety
    /// The entry is alive: the caller holds one of its count, or the lock of its shard.
    pub(super) unsafe fn retain(entry: NonNull<Self>) {
        // SAFETY: alive, as the caller promises.
        let old = unsafe { entry.as_ref() }.count.fetch_add(1, Ordering::Relaxed);
        if old > MAX_COUNT {
            // Wrapping around would free memory that is in use.
            std::process::abort();
        }
    }

    /// Counts one holder less unless it is the last; says whether it did.
    pub(super) fn release_unless_last(&self) -> bool {
        let mut count = self.count.load(Ordering::Relaxed);
        while count > 1 {
            let less = count - 1;
            match self.count.compare_exchange_weak(
                count,
                less,
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(now) => count = now,
            }
        }
        false
    }

    /// Counts one holder less; true when it was the last.
    pub(super) fn release(&self) -> bool {
        let last = self.count.fetch_sub(1, Ordering::Release) == 1;
        if last {
            // What other holders did with the text happens before it is freed.
            std::sync::atomic::fence(Ordering::Acquire);
        }
        last
    }

    /// Whether the table knows this entry.
    pub(super) fn is_filed(&self) -> bool {
        self.length & 1 == 1
    }

    /// Bytes of a text with its header.
    pub(super) fn size(length: usize) -> usize {
        size_of::<Self>() + length
    }

    fn len(&self) -> usize {
        self.length >> 1
    }

    fn layout(length: usize) -> Layout {
        let size = Self::size(length);
        match Layout::from_size_align(size, align_of::<Self>()) {
            Ok(layout) => layout,
            // No `&str` is that long: it would fill the address space.
            Err(_) => std::process::abort(),
        }
    }
}
