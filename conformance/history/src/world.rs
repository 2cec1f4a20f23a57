//! One history: a server, a writer, an informer behind a connection that fails, and handlers that come and go.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::{JoinSet, yield_now};
use tokio::time::{Instant, sleep};
use watchkeeper_apiserver::hooks::{Aftermath, Hook, Write};
use watchkeeper_apiserver::storage::Event;
use watchkeeper_apiserver::{ApiServer, Rng};
use watchkeeper_client::{Client, Codec, WriteObserver};

use crate::bugs::Bug;
use crate::connection::{failing, losing};
use crate::faults::{Counts, Fault, Faults, Pace};
use crate::judge::Judge;
use crate::listener::{Claim, Court, Kind, Listener, lock};
use crate::plain::Plain;
use crate::subject::{Pending, Subject, ours};
use crate::told::{EVEN, MARK, Seen, hash, object_of};
use crate::truth::Scope;
use crate::writer::Writer;

/// Where the writer writes.
const NAMESPACE: &str = "default";
/// How long the last state may take to come once nothing fails any more.
const QUIET: Duration = Duration::from_secs(2 * 3600);
/// The same by a clock that does not wait.
const QUIET_FOR_REAL: Duration = Duration::from_secs(300);

/// Whose handlers are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Informer {
    /// Our own.
    Ours,
    /// The small one, with a bug or without.
    Plain(Option<Bug>),
}

/// How many objects there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// Up to forty, by the dice, so that each has many lives.
    #[default]
    Few,
    /// So many, all there at the beginning. Ranges of them come and go at once, and lists come in pages of
    /// hundreds.
    Many(u64),
}

/// What a run is of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    pub(crate) informer: Informer,
    pub(crate) seed: u64,
    pub(crate) names: Names,
    pub(crate) pace: Pace,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How many writes the server took.
    pub changes: u64,
    /// How many changes handlers were told of.
    pub heard: u64,
    /// How many handlers there were.
    pub handlers: u64,
    /// How often the copies were looked at.
    pub looks: u64,
    /// How many own writes were read back.
    pub reads: u64,
    /// The time that it took in the world of the run.
    pub time: Duration,
    /// How often each class of faults struck.
    pub struck: Counts,
    /// The first rule that was broken.
    pub broken: Option<String>,
    /// One number for all that anybody was told.
    pub trace: u64,
}

/// Runs a history of at least so many changes. The same arguments are the same run.
///
/// # Panics
/// Panics when no runtime can be made.
#[must_use]
pub fn run(informer: Informer, seed: u64, changes: u64, names: Names) -> Outcome {
    let setting = Setting { informer, seed, names, pace: Pace::Paused };
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build().expect("a runtime");
    runtime.block_on(Box::pin(embedded(setting, changes)))
}

async fn embedded(setting: Setting, changes: u64) -> Outcome {
    let seed = setting.seed;
    let server = ApiServer::builder().seed(seed).history_events(100).build();
    let court = Arc::new(Court::default());
    server.add_hook(Scribe(Arc::clone(&court)));
    // Histories take turns at the codecs.
    let codec = if seed.is_multiple_of(2) { Codec::Protobuf } else { Codec::Json };
    let client = Client::new(server.clone()).codec(codec);
    let behind = (court, Some(server));
    let mut world = World::new(&client, NAMESPACE, setting, behind);
    world.live(changes).await;
    world.conclude().await;
    world.outcome()
}

/// What the hook tells the truth.
struct Scribe(Arc<Court>);

impl Hook for Scribe {
    fn after_commit(&mut self, write: &Write<'_>, event: &Event) -> Aftermath {
        if write.table == "configmaps" && write.key.starts_with(NAMESPACE) {
            let object = &event.object.value;
            let text = |path: &str| object.pointer(path).and_then(|v| v.as_str()).unwrap_or("");
            let seen = Seen {
                object: object_of(text("/metadata/name")),
                life: hash(text("/metadata/uid")),
                version: event.revision,
                mark: text(&format!("/data/{MARK}")).parse().unwrap_or(0),
                even: text(&format!("/metadata/labels/{EVEN}")) == "true",
            };
            let alive = event.change != watchkeeper_apiserver::storage::Change::Deleted;
            lock(&self.0.truth).record(seen, alive);
        }
        Aftermath::Reply
    }
}

/// One history under way.
pub(crate) struct World {
    pub(crate) court: Arc<Court>,
    faults: Arc<Faults>,
    pace: Pace,
    subjects: Vec<(Scope, Box<dyn Subject>)>,
    listeners: Vec<Listener>,
    pub(crate) writer: Writer,
    /// What keeps the copies up to date.
    _tasks: JoinSet<()>,
    begin: Instant,
    dice: Rng,
    handlers: u64,
    looks: u64,
    reads: u64,
}

