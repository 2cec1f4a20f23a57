//! Samples of what the threads do while they have the processor.
//!
//! The kernel interrupts the process at each hundredth of a second of the processor's time; the handler of that
//! signal looks up the stack of who was interrupted. It reads the tables of the unwinder that were copied before,
//! and the stack by way of the kernel, so that it neither allocates nor waits, and a stack that cannot be read ends
//! there. Symbols are looked up when the profile has ended.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use http::StatusCode;
use rpprof::{Error, ProfilerGuard, Report, Symbol};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use self::encode::{Call, Profile, Stack};
use super::Refusal;

mod encode;

/// Samples in a second of the processor's time, as in Go.
const FREQUENCY: i32 = 100;
const NO_FOLDER: &str = "there is no folder for temporary files that the program can write to. Mount one at /tmp \
                         (in a pod, an emptyDir) or name one by TMPDIR, and start the program again";

/// Looks for so long, and tells what was seen as `go tool pprof` reads it.
///
/// # Cancel safety
/// Who stops waiting ends the profile.
pub(super) async fn profile(
    lasts: Duration,
    turn: OwnedSemaphorePermit,
) -> Result<Vec<u8>, Refusal> {
    // Both read files, which takes a moment.
    let sampling = blocking(move || Sampling::begin(turn)).await?;
    sleep(lasts).await;
    blocking(move || sampling.end()).await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = spawn_blocking(work).await;
    done.unwrap_or_else(|panic| Err(failed(&panic)))
}

/// A profile that is being taken; dropping this ends it, and then the turn.
struct Sampling {
    guard: ProfilerGuard<'static>,
    _turn: OwnedSemaphorePermit,
}

impl Sampling {
    fn begin(turn: OwnedSemaphorePermit) -> Result<Self, Refusal> {
        let guard = ProfilerGuard::new(FREQUENCY).map_err(refusal)?;
        Ok(Self { guard, _turn: turn })
    }

    fn end(self) -> Result<Vec<u8>, Refusal> {
        let report = self.guard.report().build().map_err(refusal)?;
        drop(self);
        gzipped(&seen(&report).encode()).map_err(|error| failed(&error))
    }
}

fn refusal(error: Error) -> Refusal {
    match error {
        Error::Running => Refusal::Busy,
        Error::CreatingError => failed(&NO_FOLDER),
        Error::NixError(_) | Error::IoError(_) | Error::NotRunning => failed(&error),
    }
}

fn failed(why: &dyn Display) -> Refusal {
    let said = format!("the processor cannot be profiled: {why}\n");
    Refusal::Said(StatusCode::INTERNAL_SERVER_ERROR, said)
}

fn gzipped(profile: &[u8]) -> io::Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(profile)?;
    gzip.finish()
}

fn seen(report: &Report) -> Profile {
    let stacks = report.data.iter().map(|(sample, count)| Stack {
        count: u64::try_from(*count).unwrap_or_default(),
        thread: sample.thread_name_or_id(),
        frames: sample.frames.iter().map(|frame| frame.iter().map(call).collect()).collect(),
    });
    Profile {
        began: report.timing.start_time,
        lasted: report.timing.duration,
        period: Duration::from_secs(1) / FREQUENCY.unsigned_abs(),
        missed: report.missed_samples,
        stacks: stacks.collect(),
    }
}

fn call(symbol: &Symbol) -> Call {
    let file = symbol.filename.as_ref();
    Call {
        function: symbol.name(),
        symbol: symbol.sys_name().into_owned(),
        file: file.map(|file| file.to_string_lossy().into_owned()).unwrap_or_default(),
        line: symbol.lineno(),
    }
}
