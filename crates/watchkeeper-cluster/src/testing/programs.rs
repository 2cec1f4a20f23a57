//! What runs beside a test: each is told to stop, or dropped with the test.

use std::future::{Future, pending};
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use watchkeeper_api::{Error, Result};
use watchkeeper_controller::ControllerHandle;

/// A program that a test has started.
///
/// It runs until the test is over, whether this is kept or not.
#[derive(Debug)]
pub struct Program {
    name: String,
    stop: oneshot::Sender<()>,
    ended: oneshot::Receiver<Result<()>>,
    pub(super) is_stopped: Arc<AtomicBool>,
}

impl Program {
    /// Tells the program to stop, as a signal does, and waits until it has.
    ///
    /// # Errors
    ///
    /// What the program ended with.
    ///
    /// # Cancel safety
    ///
    /// The program stops also if this is dropped.
    pub async fn stop(self) -> Result<()> {
        self.is_stopped.store(true, Ordering::Relaxed);
        // One that is over already needs no telling.
        let _ = self.stop.send(());
        let lost = |_| Err(Error::other(format!("{} was dropped as it stopped", self.name)));
        self.ended.await.unwrap_or_else(lost)
    }
}

/// Every program that was started.
pub(super) type Controllers = Arc<Mutex<Vec<OfProgram>>>;

/// The controllers of a program.
#[derive(Debug)]
pub(super) struct OfProgram {
    pub(super) name: String,
    pub(super) controllers: Vec<ControllerHandle>,
    /// What it could not do when it was told to stop is nobody's concern at the end.
    pub(super) is_stopped: Arc<AtomicBool>,
}

/// What is said of programs also when one has panicked.
pub(super) fn lock(controllers: &Controllers) -> MutexGuard<'_, Vec<OfProgram>> {
    controllers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that is to run.
pub(super) struct Started {
    name: String,
    runs: Pin<Box<dyn Future<Output = Result<()>> + Send>>,
    /// Where its end is told if the test has asked for it.
    stopped: oneshot::Receiver<()>,
    end: oneshot::Sender<Result<()>>,
}

/// Completes when a program is told to stop.
pub(super) type Shutdown = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A program, and what stops it.
pub(super) fn program<F>(name: &str, run: impl FnOnce(Shutdown) -> F) -> (Program, Started)
where
    F: Future<Output = Result<()>> + Send + 'static,
{
    let (stop, asked) = oneshot::channel();
    let (tell, stopped) = oneshot::channel();
    let (end, ended) = oneshot::channel();
    let shutdown = async move {
        match asked.await {
            Ok(()) => _ = tell.send(()),
            // Nobody holds it any more: it runs until the end of the test.
            Err(_dropped) => pending().await,
        }
    };
    let runs = Box::pin(run(Box::pin(shutdown)));
    let name = name.to_owned();
    let program = Program { name: name.clone(), stop, ended, is_stopped: Arc::default() };
    (program, Started { name, runs, stopped, end })
}

/// Every program beside a test.
pub(super) struct Programs {
    started: mpsc::UnboundedReceiver<Started>,
    running: JoinSet<(String, Option<Result<()>>)>,
}

impl Programs {
    pub(super) fn new(started: mpsc::UnboundedReceiver<Started>) -> Self {
        Self { started, running: JoinSet::new() }
    }

    pub(super) fn add(&mut self, started: Started) {
        let Started { name, runs, mut stopped, end } = started;
        self.running.spawn(async move {
            let ended = runs.await;
            if stopped.try_recv().is_err() {
                return (name, Some(ended));
            }
            // The test may have stopped waiting for it.
            let _ = end.send(ended);
            (name, None)
        });
    }

    /// Runs them until one ends that was not told to, and tells which and how.
    ///
    /// # Panics
    ///
    /// As one of them does.
    pub(super) async fn ended(&mut self) -> (String, Result<()>) {
        loop {
            tokio::select! {
                biased;
                Some(started) = self.started.recv() => self.add(started),
                Some(ended) = self.running.join_next() => match ended {
                    Ok((name, Some(ended))) => return (name, ended),
                    Ok((_, None)) => {}
                    Err(error) => match error.try_into_panic() {
                        Ok(panic) => resume_unwind(panic),
                        // Nothing cancels them.
                        Err(error) => return ("a program".to_owned(), Err(Error::other(error.to_string()))),
                    },
                },
                else => pending().await,
            }
        }
    }
}
