//! Somebody who has nothing to do with the crowd, and wants to be served.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{Address, PATIENCE};
use crate::conformance::http;
use crate::{Outcome, step};

/// How long is between its requests.
const PAUSE: Duration = Duration::from_millis(20);
const PATH: &str = "/api/v1/namespaces/kube-public/configmaps";
const NAME: &str = r#"{"metadata":{"name":"bystander"}}"#;

/// A thread that creates, reads and deletes a config map, each in a connection of its own, until it is told to end.
pub(super) struct Bystander {
    ends: Arc<AtomicBool>,
    thread: JoinHandle<Outcome<Waited>>,
}

/// How often it asked, and how long it waited.
#[derive(Default)]
pub(super) struct Waited {
    asked: u64,
    /// In seconds.
    longest: f64,
}

impl Bystander {
    pub(super) fn start(address: &Address) -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let (address, told) = (address.to_owned(), Arc::clone(&ends));
        Self { ends, thread: std::thread::spawn(move || asks(&address, &told)) }
    }

    /// # Errors
    /// That one of its requests was not answered as it should be.
    pub(super) fn end(self) -> Outcome<Waited> {
        self.ends.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| "the bystander panicked".to_owned())?
    }
}

fn asks(address: &str, ends: &AtomicBool) -> Outcome<Waited> {
    let mut waited = Waited::default();
    let one = format!("{PATH}/bystander");
    while !ends.load(Ordering::Relaxed) {
        for (method, path, body, wanted) in
            [("POST", PATH, NAME, 201), ("GET", &*one, "", 200), ("DELETE", &*one, "", 200)]
        {
            waited.ask(address, method, path, body, wanted)?;
        }
        step::pause(PAUSE);
    }
    Ok(waited)
}

impl Waited {
    fn ask(
        &mut self,
        address: &str,
        method: &str,
        path: &str,
        body: &str,
        wanted: u16,
    ) -> Outcome<()> {
        let (seconds, answer) = step::measured(|| http::send(address, method, path, &[], body));
        let answer = answer?;
        if answer.code != wanted {
            return Err(format!("a bystander's {method} is answered with {}", answer.code));
        }
        self.asked += 1;
        self.longest = self.longest.max(seconds);
        Ok(())
    }

    /// # Errors
    /// That it waited too long.
    pub(super) fn check(&self) -> Outcome<()> {
        if self.longest < PATIENCE.as_secs_f64() {
            return Ok(());
        }
        Err(format!("somebody else waited {:.1} s, not {} s", self.longest, PATIENCE.as_secs()))
    }
}

impl fmt::Display for Waited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} other requests waited {:.2} s at most", self.asked, self.longest)
    }
}
