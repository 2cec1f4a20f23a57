//! Handlers of several manners, and the judges that listen with them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use watchkeeper_apiserver::Rng;
use watchkeeper_cache::Overflow;

use crate::judge::{Judge, Rules};
use crate::mode::Mode;
use crate::subject::{Handler, Manner, Place, Subject};
use crate::told::{Seen, Told, mix};
use crate::truth::{Scope, Truth};

/// Takes the lock, whoever panicked with it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where all judges of a world meet.
#[derive(Debug, Default)]
pub(crate) struct Court {
    pub(crate) truth: Mutex<Truth>,
    ruling: Mutex<Ruling>,
}

#[derive(Debug, Default)]
struct Ruling {
    /// What was broken first.
    first: Option<String>,
    heard: u64,
    /// One number for all that anybody was told, in order.
    trace: u64,
    /// Judged when the truth is known; without, at once.
    deferred: Option<Vec<Claim>>,
}

/// What is to be judged later.
#[derive(Debug)]
pub(crate) enum Claim {
    /// A handler was told something.
    Told(Arc<Mutex<Judge>>, Told),
    /// A handler left; of one that loses nothing, the first of its copy, which was told the same.
    Left(Arc<Mutex<Judge>>, Option<Arc<Mutex<Judge>>>),
    /// A copy showed something.
    Shown(Shown),
    /// A namespace was given up, or taken up, for a handler.
    Follows(Arc<Mutex<Judge>>, u64, bool),
}

/// What a copy showed of a namespace, at a version.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) part: u64,
    pub(crate) scope: Scope,
    pub(crate) version: u64,
    pub(crate) what: What,
}

/// One number for all of it, or each object where some may be missing, or newer.
#[derive(Debug)]
pub(crate) enum What {
    Sum(u64),
    Each(Vec<Seen>),
    /// Each object, where each comes at its own time: at the version or later.
    Since(Vec<Seen>),
}

impl Shown {
    fn judge(&self, truth: &Truth) -> Result<(), String> {
        let Self { part, scope, version, what } = self;
        let right = match what {
            What::Sum(sum) if truth.at(*part, *version, *scope) == *sum => Ok(()),
            What::Sum(_) => Err(String::new()),
            What::Each(states) => truth.allows(*part, *version, [*scope; 2], states),
            What::Since(states) => truth.allows_since(*part, *version, *scope, states),
        };
        right.map_err(|wrong| {
            format!("the copy of {scope:?} @{version} is not what the server had then {wrong}")
        })
    }
}

impl Court {
    /// A court that knows the truth only now and then.
    pub(crate) fn deferring() -> Self {
        let ruling = Ruling { deferred: Some(Vec::new()), ..Ruling::default() };
        Self { truth: Mutex::default(), ruling: Mutex::new(ruling) }
    }

    /// Something was told or shown, or a handler left.
    pub(crate) fn hear(&self, claim: Claim) {
        let mut ruling = lock(&self.ruling);
        if let Claim::Told(_, told) = &claim {
            ruling.heard += 1;
            ruling.trace = mix(&[ruling.trace, told.digest()]);
        }
        match &mut ruling.deferred {
            Some(deferred) => deferred.push(claim),
            None => ruling.judge(&claim, &lock(&self.truth)),
        }
    }

    /// The truth is known up to now.
    pub(crate) fn settle(&self) {
        let mut ruling = lock(&self.ruling);
        let claims = ruling.deferred.as_mut().map(std::mem::take).unwrap_or_default();
        let truth = lock(&self.truth);
        claims.iter().for_each(|claim| ruling.judge(claim, &truth));
    }

    /// A rule was broken.
    pub(crate) fn rule(&self, broken: Result<(), String>) {
        lock(&self.ruling).note(broken);
    }

    /// What was broken first.
    pub(crate) fn broken(&self) -> Option<String> {
        lock(&self.ruling).first.clone()
    }

    pub(crate) fn is_broken(&self) -> bool {
        lock(&self.ruling).first.is_some()
    }

    /// How much was told, and one number for all of it.
    pub(crate) fn heard(&self) -> (u64, u64) {
        let ruling = lock(&self.ruling);
        (ruling.heard, ruling.trace)
    }
}

impl Ruling {
    fn judge(&mut self, claim: &Claim, truth: &Truth) {
        let broken = match claim {
            Claim::Told(judge, told) => lock(judge).hear(*told, truth),
            Claim::Left(judge, first) => {
                let mut judge = lock(judge);
                judge.leave();
                first.as_ref().map_or(Ok(()), |first| judge.follow(&lock(first)))
            }
            Claim::Shown(shown) => shown.judge(truth),
            Claim::Follows(judge, part, is_followed) => {
                lock(judge).follow_part(*part, *is_followed);
                Ok(())
            }
        };
        self.note(broken);
    }

    fn note(&mut self, broken: Result<(), String>) {
        if let (None, Err(broken)) = (&self.first, broken) {
            self.first = Some(broken);
        }
    }
}