/// Those that are there from the beginning, in this order.
const RESIDENTS: &[(Kind, usize)] = &[
    (Kind::Immediate, 0),
    (Kind::Immediate, 1),
    (Kind::Coalescing(1), 0),
    (Kind::Coalescing(4), 0),
    (Kind::Coalescing(1), 1),
    (Kind::Blocking, 0),
    (Kind::Resyncing, 0),
    (Kind::Panicking, 0),
    (Kind::Filtered(usize::MAX), 0),
    (Kind::Filtered(1), 0),
    (Kind::Disconnecting, 0),
];
/// Those that come later, and leave.
const GUESTS: &[Kind] =
    &[Kind::Immediate, Kind::Coalescing(2), Kind::Blocking, Kind::Panicking, Kind::Filtered(2)];

impl World {
    /// An informer and its handlers, behind a connection that fails.
    pub(crate) fn new(
        plain: &Client,
        namespace: &str,
        Setting { informer, seed, names, pace }: Setting,
        (court, server): (Arc<Court>, Option<ApiServer>),
    ) -> Self {
        let faults = Arc::new(Faults::new(seed ^ 0xfa01, pace, server).of(names));
        let client = failing(plain.clone(), &faults);
        let Parts { subjects, observer, work } = parts(informer, &client, namespace, seed);
        let writing = losing(plain.clone(), &faults);
        let writing = observer.into_iter().fold(writing, Client::observed_by);
        let mut dice = Rng::new(seed);
        let writer = Writer::new(&writing, namespace, names, &mut dice, Arc::clone(&court));
        let mut tasks = JoinSet::new();
        tasks.spawn(work);
        let mut world = Self {
            court,
            faults,
            pace,
            subjects,
            listeners: Vec::new(),
            writer,
            _tasks: tasks,
            begin: Instant::now(),
            dice,
            handlers: 0,
            looks: 0,
            reads: 0,
        };
        for (kind, copy) in RESIDENTS {
            world.come(*kind, *copy);
        }
        world
    }

    /// Writes until there are so many changes, or a rule is broken.
    pub(crate) async fn live(&mut self, changes: u64) {
        while self.writes() < changes && !self.court.is_broken() {
            self.step().await;
        }
    }

    fn writes(&self) -> u64 {
        lock(&self.court.truth).writes() as u64
    }

    /// A handler comes to a copy, if there is that copy.
    fn come(&mut self, kind: Kind, copy: usize) {
        let Some((scope, subject)) = self.subjects.get(copy) else { return };
        self.handlers += 1;
        let at = (*scope, &**subject);
        self.listeners.push(Listener::come(kind, self.handlers, at, &self.court));
    }

