//! From the operating system's signals to a shutdown.
//!
//! One of the named edges of the toolkit: it owns a thread for as long as the process lives.

use std::future::Future;
use std::io;

use tokio::sync::oneshot;

/// Completes at the first SIGINT or SIGTERM; the second one exits the process with status 1, even
/// if everything else hangs. Upstream's `SetupSignalHandler`.
///
/// Signals count from this call on, not from the first poll. Call it once.
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
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(async {
        let mut signals = Signals::new()?;
        // Nobody waits if the caller was interrupted, which is no reason to stop.
        let _waits = ready.send(());
        let name = signals.next().await;
        tracing::info!(signal = name, "shutting down; once more to exit at once");
        let _stopped = first.send(());
        signals.next().await;
        exit();
    })
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
