//! One history: a server, a writer, an informer behind a connection that fails, and handlers that come and go.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinSet, yield_now};
use tokio::time::{Instant, sleep};
use watchkeeper_apiserver::Rng;
use watchkeeper_client::{Client, Codec, WriteObserver};

use crate::connection::{failing, losing};
use crate::faults::{Counts, Faults, Forget, Pace};
use crate::listener::{Claim, Court, Listener, Shown, What, lock};
use crate::mode::Mode;
use crate::plain::Plain;
use crate::space::Space;
use crate::subject::{Ours, Pending, Subject, View, ours};
use crate::told::part_of;
use crate::truth::Scope;
use crate::writer::Writer;

mod handlers;
mod server;
mod setting;

pub(crate) use server::make;
use server::{NAMESPACE, embedded, shelf};
pub(crate) use setting::Setting;
pub use setting::{Informer, Names, Server};

/// How long the last state may take to come once nothing fails any more.
const QUIET: Duration = Duration::from_secs(2 * 3600);
/// The same by a clock that does not wait.
const QUIET_FOR_REAL: Duration = Duration::from_secs(300);

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What was kept of the objects.
    pub mode: Mode,
    /// How many writes the server took.
    pub changes: u64,
    /// How many changes handlers were told of.
    pub heard: u64,
    /// How many handlers there were of each manner.
    pub handlers: BTreeMap<&'static str, u64>,
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

/// Runs a history of at least so many changes on the embedded server. The same arguments are the same run.
///
/// # Panics
/// Panics when no runtime can be made.
#[must_use]
pub fn run(informer: Informer, seed: u64, changes: u64, names: Names) -> Outcome {
    run_on(Server::Embedded, informer, seed, changes, names)
}

/// The same on a server in this process.
///
/// # Panics
/// Panics when no runtime can be made.
#[must_use]
pub fn run_on(
    server: Server,
    informer: Informer,
    seed: u64,
    changes: u64,
    names: Names,
) -> Outcome {
    let mode = informer.mode(seed, names);
    let setting = Setting { informer, seed, names, pace: Pace::Paused, mode };
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build().expect("a runtime");
    runtime.block_on(Box::pin(in_process(server, setting, changes)))
}

async fn in_process(server: Server, setting: Setting, changes: u64) -> Outcome {
    let seed = setting.seed;
    let court = Arc::new(Court::default());
    let (client, forget) = match server {
        Server::Shelf => shelf(seed, &court),
        Server::Embedded | Server::Real => embedded(seed, &court),
    };
    // Histories take turns at the codecs.
    let codec = if seed.is_multiple_of(2) { Codec::Protobuf } else { Codec::Json };
    let client = client.codec(codec);
    let space = setting.space(NAMESPACE);
    make(&client, &space).await;
    let mut world = World::new(&client, &space, setting, (court, Some(forget)));
    world.live(changes).await;
    world.conclude().await;
    world.outcome()
}

/// One history under way.
pub(crate) struct World {
    pub(crate) court: Arc<Court>,
    faults: Arc<Faults>,
    pace: Pace,
    mode: Mode,
    space: Space,
    /// The namespaces that are followed, where they come and go.
    followed: BTreeSet<u64>,
    subjects: Vec<(Scope, Box<dyn Subject>)>,
    listeners: Vec<Listener>,
    pub(crate) writer: Writer,
    /// What keeps the copies up to date.
    _tasks: JoinSet<()>,
    begin: Instant,
    dice: Rng,
    handlers: BTreeMap<&'static str, u64>,
    looks: u64,
    reads: u64,
}

