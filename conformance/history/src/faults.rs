//! What may go wrong between a client and its server, how often it does, and how often it did.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use watchkeeper_apiserver::{ApiServer, Rng};

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

/// The dice of one world.
#[derive(Debug)]
pub struct Faults {
    dice: Mutex<Rng>,
    struck: Mutex<Counts>,
    on: AtomicBool,
    pace: Pace,
    /// A server that can be made to forget its history.
    server: Option<ApiServer>,
    names: Names,
}

impl Faults {
    /// Dice that fall the same for the same seed.
    #[must_use]
    pub fn new(seed: u64, pace: Pace, server: Option<ApiServer>) -> Self {
        let dice = Mutex::new(Rng::new(seed));
        let (on, names) = (AtomicBool::new(true), Names::Few);
        Self { dice, struck: Mutex::default(), on, pace, server, names }
    }

    /// The same where there are so many objects.
    #[must_use]
    pub const fn of(mut self, names: Names) -> Self {
        self.names = names;
        self
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

    /// The server forgets what was before this moment.
    pub fn forget(&self) {
        self.server.iter().for_each(|server| server.compact(server.revision()));
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
