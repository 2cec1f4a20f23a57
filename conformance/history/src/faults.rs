//! What may go wrong between a client and its server, how often it does, and how often it did.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use watchkeeper_apiserver::Rng;

use crate::mode::Mode;
use crate::world::Names;

macro_rules! faults {
    ($($(#[doc = $doc:literal])* $fault:ident $name:literal)*) => {
        /// A class of faults.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Fault {
            $($(#[doc = $doc])* $fault,)*
        }

        impl Fault {
            /// Every class.
            pub const ALL: &'static [Self] = &[$(Self::$fault,)*];

            /// In a few words.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$fault => $name,)*
                }
            }
        }
    };
}

faults! {
    /// The request does not arrive.
    Refused "connection refused"
    /// The request is carried out, and nobody hears of it.
    AnswerLost "answer lost, reset before the head"
    /// The connection breaks between the head of the answer and its body.
    ResetAfterHead "reset after the head"
    /// There is never an answer.
    NeverAnswered "silence instead of an answer"
    /// A write is carried out, and its writer does not hear of it.
    WriteLost "answer to a write lost"
    /// 410 as the answer.
    GoneAnswer "410 as the answer"
    /// 429 with a time to stay away.
    Busy "429 with Retry-After"
    /// 429 without one.
    BusyBare "429"
    /// 500.
    Internal "500"
    /// 503.
    Unavailable "503"
    /// The server does not know `sendInitialEvents`, and says so.
    NoWatchList "WatchList refused"
    /// The server does not know `sendInitialEvents`, and does not say so.
    WatchListIgnored "WatchList ignored"
    /// A list comes in small pages.
    SmallPages "list in pages"
    /// The next page of a list is gone.
    PageExpired "page of a list expired"
    /// A list, or a frame of a watch, is cut in the middle and the connection ends.
    CutFrame "frame cut in the middle"
    /// The connection breaks between two frames.
    Reset "reset between frames"
    /// A frame that is none.
    Garbage "garbage frame"
    /// The server ends the watch.
    CleanEnd "clean end"
    /// The connection is dead, and nobody says so.
    HalfOpen "half-open silence"
    /// 410 as the last frame.
    GoneEvent "410 as an ERROR event"
    /// 429 as the last frame.
    BusyEvent "429 as an ERROR event"
    /// 500 as the last frame.
    InternalEvent "500 as an ERROR event"
    /// The server itself has forgotten the version asked for.
    Compacted "history expired at the server"
    /// Frames take their time.
    Slow "slow delivery"
    /// Frames arrive in pieces.
    Sliced "frames in pieces"
    /// A frame comes twice.
    Repeated "frame twice"
    /// A watch tells again what was told before its version.
    Replayed "watch replayed from an older version"
    /// A watch of nothing but bookmarks.
    OnlyBookmarks "watch of bookmarks only"
    /// A bookmark after each event.
    Bookmarks "bookmark at every event"
}

/// How often each class struck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts(Vec<u64>);

impl Default for Counts {
    fn default() -> Self {
        Self(vec![0; Fault::ALL.len()])
    }
}

impl Counts {
    /// How often this one struck.
    #[must_use]
    pub fn of(&self, fault: Fault) -> u64 {
        self.0[fault as usize]
    }

    /// This one struck so often.
    pub(crate) fn set(&mut self, fault: Fault, count: u64) {
        self.0[fault as usize] = count;
    }

    /// Adds those of another run.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, count)| *sum += count);
    }

    /// Those that struck less often than `least`.
    #[must_use]
    pub fn rare(&self, least: u64, among: &[Fault]) -> Vec<Fault> {
        among.iter().copied().filter(|fault| self.of(*fault) < least).collect()
    }
}

/// One line a class.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in Fault::ALL {
            writeln!(f, "{:>10}  {}", self.of(*fault), fault.name())?;
        }
        Ok(())
    }
}

/// How fast the world is: in paused time a fault may last as long as it likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The clock is paused: waiting costs nothing.
    Paused,
    /// The clock is the world's: nothing is silent for minutes.
    Real,
}

/// Faults that last for minutes, which only paused time can pay for.
const LONG: &[Fault] =
    &[Fault::NeverAnswered, Fault::HalfOpen, Fault::WatchListIgnored, Fault::OnlyBookmarks];

/// Lets a server forget what was before the moment.
pub struct Forget(Box<dyn Fn() + Send + Sync>);

