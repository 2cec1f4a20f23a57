//! Clusters of kubeconfigs, which are read again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use watchkeeper_api::{Error, Result};
use watchkeeper_connect::{Config, KubeconfigContext, Options};

use super::{Provider, Roster};

/// How often they are read.
const EVERY: Duration = Duration::from_secs(10);

/// The contexts of a kubeconfig, or the kubeconfigs of a folder, each as a cluster. They are read again every ten
/// seconds: a context that comes is engaged, one that goes leaves, and one that says something else (another server,
/// other credentials) is ended and begun anew.
///
/// What cannot be read at the start fails the manager. Later it changes nothing, and is told to the log: it may be
/// written at this moment.
///
/// ```
/// # use watchkeeper_manager::{Manager, clusters::Kubeconfigs};
/// # fn f(manager: &Manager, greeter: fn(&Manager)) {
/// let fleet = Kubeconfigs::file("/etc/fleet/kubeconfig").only(|context| context.starts_with("prod-"));
/// manager.clusters("fleet", fleet, move |cluster| greeter(cluster));
/// # }
/// ```
#[derive(Clone)]
pub struct Kubeconfigs {
    place: Place,
    only: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    every: Duration,
}

#[derive(Clone, Debug)]
enum Place {
    File(PathBuf),
    Folder(PathBuf),
}

impl Kubeconfigs {
    /// Each context of this file is a cluster, of the context's name.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::at(Place::File(path.into()))
    }

    /// Each file of this folder is a cluster: the current context of the file, by the name of the file without its
    /// extension. Files whose names begin with a dot are left out, as those are that Kubernetes keeps beside the
    /// keys of a mounted Secret.
    pub fn folder(path: impl Into<PathBuf>) -> Self {
        Self::at(Place::Folder(path.into()))
    }

    fn at(place: Place) -> Self {
        Self { place, only: Arc::new(|_| true), every: EVERY }
    }

    /// Only the clusters whose names are wanted.
    #[must_use]
    pub fn only(mut self, wanted: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.only = Arc::new(wanted);
        self
    }

    /// How often they are read again; a second at least.
    #[must_use]
    pub fn every(mut self, period: Duration) -> Self {
        self.every = period.max(Duration::from_secs(1));
        self
    }

    /// Reads them on a thread that may wait.
    async fn read(&self) -> Result<Found> {
        let (place, mut reading) = (self.place.clone(), JoinSet::new());
        reading.spawn_blocking(move || place.read());
        let read = match reading.join_next().await {
            Some(Ok(read)) => read,
            Some(Err(error)) => Err(Error::other(format!("reading broke down: {error}"))),
            None => Err(Error::other("nothing was read")),
        };
        let mut found = read?;
        found.contexts.retain(|name, _| (self.only)(name));
        found.unknown.retain(|name, _| (self.only)(name));
        Ok(found)
    }
}

/// What was read.
#[derive(Debug, Default)]
struct Found {
    contexts: BTreeMap<String, KubeconfigContext>,
    /// What is there and makes no sense for now, and why.
    unknown: BTreeMap<String, String>,
}

impl Found {
    fn add(&mut self, name: String, context: Result<KubeconfigContext>) {
        match context {
            Ok(context) => _ = self.contexts.insert(name, context),
            Err(error) => _ = self.unknown.insert(name, error.to_string()),
        }
    }
}

impl Place {
    fn read(&self) -> Result<Found> {
        match self {
            Self::File(path) => contexts_of(path),
            Self::Folder(path) => files_of(path),
        }
    }
}

fn contexts_of(path: &Path) -> Result<Found> {
    let options = Options { path: Some(path.to_owned()), ..Options::default() };
    let mut found = Found::default();
    for (name, context) in Config::contexts(&options)? {
        found.add(name, context);
    }
    Ok(found)
}

fn files_of(folder: &Path) -> Result<Found> {
    let unreadable = |error| {
        let folder = folder.display();
        Error::other(format!("cannot read the folder of kubeconfigs {folder}: {error}"))
    };
    let mut found = Found::default();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') || !path.is_file() {
            continue;
        }
        let options = Options { path: Some(path), ..Options::default() };
        found.add(name, KubeconfigContext::read(&options));
    }
    Ok(found)
}

/// What was told so far.
#[derive(Default)]
struct Told {
    engaged: BTreeMap<String, KubeconfigContext>,
    /// Counts versions.
    last: u64,
    warnings: BTreeSet<String>,
}

impl Told {
    /// Tells what has changed.
    fn tell(&mut self, roster: &Roster, found: Found) {
        let Found { contexts, mut unknown } = found;
        let gone = |name: &&String| !contexts.contains_key(*name) && !unknown.contains_key(*name);
        let gone: Vec<_> = self.engaged.keys().filter(gone).cloned().collect();
        for name in gone {
            self.engaged.remove(&name);
            roster.disengage(&name);
        }
        for (name, context) in contexts {
            if let Err(error) = self.engage(roster, &name, context) {
                unknown.insert(name, error.to_string());
            }
        }
        self.warn(unknown.into_iter().map(|(name, why)| format!("{name}: {why}")).collect());
    }

    fn engage(&mut self, roster: &Roster, name: &str, context: KubeconfigContext) -> Result<()> {
        if self.engaged.get(name).is_some_and(|told| *told == context) {
            return Ok(());
        }
        let client = context.config()?.client()?;
        self.last += 1;
        roster.engage(name, &self.last.to_string(), &client);
        self.engaged.insert(name.to_owned(), context);
        Ok(())
    }

    /// Once for each, as long as it is so.
    fn warn(&mut self, warnings: BTreeSet<String>) {
        for warning in warnings.difference(&self.warnings) {
            tracing::warn!(
                warning,
                "a kubeconfig cannot be used for now: its cluster stays as it was"
            );
        }
        self.warnings = warnings;
    }
}

impl Provider for Kubeconfigs {
    async fn run(&self, roster: Roster) -> Result<()> {
        let mut told = Told::default();
        told.tell(&roster, self.read().await?);
        let mut tick = interval(self.every);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        tick.tick().await;
        loop {
            tick.tick().await;
            match self.read().await {
                Ok(found) => told.tell(&roster, found),
                Err(error) => told.warn(BTreeSet::from([error.to_string()])),
            }
        }
    }
}

impl fmt::Debug for Kubeconfigs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kubeconfigs")
            .field("place", &self.place)
            .field("every", &self.every)
            .finish_non_exhaustive()
    }
}
