//! What a key in a queue holds beyond itself.

use std::error::Error;
use std::hash::Hash;
use std::time::Duration;

use watchkeeper_queue::RateLimitingQueue;

use crate::single::{drawn, queue};
use crate::{Outcome, process};

/// Bytes a key, of the heap and of resident memory.
pub(crate) fn of(what: &str, count: u64) -> Outcome<[i64; 2]> {
    let keys = 0..count;
    let for_later = |queue: &RateLimitingQueue<u64>, key: u64| {
        queue.add_after(key, Duration::from_millis(drawn(key, 600_000) + 600_000));
    };
    Ok(match what {
        "ready" => moved(keys.collect(), |queue, key| queue.add(key)),
        "names" => moved(keys.map(crate::name).collect(), |queue, key| queue.add(key)),
        "later" => moved(keys.collect(), for_later),
        _ => return Err(Box::<dyn Error>::from(format!("{what} is not measured"))),
    })
}

/// Keys are moved into a queue: what grows is what they hold beyond themselves.
fn moved<K: Clone + Eq + Hash + Send + 'static>(
    keys: Vec<K>,
    add: impl Fn(&RateLimitingQueue<K>, K),
) -> [i64; 2] {
    let (count, queue) = (keys.len() as i64, queue());
    let before = [heap(), process::memory("VmRSS")];
    keys.into_iter().for_each(|key| add(&queue, key));
    let after = [heap(), process::memory("VmRSS")];
    assert_eq!(queue.len() + queue.delayed(), count as usize);
    [0, 1].map(|of| (after[of] as i64 - before[of] as i64) / count)
}

/// Bytes that the allocator has given out and not got back, with what it needs for itself.
fn heap() -> u64 {
    // SAFETY: it takes nothing and locks what it reads.
    let info = unsafe { libc::mallinfo2() };
    (info.uordblks + info.hblkhd) as u64
}