impl Forget {
    pub(crate) fn new(forget: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Box::new(forget))
    }
}

impl fmt::Debug for Forget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Forget")
    }
}

/// The dice of one world.
#[derive(Debug)]
pub struct Faults {
    dice: Mutex<Rng>,
    struck: Mutex<Counts>,
    on: AtomicBool,
    pace: Pace,
    /// Of a server that can be made to forget its history.
    forget: Option<Forget>,
    names: Names,
    mode: Mode,
}

impl Faults {
    /// Dice that fall the same for the same seed.
    #[must_use]
    pub fn new(seed: u64, pace: Pace, forget: Option<Forget>) -> Self {
        let dice = Mutex::new(Rng::new(seed));
        let on = AtomicBool::new(true);
        let (names, mode) = (Names::Few, Mode::Whole);
        Self { dice, struck: Mutex::default(), on, pace, forget, names, mode }
    }

    /// The same where there are so many objects, which are kept so.
    #[must_use]
    pub const fn of(mut self, names: Names, mode: Mode) -> Self {
        (self.names, self.mode) = (names, mode);
        self
    }

    /// Whether some objects come so that they cannot be read, also when nothing else fails any more.
    #[must_use]
    pub fn spoil(&self) -> bool {
        self.mode == Mode::Unreadable
    }

    /// How many objects a page has.
    #[must_use]
    pub fn page(&self) -> u64 {
        match self.names {
            Names::Few => 3 + self.below(10),
            Names::Many(names) => 100 + self.below(names),
        }
    }

    /// How many frames a watch that does not end well may have before.
    #[must_use]
    pub fn frames(&self) -> u64 {
        match (self.names, self.below(3)) {
            (_, 0) => 4,
            // More than it takes to tell what there is.
            (Names::Many(names), 1) => 2 * names,
            _ => 60,
        }
    }

    /// The server forgets what was before this moment, if it can be made to.
    pub fn forget(&self) -> bool {
        self.forget.iter().for_each(|forget| (forget.0)());
        self.forget.is_some()
    }

    /// The end of a watch for which none was drawn: in the world's time it would last until the server ends it.
    #[must_use]
    pub fn end_of_others(&self) -> Option<Fault> {
        (self.pace == Pace::Real && self.are_on()).then_some(Fault::CleanEnd)
    }

    /// Whether a list that is asked for from a server's cache comes in pages all the same: others do not do that.
    #[must_use]
    pub fn caches_have_pages(&self) -> bool {
        self.pace == Pace::Paused
    }

    /// The classes that can strike.
    #[must_use]
    pub fn classes(pace: Pace) -> Vec<Fault> {
        let can = |fault: &Fault| pace == Pace::Paused || !LONG.contains(fault);
        Fault::ALL.iter().copied().filter(can).collect()
    }

    /// Nothing fails any more.
    pub fn off(&self) {
        self.on.store(false, Ordering::Relaxed);
    }

    /// Whether anything fails.
    #[must_use]
    pub fn are_on(&self) -> bool {
        self.on.load(Ordering::Relaxed)
    }

    /// A number below `bound`.
    #[must_use]
    pub fn below(&self, bound: u64) -> u64 {
        self.dice.lock().unwrap_or_else(PoisonError::into_inner).below(bound)
    }

    /// A time of up to `bound` milliseconds; in the world's time a hundredth of it.
    #[must_use]
    pub fn moment(&self, bound: u64) -> Duration {
        let bound = if self.pace == Pace::Paused { bound } else { bound / 100 };
        Duration::from_millis(self.below(bound + 1))
    }

    /// One of the faults, each with its share of a thousand, or none. It has not struck yet.
    #[must_use]
    pub fn draw(&self, among: &[(Fault, u64)]) -> Option<Fault> {
        if !self.are_on() {
            return None;
        }
        let mut dice = self.below(1000);
        for (fault, share) in among {
            if dice < *share {
                let can = self.pace == Pace::Paused || !LONG.contains(fault);
                return can.then_some(*fault);
            }
            dice -= share;
        }
        None
    }

    /// A fault strikes.
    pub fn strike(&self, fault: Fault) {
        let mut struck = self.struck.lock().unwrap_or_else(PoisonError::into_inner);
        struck.0[fault as usize] += 1;
    }

    /// How often each struck.
    #[must_use]
    pub fn struck(&self) -> Counts {
        self.struck.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
