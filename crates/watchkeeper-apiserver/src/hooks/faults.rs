//! A server that fails at random, and the same way for the same seed.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Admission, Aftermath, Arrival, Delivery, Hook, Passage, Read, Verdict, Write};
use crate::error::ApiError;
use crate::history::Verb;
use crate::rng::Rng;
use crate::storage::Event;

/// How long a late request waits before it is looked at.
const LATE: Duration = Duration::from_secs(2);

/// What may go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// The connection breaks before anything is done.
    Hangup,
    /// A write is stored, and the connection breaks before its reply.
    LostReply,
    /// 409, as if somebody else had changed the object a moment before. Only of what is there: an update or a
    /// patch.
    Conflict,
    /// 429, to come back in a second.
    TooManyRequests,
    /// 500.
    InternalError,
    /// 503, without a time to come back.
    Unavailable,
    /// 410: a list or a watch from a version that is too old.
    Expired,
    /// A watch ends before an event.
    EndedWatch,
    /// A request waits for two seconds before it is looked at.
    Late,
}

/// The share of each fault, of a thousand of the places where it can strike.
const SHARES: [(Fault, u32); 9] = [
    (Fault::Hangup, 20),
    (Fault::LostReply, 40),
    (Fault::Conflict, 40),
    (Fault::TooManyRequests, 20),
    (Fault::InternalError, 20),
    (Fault::Unavailable, 20),
    (Fault::Expired, 10),
    (Fault::EndedWatch, 20),
    (Fault::Late, 10),
];

/// Faults at random, for as long as they are not [stopped](Self::stop): whoever follows the rules of the API ends
/// where it would have ended without them. It is a hook and a handle on it.
///
/// ```
/// use watchkeeper_apiserver::ApiServer;
/// use watchkeeper_apiserver::hooks::{Fault, Faults};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let server = ApiServer::new();
/// let faults = Faults::seeded(7).share(Fault::Unavailable, 500).spare("test");
/// server.add_hook(faults.clone());
/// for _ in 0..100 {
///     let read = http::Request::get("/api/v1/pods").body(bytes::Bytes::new()).unwrap();
///     drop(server.answer(read).await); // an answer, an error, or a connection that breaks
/// }
/// assert!(faults.struck()[&Fault::Unavailable] > 30);
/// faults.stop();
/// let read = http::Request::get("/api/v1/pods").body(bytes::Bytes::new()).unwrap();
/// assert_eq!(server.answer(read).await.unwrap().status(), 200);
/// # }
/// ```
#[derive(Clone)]
pub struct Faults {
    shares: Vec<(Fault, u32)>,
    spared: Vec<String>,
    shared: Arc<Shared>,
}

struct Shared {
    rng: Mutex<Rng>,
    /// By actor.
    struck: Mutex<BTreeMap<String, BTreeMap<Fault, u64>>>,
    stopped: AtomicBool,
}

impl Faults {
    /// All of them, each a few times in a hundred, drawn from `seed`.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        let shared = Shared {
            rng: Mutex::new(Rng::new(seed)),
            struck: Mutex::default(),
            stopped: AtomicBool::new(false),
        };
        Self { shares: SHARES.to_vec(), spared: Vec::new(), shared: Arc::new(shared) }
    }

    /// Another share of one fault: so many of a thousand, of the places where it can strike. None for 0. Where the
    /// shares come to more than a thousand, none is left for those that are behind in the order of [`Fault`].
    #[must_use]
    pub fn share(mut self, fault: Fault, of_a_thousand: u32) -> Self {
        let known = self.shares.iter_mut().find(|(known, _)| *known == fault);
        known.into_iter().for_each(|(_, share)| *share = of_a_thousand);
        self
    }

    /// Leaves one alone, by the user agent up to `/`: the test itself, say.
    #[must_use]
    pub fn spare(mut self, actor: impl Into<String>) -> Self {
        self.spared.push(actor.into());
        self
    }

    /// From now on nothing fails.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
    }

    /// How often each has struck.
    #[must_use]
    pub fn struck(&self) -> BTreeMap<Fault, u64> {
        let mut all = BTreeMap::new();
        for (fault, times) in self.lock_struck().values().flatten() {
            *all.entry(*fault).or_default() += times;
        }
        all
    }

    /// How often each has struck this one, by the user agent up to `/`.
    #[must_use]
    pub fn struck_at(&self, actor: &str) -> BTreeMap<Fault, u64> {
        self.lock_struck().get(actor).cloned().unwrap_or_default()
    }

    fn lock_struck(&self) -> MutexGuard<'_, BTreeMap<String, BTreeMap<Fault, u64>>> {
        self.shared.struck.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One of these faults, or mostly none.
    fn draw(&self, actor: &str, of: &[Fault]) -> Option<Fault> {
        if self.shared.stopped.load(Ordering::Relaxed) || self.spared.iter().any(|it| it == actor) {
            return None;
        }
        let mut dice = self.shared.rng.lock().unwrap_or_else(PoisonError::into_inner).below(1000);
        for (fault, share) in self.shares.iter().filter(|(fault, _)| of.contains(fault)) {
            if dice < u64::from(*share) {
                let mut struck = self.lock_struck();
                *struck.entry(actor.to_owned()).or_default().entry(*fault).or_default() += 1;
                return Some(*fault);
            }
            dice -= u64::from(*share);
        }
        None
    }
}

