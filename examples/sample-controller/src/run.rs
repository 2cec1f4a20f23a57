//! From the command line to a running controller.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use watchkeeper::cache::Subscription;
use watchkeeper::client::access::AccessRecorder;
use watchkeeper::prelude::*;

use crate::args::Args;
use crate::controller::foo_controller;
use crate::foo::Foo;
use crate::manifest::Manifest;
use crate::problem::Problem;
use crate::story::{Line, Story, Teller, Told};
use crate::{access, embedded, log, remote};

/// Runs the program to its end.
///
/// # Errors
///
/// One sentence: why it could not go on, or with `--once`, why the Foo did not converge.
pub async fn run(args: Args) -> Result<(), Problem> {
    if args.print_crd {
        return print_crd();
    }
    if args.print_access {
        print_access(&args);
        return Ok(());
    }
    let manifest = args.foo.as_deref().map(Manifest::read).transpose()?;
    let narrator = Narrator::new(&args);
    log::install(&narrator)?;
    if args.leader_elect && !args.is_remote() {
        return Err(Problem::new(
            "--leader-elect needs a cluster that replicas share: add --kubeconfig, --context or --master",
        ));
    }
    if !args.is_remote() {
        let manifest = manifest.map_or_else(Manifest::example, Ok)?;
        return embedded::run(&args, &manifest, narrator).await;
    }
    if args.once && manifest.is_none() {
        return Err(Problem::new(
            "--once on a real cluster needs a Foo to wait for: add --foo FILE",
        ));
    }
    remote::run(&args, manifest.as_ref(), narrator).await
}

#[expect(clippy::print_stdout, reason = "the document is what was asked for")]
fn print_crd() -> Result<(), Problem> {
    let bytes = watchkeeper::api::json::to_vec(&Foo::crd());
    let value: serde_json::Value = serde_json::from_slice(&bytes)
        .map_err(|error| Problem::new(format!("the CRD cannot be printed: {error}")))?;
    println!("{value:#}");
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the document is what was asked for")]
fn print_access(args: &Args) {
    print!("{}", access::document(args.election(), &AccessRecorder::new()));
}

/// Tells the story of a run, whoever reports to it.
#[derive(Clone, Debug)]
pub struct Narrator {
    start: Instant,
    shared: Arc<(Mutex<Story>, Teller)>,
}

impl Narrator {
    /// A narrator who counts from now.
    #[must_use]
    pub fn new(args: &Args) -> Self {
        let shared = Arc::new((Mutex::default(), Teller::new(args.output)));
        Self { start: Instant::now(), shared }
    }

    /// Tells one thing.
    pub fn tell(&self, subject: &'static str, name: &str, text: impl Into<String>) {
        self.with(|story, at| story.tell(at, subject, name, text));
    }

    /// Tells something beside the story.
    pub fn aside(&self, subject: &'static str, name: String, text: String) {
        let (story, teller) = &*self.shared;
        let mut story = story.lock().unwrap_or_else(PoisonError::into_inner);
        let line = Line { at: self.start.elapsed(), subject, name, text };
        if let Some(line) = story.aside(line) {
            teller.print_aside(&line);
        }
    }

    /// Tells what changes in a watch, until the subscription is dropped.
    pub fn follow<K: Told>(&self, watch: &Watch<K>) -> Subscription {
        let narrator = self.clone();
        watch.subscribe(move |change: &Change<K>| {
            narrator.with(|story, at| story.hear(at, change));
        })
    }

    fn with(&self, tell: impl FnOnce(&mut Story, Duration) -> Option<Line>) {
        let (story, teller) = &*self.shared;
        let mut story = story.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = tell(&mut story, self.start.elapsed()) {
            teller.print(&line);
        }
    }
}

/// Whether a Foo has what it asks for.
#[must_use]
pub fn has_converged(foo: &Foo) -> bool {
    let available = foo.status.available_replicas;
    match foo.spec.replicas {
        Some(wanted) => available == wanted,
        None => available > 0,
    }
}

/// Notices when one Foo has converged.
#[derive(Debug)]
pub struct Convergence {
    reached: watch::Receiver<bool>,
    foos: Watch<Foo>,
    key: ObjectKey,
    _subscription: Subscription,
}

impl Convergence {
    /// Looks at the Foo with this key from now on.
    #[must_use]
    pub fn of(foos: Watch<Foo>, key: ObjectKey) -> Self {
        let (sender, reached) = watch::channel(false);
        let wanted = key.clone();
        let subscription = foos.subscribe(move |change: &Change<Foo>| {
            let gone = matches!(change, Change::Deleted { .. });
            let foo = change.object();
            if foo.key() == wanted {
                sender.send_replace(!gone && has_converged(foo));
            }
        });
        Self { reached, foos, key, _subscription: subscription }
    }

    /// Which Foo is looked at.
    #[must_use]
    pub fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// Waits until it has.
    ///
    /// # Errors
    ///
    /// After `limit`, with what it looked like then.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub async fn within(&mut self, limit: Duration) -> Result<(), Problem> {
        if timeout(limit, self.reached.wait_for(|reached| *reached)).await.is_ok() {
            return Ok(());
        }
        let (key, last) = (&self.key, self.foos.peek(&self.key));
        Err(Problem::new(match last {
            Some(foo) => format!(
                "Foo {key} has not converged within {limit:?}: it {}",
                foo.summary().unwrap_or_default()
            ),
            None => format!("Foo {key} has not converged within {limit:?}: it is not there"),
        }))
    }
}

/// Adds the controller to `manager`, as the command line asks for it.
pub fn controller(manager: &Manager, args: &Args) {
    foo_controller(manager, usize::from(args.workers), args.resync);
}
