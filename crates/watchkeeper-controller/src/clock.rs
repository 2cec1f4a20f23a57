//! What time it is, for those who write it into objects.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;
use watchkeeper_api::{MicroTime, Time};

/// The wall clock of a controller: what its events and conditions are dated with.
///
/// Waiting never looks at it; that is the runtime's clock, which tests can pause.
#[derive(Clone, Debug)]
pub struct Clock(Source);

#[derive(Clone, Debug)]
enum Source {
    System,
    /// This much after 1970 when the runtime's clock stood there.
    Virtual {
        epoch: Duration,
        start: Instant,
    },
}

impl Clock {
    /// The clock of this machine.
    #[must_use]
    pub const fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that shows `epoch` now and goes with the runtime's clock: in paused time, two runs
    /// write the same dates.
    #[must_use]
    pub fn starting_at(epoch: impl Into<MicroTime>) -> Self {
        let micros = epoch.into().unix_micros();
        let epoch = Duration::from_micros(u64::try_from(micros).unwrap_or(0));
        Self(Source::Virtual { epoch, start: Instant::now() })
    }

    /// What time it is, in seconds.
    #[must_use]
    pub fn now(&self) -> Time {
        self.micro_now().into()
    }

    /// What time it is, in microseconds.
    #[must_use]
    pub fn micro_now(&self) -> MicroTime {
        let micros = i64::try_from(self.since_1970().as_micros());
        MicroTime::from_unix_micros(micros.unwrap_or(i64::MAX))
    }

    /// How long after the start of 1970 it is.
    pub(crate) fn since_1970(&self) -> Duration {
        match &self.0 {
            Source::System => system_time(),
            Source::Virtual { epoch, start } => *epoch + start.elapsed(),
        }
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::system()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place where controllers read the wall clock"
)]
fn system_time() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
