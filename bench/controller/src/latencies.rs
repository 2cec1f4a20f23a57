//! How late what was sent is, in nanoseconds.

use std::time::{SystemTime, UNIX_EPOCH};

/// Nanoseconds since 1970, as the server tells when it sent something.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos() as u64
}

/// The median of what was measured, of 99 %, and the most.
///
/// # Panics
/// If nothing was.
pub fn told(latencies: &mut [u64]) -> [u64; 3] {
    latencies.sort_unstable();
    let last = latencies.len() - 1;
    [50, 99, 100].map(|part| latencies[last * part / 100])
}
