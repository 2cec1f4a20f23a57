//! How a copy is doing, and why it is not synced.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Where a copy is in following the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nobody runs it yet.
    #[default]
    Idle,
    /// It is asking for everything there is.
    Listing,
    /// It is told of changes as they happen.
    Watching,
    /// Something failed, and it waits before it tries again.
    BackingOff,
    /// It is not followed any more.
    Stopped,
}

/// How a copy is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// What is copied: `deployments.apps in shop`.
    pub what: String,
    /// What it is doing.
    pub phase: Phase,
    /// Whether the first list is in the copy.
    pub synced: bool,
    /// The version that the copy has reached; empty before the first list.
    pub version: String,
    /// How many objects the copy holds.
    pub objects: usize,
    /// How many objects of the list under way have come; `None` while none is.
    pub listed: Option<u64>,
    /// What failed last, unless it has worked since.
    pub last_error: Option<String>,
    /// Whether that is that the server has no such kind, or does not let this program read it, or that the
    /// objects are more than the copy [may take](crate::Cache::content_limit). It is tried again, but somebody
    /// has to install the definition, to grant the permission, or to raise the limit.
    pub refused: bool,
    /// Objects that could not be read, all of them, with the reason. The copy keeps what it had of them.
    pub malformed: BTreeMap<String, String>,
    /// How often the whole state was taken in; by its queue, of a copy on a
    /// [`DeltaFifo`](crate::classic::DeltaFifo), which takes it in object by object.
    pub replaces: u64,
    /// How many single changes were taken in.
    pub events: u64,
    /// How long ago the server said anything; `None` if never.
    pub last_event_age: Option<Duration>,
    /// How many handlers listen.
    pub handlers: usize,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Idle => "not started",
            Self::Listing => "listing",
            Self::Watching => "watching",
            Self::BackingOff => "waiting to try again",
            Self::Stopped => "stopped",
        })
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, phase, objects, .. } = self;
        if self.synced {
            write!(f, "{what}: {phase}, {objects} objects @{}", self.version)?;
        } else {
            write!(f, "{what}: not synced, {phase}")?;
        }
        if let Some(listed) = self.listed {
            write!(f, ", {listed} listed so far")?;
        }
        if let Some(error) = &self.last_error {
            write!(f, "; {error}")?;
            if let Some(age) = self.last_event_age {
                write!(f, "; the server last said something {} s ago", age.as_secs())?;
            }
        }
        match (self.malformed.len(), self.malformed.keys().next()) {
            (1, Some(name)) => write!(f, "; 1 malformed object: {name}"),
            (count, Some(name)) => write!(f, "; {count} malformed objects, one of them {name}"),
            (_, None) => Ok(()),
        }
    }
}