/// The handlers of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Told of everything, at once.
    Immediate,
    /// Its buffer is small, and what one object went through is told as one.
    Coalescing(usize),
    /// Its buffer is small, and the copy waits for it.
    Blocking,
    /// Its buffer is small, and it is thrown out when that is full.
    Disconnecting,
    /// Told of everything once more, now and then.
    Resyncing,
    /// Panics, now and then.
    Panicking,
    /// Wants only some of the objects, and has a buffer for so many changes.
    Filtered(usize),
}

/// How many changes may wait for one who is thrown out then.
const NARROW: usize = 16;

impl Kind {
    fn manner(self) -> Manner {
        let manner = Manner::default();
        match self {
            Self::Immediate | Self::Panicking => manner,
            Self::Coalescing(buffer) => Manner { buffer, ..manner },
            Self::Filtered(buffer) => Manner { buffer, filtered: true, ..manner },
            Self::Blocking => Manner { buffer: 2, overflow: Overflow::Block, ..manner },
            Self::Disconnecting => {
                Manner { buffer: NARROW, overflow: Overflow::Disconnect, ..manner }
            }
            Self::Resyncing => Manner { resync: Some(Duration::from_secs(30)), ..manner },
        }
    }

    /// In a word or two.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Immediate => "told at once",
            Self::Coalescing(_) => "merging",
            Self::Blocking => "blocking",
            Self::Disconnecting => "thrown out",
            Self::Resyncing => "resyncing",
            Self::Panicking => "panicking",
            Self::Filtered(usize::MAX) => "filtered",
            Self::Filtered(_) => "filtered and merging",
        }
    }

    /// Whether it is told of every change of its copy.
    pub(crate) const fn is_lossless(self) -> bool {
        matches!(self, Self::Immediate | Self::Blocking | Self::Resyncing | Self::Panicking)
    }
}

/// A handler that listens, with its judge.
pub(crate) struct Listener {
    pub(crate) kind: Kind,
    pub(crate) scope: Scope,
    pub(crate) judge: Arc<Mutex<Judge>>,
    place: Option<Box<dyn Place>>,
    /// How many changes it was told of, beside what there was as it came.
    told: Arc<AtomicU64>,
    /// How many the first of its copy had been told of when it came.
    beginning: u64,
}

impl Listener {
    /// A handler of this kind comes to a copy of `scope`.
    pub(crate) fn come(
        kind: Kind,
        number: u64,
        mode: Mode,
        (scope, subject): (Scope, &dyn Subject),
        first: Option<&Self>,
        court: &Arc<Court>,
    ) -> Self {
        let manner = kind.manner();
        let rules = Rules {
            scope: if manner.filtered { scope.even() } else { scope },
            resyncs: kind == Kind::Resyncing,
            filtered: manner.filtered,
            unreadable: mode == Mode::Unreadable,
            by_object: mode == Mode::Classic,
        };
        let who = format!("handler {number} ({kind:?} of {scope:?})");
        let judge = Arc::new(Mutex::new(Judge::new(who, rules)));
        let (told, beginning) = (Arc::default(), first.map_or(0, Self::changes));
        let handler = handler(kind, number, &judge, &told, court);
        let place = Some(subject.subscribe(&manner, handler));
        Self { kind, scope, judge, place, told, beginning }
    }

    /// It leaves: from now on it must not be told anything. `first` was told what it was.
    pub(crate) fn leave(mut self, first: Option<Arc<Mutex<Judge>>>, court: &Court) {
        self.place = None;
        court.hear(Claim::Left(self.judge, first));
    }

    pub(crate) fn is_lagged(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.is_lagged())
    }

    fn changes(&self) -> u64 {
        self.told.load(Ordering::Relaxed)
    }

    /// Whether it was thrown out for more changes than its buffer holds, which came after what there was at its
    /// beginning. `first` is told of every change of its copy.
    pub(crate) fn was_slow(&self, first: &Self) -> Result<(), String> {
        let Some(waiting) = first.place.as_ref().and_then(|place| place.pending()) else {
            return Ok(());
        };
        let came = first.changes() + waiting as u64 - self.beginning;
        let missed = came.saturating_sub(self.changes());
        if missed >= NARROW as u64 {
            return Ok(());
        }
        Err(format!("a handler was thrown out as too slow, and had {missed} changes to be told"))
    }
}

fn handler(
    kind: Kind,
    number: u64,
    judge: &Arc<Mutex<Judge>>,
    count: &Arc<AtomicU64>,
    court: &Arc<Court>,
) -> Handler {
    let (judge, count, court) = (Arc::clone(judge), Arc::clone(count), Arc::clone(court));
    let mut dice = Rng::new(number);
    Box::new(move |told| {
        if !told.is_initial() {
            count.fetch_add(1, Ordering::Relaxed);
        }
        court.hear(Claim::Told(Arc::clone(&judge), told));
        if kind == Kind::Panicking && dice.below(40) == 0 {
            // Without a word on stderr.
            std::panic::resume_unwind(Box::new("a handler that panics"));
        }
    })
}