impl World {
    /// An informer and its handlers, behind a connection that fails.
    pub(crate) fn new(
        plain: &Client,
        space: &Space,
        setting: Setting,
        (court, forget): (Arc<Court>, Option<Forget>),
    ) -> Self {
        let Setting { seed, names, pace, mode, .. } = setting;
        let faults = Faults::new(seed ^ 0xfa01, pace, forget).of(names, mode);
        let faults = Arc::new(faults);
        let client = failing(plain.clone(), &faults);
        let Parts { subjects, observer, work } = parts(&setting, &client, space);
        let writing = losing(plain.clone(), &faults);
        let writing = observer.into_iter().fold(writing, Client::observed_by);
        let mut dice = Rng::new(seed);
        let writer = Writer::new(&writing, (space, mode), names, &mut dice, Arc::clone(&court));
        let mut tasks = JoinSet::new();
        tasks.spawn(work);
        let mut world = Self {
            court,
            faults,
            pace,
            mode,
            space: space.clone(),
            followed: space.parts().collect(),
            subjects,
            listeners: Vec::new(),
            writer,
            _tasks: tasks,
            begin: Instant::now(),
            dice,
            handlers: BTreeMap::new(),
            looks: 0,
            reads: 0,
        };
        world.settle_in();
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

    /// A namespace is given up, or taken up.
    fn follow(&mut self, part: u64, is_followed: bool) {
        if is_followed {
            self.followed.insert(part);
        } else {
            self.followed.remove(&part);
        }
        self.subjects.iter().for_each(|(_, subject)| subject.follow(&self.followed));
        for listener in &self.listeners {
            self.court.hear(Claim::Follows(Arc::clone(&listener.judge), part, is_followed));
        }
    }

    /// One of several namespaces is given up, or taken up again; one at least is followed.
    fn wander(&mut self) {
        let part = self.dice.below(self.space.parts().end);
        let is_followed = self.followed.contains(&part);
        if !is_followed || self.followed.len() > 1 {
            self.follow(part, !is_followed);
        }
    }

    async fn step(&mut self) {
        let written = self.writer.step(&mut self.dice).await;
        if let Some(object) = written.filter(|_| self.dice.below(25) == 0)
            && self.followed.contains(&part_of(object))
        {
            let copy = if self.mode == Mode::Sharded { self.below(2) } else { 0 };
            if let Some((scope, subject)) = self.subjects.get(copy) {
                self.reads += 1;
                self.writer.check((*scope, &**subject), object).await;
            }
        }
        if self.mode == Mode::Namespaces && self.dice.below(200) == 0 {
            self.wander();
        }
        match self.dice.below(400) {
            0 => drop(self.faults.forget()),
            1..8 => self.visit(),
            8..16 => self.leave(),
            16..120 => self.look(),
            _ => {}
        }
        self.rest().await;
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.dice.below(bound as u64)).unwrap_or(0)
    }

    /// The copies show what the server had at the version that they say.
    fn look(&mut self) {
        for (scope, subject) in &self.subjects {
            for view in subject.views() {
                self.looks += 1;
                self.court.rule(holds_together(*scope, &view));
                let what = match self.mode {
                    Mode::Unreadable => What::Each(view.states),
                    Mode::Classic => What::Since(view.states),
                    _ => What::Sum(view.sum()),
                };
                let View { part, version, .. } = view;
                self.court.hear(Claim::Shown(Shown { part, scope: *scope, version, what }));
            }
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
            let truth = &self.court.truth;
            if last.iter().all(|(object, version)| lock(truth).knows(*object, *version)) {
                break;
            }
            sleep(Duration::from_millis(10)).await;
        }
        self.court.settle();
    }

    /// Nothing fails any more, and nobody writes: what everybody believes must become so.
    pub(crate) async fn conclude(&mut self) {
        self.faults.off();
        for part in
            self.space.parts().filter(|part| !self.followed.contains(part)).collect::<Vec<_>>()
        {
            self.follow(part, true);
        }
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

    /// Whether each copy shows what there is now, and says what of it cannot be read.
    fn is_current(&self) -> bool {
        let truth = lock(&self.court.truth);
        let is = |scope: Scope, view: &View| match self.mode {
            Mode::Unreadable => {
                truth.allows(view.part, u64::MAX, [scope; 2], &view.states).is_ok()
                    && view.unreadable == truth.unreadable(view.part, scope)
            }
            _ => view.unreadable.is_empty() && view.sum() == truth.now(view.part, scope),
        };
        let parts = self.space.parts().count();
        self.subjects.iter().all(|(scope, subject)| {
            let views = subject.views();
            views.len() == parts && views.iter().all(|view| is(*scope, view))
        })
    }

    pub(crate) fn outcome(&self) -> Outcome {
        let (heard, trace) = self.court.heard();
        Outcome {
            mode: self.mode,
            changes: self.writes(),
            heard,
            handlers: self.handlers.clone(),
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

fn parts(setting: &Setting, client: &Client, space: &Space) -> Parts {
    match setting.informer {
        Informer::Ours | Informer::Of(_) => {
            let Ours { subjects, observer, cache } =
                ours(client, space, setting.mode, setting.seed);
            let work = Box::pin(async move { cache.run().await });
            Parts { subjects, observer: Some(observer), work }
        }
        Informer::Plain(bug) => {
            let copy = Plain::new(client, &space.namespace(0), bug);
            let subjects: Vec<(Scope, Box<dyn Subject>)> =
                vec![(Scope::ALL, Box::new(copy.clone()))];
            Parts { subjects, observer: None, work: Box::pin(async move { copy.run().await }) }
        }
    }
}

/// Whether what a copy shows at one moment fits together.
fn holds_together(scope: Scope, view: &View) -> Result<(), String> {
    let version = view.version;
    if !view.is_in_order {
        return Err(format!("{scope:?} @{version} is not in the order of its keys"));
    }
    if view.found.is_some_and(|found| found != view.even()) {
        return Err(format!("the index of {scope:?} @{version} is not that of the copy"));
    }
    Ok(())
}

/// Lets everybody do what can be done without the clock moving.
async fn settle() {
    for _ in 0..300 {
        yield_now().await;
    }
}
