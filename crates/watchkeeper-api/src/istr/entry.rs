//! One text on the heap: a header of eight bytes, then the bytes of the text. In front of what the
//! table knows is what the table needs.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::UnsafeCell;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

/// The header of a text; its bytes follow in the same allocation.
///
/// Aligned to at least two bytes, so that a pointer to one never has the mark of an inline value.
#[repr(C)]
pub(super) struct Entry {
    /// Twice how many `IStr` point here, above zero while the entry lives; the lowest bit says that
    /// the table knows it.
    count: AtomicU32,
    /// Length of the text; [`LONG`] if it does not fit, and stands in front of the header.
    length: u32,
}

/// What stands in front of the header of an entry that the table knows, or whose text is very long.
#[repr(C, align(8))]
pub(super) struct Front {
    /// The keyed hash the table filed it under; of a text that is very long the length.
    pub(super) hash: u64,
    /// The next entry of the same bucket; touched only under the lock of the shard.
    pub(super) next: UnsafeCell<Option<NonNull<Entry>>>,
}

const LONG: u32 = u32::MAX;
const FILED: u32 = 1;
const ONE: u32 = 2;

/// Who comes when there are so many gets a copy. Between the look and the answer each thread can
/// be one too many, and there are not that many threads.
const MAX_COUNT: u32 = u32::MAX / 2;

impl Entry {
    /// Makes an entry with a count of one. With a hash it is meant for the table, unless the text is
    /// very long.
    pub(super) fn allocate(text: &str, hash: Option<u64>) -> NonNull<Self> {
        let length = u32::try_from(text.len()).unwrap_or(LONG);
        let (filed, first) = match (length, hash) {
            (LONG, _) => (0, Some(text.len() as u64)),
            (_, Some(hash)) => (FILED, Some(hash)),
            (_, None) => (0, None),
        };
        let layout = Self::layout(text.len(), first.is_some());
        // SAFETY: the layout has the size of the header at least, so it is not empty.
        let memory = unsafe { alloc(layout) };
        let Some(memory) = NonNull::new(memory) else { handle_alloc_error(layout) };
        let header = Self { count: AtomicU32::new(ONE | filed), length };
        // SAFETY: the allocation fits the front if there is one, the header, and behind it
        // `text.len()` bytes; it is fresh, so nothing overlaps.
        unsafe {
            let entry = match first {
                Some(hash) => {
                    let front = memory.cast::<Front>();
                    front.write(Front { hash, next: UnsafeCell::new(None) });
                    front.add(1).cast::<Self>()
                }
                None => memory.cast::<Self>(),
            };
            entry.write(header);
            entry
                .add(1)
                .cast::<u8>()
                .copy_from_nonoverlapping(NonNull::from(text.as_bytes()).cast(), text.len());
            entry
        }
    }

    /// Gives the memory back.
    ///
    /// # Safety
    /// `entry` came from [`Entry::allocate`], nothing points to it any more.
    pub(super) unsafe fn free(entry: NonNull<Self>) {
        // SAFETY: the caller owns the last reference; the layout is the one it was made with.
        unsafe {
            let has_front = entry.as_ref().is_filed() || entry.as_ref().length == LONG;
            let layout = Self::layout(Self::len(entry), has_front);
            let memory = if has_front { Self::front(entry).cast() } else { entry.cast() };
            dealloc(memory.as_ptr(), layout);
        }
    }

    /// What stands in front of a live entry.
    ///
    /// # Safety
    /// The table knows the entry, or its text is very long.
    pub(super) unsafe fn front(entry: NonNull<Self>) -> NonNull<Front> {
        // SAFETY: such entries were made with a front; the pointer has the provenance of the whole
        // allocation.
        unsafe { entry.cast::<Front>().sub(1) }
    }

    /// The text of a live entry.
    ///
    /// # Safety
    /// The entry stays alive for `'a`.
    #[inline]
    pub(super) unsafe fn text<'a>(entry: NonNull<Self>) -> &'a str {
        // SAFETY: the bytes behind the header were copied from a `&str` of that length and never
        // change; the pointer has the provenance of the whole allocation.
        unsafe {
            let bytes = entry.add(1).cast::<u8>().as_ptr();
            std::str::from_utf8_unchecked(std::slice::from_raw_parts(bytes, Self::len(entry)))
        }
    }

    /// Counts one more holder; says whether it could.
    ///
    /// # Safety
    /// The entry is alive: the caller holds one of its count, or the lock of its shard.
    #[inline]
    pub(super) unsafe fn retain(entry: NonNull<Self>) -> bool {
        // SAFETY: alive, as the caller promises.
        let count = unsafe { &entry.as_ref().count };
        if count.fetch_add(ONE, Ordering::Relaxed) < MAX_COUNT {
            return true;
        }
        // Wrapping around would free memory that is in use.
        count.fetch_sub(ONE, Ordering::Relaxed);
        false
    }

    /// The count of a live entry. What gives a part of it back takes this and not the entry: once it is
    /// back others may free the entry, and a function's argument must not be freed before it returns, but
    /// for what is atomic.
    ///
    /// # Safety
    /// The entry stays alive for `'a`, or the count is not used after the part that keeps it alive is back.
    pub(super) unsafe fn count<'a>(entry: NonNull<Self>) -> &'a AtomicU32 {
        // SAFETY: alive, as the caller promises.
        unsafe { &(*entry.as_ptr()).count }
    }

    /// Counts one holder less unless it is the last; says whether it did.
    pub(super) fn release_unless_last(count: &AtomicU32) -> bool {
        let mut now = count.load(Ordering::Relaxed);
        while now >= 2 * ONE {
            let less = now - ONE;
            match count.compare_exchange_weak(now, less, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(changed) => now = changed,
            }
        }
        false
    }

    /// Counts one holder less; true when it was the last.
    pub(super) fn release(count: &AtomicU32) -> bool {
        let last = count.fetch_sub(ONE, Ordering::Release) < 2 * ONE;
        if last {
            // What other holders did with the text happens before it is freed.
            std::sync::atomic::fence(Ordering::Acquire);
        }
        last
    }

    /// Whether the table knows this entry.
    pub(super) fn is_filed(&self) -> bool {
        self.count.load(Ordering::Relaxed) & FILED != 0
    }

    /// Bytes of a text with what stands in front of it.
    pub(super) fn size(&self, length: usize) -> usize {
        size_of::<Self>() + length + if self.is_filed() { size_of::<Front>() } else { 0 }
    }

    #[inline]
    unsafe fn len(entry: NonNull<Self>) -> usize {
        // SAFETY: alive, as the caller promises; what is very long has its length in front.
        unsafe {
            match entry.as_ref().length {
                LONG => Self::front(entry).as_ref().hash as usize,
                length => length as usize,
            }
        }
    }

    fn layout(length: usize, has_front: bool) -> Layout {
        let (front, align) = if has_front {
            (size_of::<Front>(), align_of::<Front>())
        } else {
            (0, align_of::<Self>())
        };
        match Layout::from_size_align(front + size_of::<Self>() + length, align) {
            Ok(layout) => layout,
            // No `&str` is that long: it would fill the address space.
            Err(_) => std::process::abort(),
        }
    }
}