    async fn step(&mut self) {
        let written = self.writer.step(&mut self.dice).await;
        if let Some(object) = written.filter(|_| self.dice.below(25) == 0)
            && let Some((_, subject)) = self.subjects.first()
        {
            self.reads += 1;
            self.writer.check(&**subject, object).await;
        }
        match self.dice.below(400) {
            0 => self.faults.forget(),
            1..8 => {
                let kind = GUESTS[self.below(GUESTS.len())];
                let copy = self.below(self.subjects.len());
                self.come(kind, copy);
            }
            8..16 => self.leave(),
            16..120 => self.look(),
            _ => {}
        }
        self.rest().await;
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.dice.below(bound as u64)).unwrap_or(0)
    }

    /// One of those that came later leaves; who was thrown out comes again.
    fn leave(&mut self) {
        if let Some(at) = self.listeners.iter().position(Listener::is_lagged) {
            self.listeners.remove(at).leave(None, &self.court);
            self.come(Kind::Disconnecting, 0);
        }
        let residents = RESIDENTS.iter().filter(|(_, copy)| *copy < self.subjects.len()).count();
        let guests = self.listeners.len().saturating_sub(residents);
        // A handful of them may stay.
        if guests > 3 || (guests > 0 && self.dice.below(2) == 0) {
            let at = residents + self.below(guests);
            let guest = self.listeners.remove(at);
            let first = self.first_beside(&guest);
            guest.leave(first, &self.court);
        }
    }

    /// Who was told what a handler that loses nothing was told: the first of its copy.
    fn first_beside(&self, listener: &Listener) -> Option<Arc<Mutex<Judge>>> {
        let first = self.listeners.iter().find(|first| first.scope == listener.scope)?;
        let is_another = !Arc::ptr_eq(&first.judge, &listener.judge);
        (listener.kind.is_lossless() && is_another).then(|| Arc::clone(&first.judge))
    }

    /// The copies show what the server had at the version that they say.
    fn look(&mut self) {
        for (scope, subject) in &self.subjects {
            let Some(view) = subject.view() else { continue };
            self.looks += 1;
            self.court.hear(Claim::Shown(*scope, view.version, view.sum));
            if !view.is_in_order {
                let out = format!("{scope:?} @{} is not in the order of its keys", view.version);
                self.court.rule(Err(out));
            }
            let finds = view.found.is_none_or(|found| found == view.even);
            self.court.rule(if finds {
                Ok(())
            } else {
                Err(format!("the index of {scope:?} @{} is not that of the copy", view.version))
            });
        }
    }

    /// Now and then there is time for the others.
    async fn rest(&mut self) {
        let most = if self.pace == Pace::Paused { 1000 } else { 920 };
        match self.dice.below(most) {
            0..550 => {}
            550..800 => {
                for _ in 0..self.dice.below(30) {
                    yield_now().await;
                }
            }
            800..920 => sleep(Duration::from_millis(self.dice.below(50))).await,
            920..998 => sleep(Duration::from_millis(self.dice.below(5000))).await,
            _ => sleep(Duration::from_secs(60 + self.dice.below(1200))).await,
        }
    }

    /// Waits until the truth is known up to the last write, and judges by it.
    pub(crate) async fn fence(&mut self) {
        let last = self.writer.fence(&mut self.dice).await;
        for _ in 0..10_000 {
            if lock(&self.court.truth).version() >= last {
                break;
            }
            sleep(Duration::from_millis(10)).await;
        }
        self.court.settle();
    }

    /// Nothing fails any more, and nobody writes: what everybody believes must become so.
    pub(crate) async fn conclude(&mut self) {
        self.faults.off();
        let begin = Instant::now();
        let quiet = if self.pace == Pace::Paused { QUIET } else { QUIET_FOR_REAL };
        while !self.court.is_broken() {
            settle().await;
            if self.is_current() || begin.elapsed() > quiet {
                break;
            }
            sleep(quiet / 1000).await;
        }
        settle().await;
        self.court.settle();
        if self.court.is_broken() {
            return;
        }
        self.look();
        self.court.settle();
        let lagged: Vec<bool> = self.listeners.iter().map(Listener::is_lagged).collect();
        let there = self.listeners.iter().zip(lagged).filter(|(_, lagged)| !lagged);
        for (listener, _) in there {
            let broken = lock(&listener.judge).conclude(&lock(&self.court.truth));
            self.court.rule(broken);
            if let Some(first) = self.first_beside(listener) {
                let broken = lock(&listener.judge).follow(&lock(&first));
                self.court.rule(broken);
            }
        }
        if !self.is_current() {
            self.court.rule(Err("the copy did not come to the server's state".to_owned()));
        }
    }

    fn is_current(&self) -> bool {
        let truth = lock(&self.court.truth);
        let is = |(scope, subject): &(Scope, Box<dyn Subject>)| {
            subject.view().is_some_and(|view| view.sum == truth.now(*scope))
        };
        self.subjects.iter().all(is)
    }

    pub(crate) fn outcome(&self) -> Outcome {
        let (heard, trace) = self.court.heard();
        Outcome {
            changes: self.writes(),
            heard,
            handlers: self.handlers,
            looks: self.looks,
            reads: self.reads,
            time: self.begin.elapsed(),
            struck: self.faults.struck(),
            broken: self.court.broken(),
            trace,
        }
    }
}

struct Parts {
    subjects: Vec<(Scope, Box<dyn Subject>)>,
    observer: Option<Arc<dyn WriteObserver>>,
    work: Pending<'static, ()>,
}

fn parts(informer: Informer, client: &Client, namespace: &str, seed: u64) -> Parts {
    match informer {
        Informer::Ours => {
            let (copies, observer, cache) = ours(client, namespace, seed);
            let subjects = copies.into_iter().map(|(scope, copy)| (scope, boxed(copy))).collect();
            let work = Box::pin(async move { cache.run().await });
            Parts { subjects, observer: Some(observer), work }
        }
        Informer::Plain(bug) => {
            let copy = Plain::new(client, namespace, bug);
            let subjects = vec![(Scope::All, boxed(copy.clone()))];
            Parts { subjects, observer: None, work: Box::pin(async move { copy.run().await }) }
        }
    }
}

fn boxed(subject: impl Subject + 'static) -> Box<dyn Subject> {
    Box::new(subject)
}

/// Lets everybody do what can be done without the clock moving.
async fn settle() {
    for _ in 0..300 {
        yield_now().await;
    }
}

/// The classes that a history must have seen.
#[must_use]
pub fn classes(pace: Pace) -> Vec<Fault> {
    Faults::classes(pace)
}
