//! Where no handler of signals is known to be safe.

use std::time::Duration;

use tokio::sync::OwnedSemaphorePermit;

use super::Refusal;

#[expect(clippy::unused_async, reason = "it waits where there is a profiler")]
pub(super) async fn profile(
    _lasts: Duration,
    _turn: OwnedSemaphorePermit,
) -> Result<Vec<u8>, Refusal> {
    Err(Refusal::absent(
        "profile",
        "it is taken on Linux with glibc, on x86_64 and aarch64. Use the profiler of the system, such as `perf record -g`",
    ))
}