impl Hook for Faults {
    fn on_arrival(&mut self, arrival: &Arrival<'_>) -> Admission {
        match self.draw(arrival.actor, &[Fault::Late]) {
            Some(_) => Admission::Delay(LATE),
            None => Admission::Proceed,
        }
    }

    fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
        const ANY: [Fault; 5] = [
            Fault::Hangup,
            Fault::TooManyRequests,
            Fault::InternalError,
            Fault::Unavailable,
            Fault::Conflict,
        ];
        let is_change = matches!(write.verb, Verb::Update | Verb::Patch);
        let possible = if is_change { &ANY[..] } else { &ANY[..4] };
        match self.draw(write.actor, possible) {
            Some(Fault::Conflict) => Verdict::Refuse(Box::new(modified(write))),
            Some(fault) => verdict(fault),
            None => Verdict::Proceed,
        }
    }

    fn after_commit(&mut self, write: &Write<'_>, _event: &Event) -> Aftermath {
        match self.draw(write.actor, &[Fault::LostReply]) {
            Some(_) => Aftermath::LoseReply,
            None => Aftermath::Reply,
        }
    }

    fn on_delivery(&mut self, delivery: &Delivery<'_>) -> Passage {
        match self.draw(delivery.actor, &[Fault::EndedWatch]) {
            Some(_) => Passage::End,
            None => Passage::Deliver,
        }
    }

    fn on_read(&mut self, read: &Read<'_>) -> Verdict {
        const ANY: [Fault; 5] = [
            Fault::Hangup,
            Fault::TooManyRequests,
            Fault::InternalError,
            Fault::Unavailable,
            Fault::Expired,
        ];
        let possible = if read.verb == "get" { &ANY[..4] } else { &ANY[..] };
        match self.draw(read.actor, possible) {
            Some(Fault::Expired) => read.expired(),
            Some(fault) => verdict(fault),
            None => Verdict::Proceed,
        }
    }
}

/// What is answered where a fault strikes a request.
pub(super) fn verdict(fault: Fault) -> Verdict {
    const WHY: &str = "a fault that was asked for";
    let error = match fault {
        Fault::TooManyRequests => ApiError::too_many_requests(WHY, 1),
        Fault::InternalError => ApiError::internal(WHY),
        Fault::Unavailable => ApiError::new(503, "ServiceUnavailable", WHY),
        _ => return Verdict::Hangup,
    };
    Verdict::Refuse(Box::new(error))
}

/// What a server says when somebody else was faster.
pub(super) fn modified(write: &Write<'_>) -> ApiError {
    let name = write.key.rsplit('/').next().unwrap_or_default();
    let why = format!(
        "Operation cannot be fulfilled on {} \"{name}\": the object has been modified; please apply your changes to the latest version and try again",
        write.table
    );
    ApiError::new(409, "Conflict", why)
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faults")
            .field("shares", &self.shares)
            .field("spared", &self.spared)
            .field("struck", &self.struck())
            .finish_non_exhaustive()
    }
}
