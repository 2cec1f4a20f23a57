//! Who sees to it that what a server says is kept.

use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use super::ApiServer;
use crate::journal::{Batch, Journal};

/// Lets a server that is kept answer: writes its commits to the journal, those of many requests at a
/// time, and lets out what waited for them.
///
/// While it does not run, the server answers nobody, and once it is dropped never again: requests end
/// without an answer.
#[must_use = "the server answers nobody unless this runs"]
pub struct Keeper<J> {
    server: ApiServer,
    journal: Arc<Mutex<J>>,
}

impl<J> fmt::Debug for Keeper<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keeper").field("server", &self.server).finish_non_exhaustive()
    }
}

impl<J: Journal + 'static> Keeper<J> {
    pub(super) fn new(server: ApiServer, journal: J) -> Self {
        Self { server, journal: Arc::new(Mutex::new(journal)) }
    }

    /// Writes what waits to be written and lets out what waited for that; false when nothing did. For
    /// those who do without [`Keeper::run`]: it blocks for as long as the journal takes.
    ///
    /// # Errors
    ///
    /// What the journal fails with. The server answers nobody from then on.
    pub fn write(&mut self) -> io::Result<bool> {
        let batch = self.server.lock().outbox.take();
        let Some(batch) = batch else { return Ok(false) };
        self.settle(write(&self.journal, &batch))?;
        Ok(true)
    }

    /// Keeps what is written until `shutdown` completes, and then what was written by then.
    ///
    /// # Errors
    ///
    /// What the journal fails with. The server answers nobody from then on.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends the server as a crash would: what was acknowledged is kept, and what was
    /// on its way to the journal may be.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> io::Result<()> {
        let mut shutdown = pin!(shutdown);
        loop {
            // Asked first: writers that never rest always have something to write.
            let (batch, is_last) = tokio::select! {
                biased;
                () = &mut shutdown => (self.server.lock().outbox.take(), true),
                batch = poll_fn(|cx| self.server.lock().outbox.poll_take(cx)) => (Some(batch), false),
            };
            let Some(batch) = batch else { return Ok(()) };
            let journal = self.journal.clone();
            let written = tokio::task::spawn_blocking(move || write(&journal, &batch)).await;
            self.settle(written.unwrap_or_else(|error| Err(io::Error::other(error))))?;
            if is_last {
                return Ok(());
            }
        }
    }

    fn settle(&self, written: io::Result<()>) -> io::Result<()> {
        match &written {
            Ok(()) => self.server.let_out(),
            Err(_) => self.server.cut(),
        }
        written
    }
}

fn write<J: Journal>(journal: &Mutex<J>, batch: &Batch) -> io::Result<()> {
    journal.lock().unwrap_or_else(PoisonError::into_inner).write(batch)
}

impl<J> Drop for Keeper<J> {
    fn drop(&mut self) {
        self.server.cut();
    }
}
