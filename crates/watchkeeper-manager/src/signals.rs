//! From the operating system's signals to a shutdown.
//!
//! One of the named edges of the toolkit: it owns a thread for as long as the process lives.

use std::future::Future;
use std::io;
use std::time::Duration;

use tokio::sync::oneshot;

/// As long as signals are the same stroke.
const STROKE: Duration = Duration::from_millis(250);

/// Completes at the first SIGINT or SIGTERM; the second one exits the process with status 1, even
/// if everything else hangs. Upstream's `SetupSignalHandler`.
///
/// Signals count from this call on, not from the first poll. Those within a quarter of a second of the
/// first are the same stroke: `timeout`, and a shell that ends a group, send theirs twice. Call it once.
pub fn shutdown() -> impl Future<Output = ()> + Send + 'static {
    let (first, stopped) = oneshot::channel();
    let listener = std::thread::Builder::new().name("signals".to_owned());
    let (ready, listening) = std::sync::mpsc::channel();
    let started = listener.spawn(move || match listen(first, &ready) {
        Ok(never) => match never {},
        Err(error) => tracing::error!(%error, "signals are not handled"),
    });
    match started {
        // Fails if the thread could not listen; that was logged.
        Ok(_) => drop(listening.recv()),
        Err(error) => tracing::error!(%error, "signals are not handled"),
    }
    async move {
        if stopped.await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

enum Never {}

fn listen(first: oneshot::Sender<()>, ready: &std::sync::mpsc::Sender<()>) -> io::Result<Never> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut signals = Signals::new()?;
        // Nobody waits if the caller was interrupted, which is no reason to stop.
        let _waits = ready.send(());
        let name = signals.next().await;
        tracing::info!(signal = name, "shutting down; once more to exit at once");
        let _stopped = first.send(());
        end_of_stroke(async || _ = signals.next().await).await;
        signals.next().await;
        exit();
    })
}

/// Takes what still belongs to the stroke that has begun.
async fn end_of_stroke(mut next: impl AsyncFnMut()) {
    let same = async {
        loop {
            next().await;
        }
    };
    let _over = tokio::time::timeout(STROKE, same).await;
}

#[expect(clippy::exit, reason = "somebody insists: nothing else may run any more")]
fn exit() -> ! {
    std::process::exit(1)
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            biased;
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.terminate.recv() => "SIGTERM",
        }
    }
}

#[cfg(windows)]
struct Signals {
    interrupt: tokio::signal::windows::CtrlC,
}

#[cfg(windows)]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self { interrupt: tokio::signal::windows::ctrl_c()? })
    }

    async fn next(&mut self) -> &'static str {
        self.interrupt.recv().await;
        "Ctrl-C"
    }
}

#[cfg(test)]
mod tests {
    //! What counts as one stroke.

    use tokio::sync::mpsc;
    use tokio::time::{Instant, sleep};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn signals_close_together_are_one_stroke() {
        let (send, mut signals) = mpsc::unbounded_channel();
        let sender = async {
            for (wait, name) in [(0, "same"), (100, "same"), (200, "next")] {
                sleep(Duration::from_millis(wait)).await;
                send.send(name).expect("somebody listens");
            }
        };
        let start = Instant::now();
        let listener = async {
            end_of_stroke(async || _ = signals.recv().await).await;
            assert_eq!(start.elapsed(), STROKE);
            signals.recv().await
        };
        let ((), next) = tokio::join!(sender, listener);
        assert_eq!(next, Some("next"));
    }
}
