//! The futures of a cache and who runs them: added at any time, driven by one `run`, dropped with it.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::latest::Latest;
use crate::lock::lock;
use crate::sync::{JoinError, JoinSet, Mutex, Notify};

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Futures that wait to be run, or are.
#[derive(Default)]
pub(crate) struct Tasks {
    inbox: Mutex<Inbox>,
    changed: Notify,
    /// How many are there that were begun.
    alive: Arc<Latest<usize>>,
}

/// A future that counts while it is there, also when it is over and not dropped yet.
struct Counted {
    // Dropped first.
    task: Task,
    _count: Count,
}

impl Counted {
    fn new(task: Task, alive: &Arc<Latest<usize>>) -> Self {
        alive.change(|alive| *alive += 1);
        Self { task, _count: Count(Arc::clone(alive)) }
    }
}

impl Future for Counted {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.task.as_mut().poll(context)
    }
}

struct Count(Arc<Latest<usize>>);

impl Drop for Count {
    fn drop(&mut self) {
        self.0.change(|alive| *alive -= 1);
    }
}

#[derive(Default)]
struct Inbox {
    waiting: Vec<Task>,
    runs: Runs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Runs {
    #[default]
    NotYet,
    Now,
    Over,
}

impl Tasks {
    /// Runs `task` as soon as somebody runs these tasks; drops it if that is over.
    pub(crate) fn add(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut inbox = lock(&self.inbox);
        if inbox.runs != Runs::Over {
            inbox.waiting.push(Box::pin(task));
            drop(inbox);
            self.changed.notify_one();
        }
    }

    /// Ends the run, whenever it is.
    pub(crate) fn stop(&self) {
        let dropped = {
            let mut inbox = lock(&self.inbox);
            inbox.runs = Runs::Over;
            std::mem::take(&mut inbox.waiting)
        };
        drop(dropped);
        self.changed.notify_one();
    }

    /// Runs what was added and what will be, until [`stop`](Self::stop). Can be done once. What is in progress
    /// then comes to its next wait and is dropped before this returns (C-68).
    ///
    /// # Panics
    /// With the panic of a task, once the others are over: going on without it would be going on with a copy
    /// that stands still.
    pub(crate) async fn run(&self) {
        {
            let mut inbox = lock(&self.inbox);
            if inbox.runs != Runs::NotYet {
                tracing::warn!("a cache can be run once");
                return;
            }
            inbox.runs = Runs::Now;
        }
        let mut running = JoinSet::new();
        // Dropped before the tasks: whoever is woken by the end of one sees that all is over.
        let _over = StopOnDrop(self);
        let mut panic = None;
        while let Some(tasks) = self.take() {
            for task in tasks {
                running.spawn(Counted::new(task, &self.alive));
            }
            tokio::select! {
                biased;
                () = self.changed.notified() => {}
                Some(ended) = running.join_next() => {
                    if let Err(error) = ended {
                        panic = panic.or(panic_of(error));
                        self.stop();
                    }
                }
            }
        }
        running.shutdown().await;
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// Waits until no task is there that was begun. Without a [`stop`](Self::stop) before, that may be between
    /// two of them.
    pub(crate) async fn ended(&self) {
        self.alive.wait_for(|alive| alive == 0).await;
    }

    pub(crate) fn is_over(&self) -> bool {
        lock(&self.inbox).runs == Runs::Over
    }

    fn take(&self) -> Option<Vec<Task>> {
        let mut inbox = lock(&self.inbox);
        (inbox.runs != Runs::Over).then(|| std::mem::take(&mut inbox.waiting))
    }
}

/// Runs `task`. If it panics, `told` learns what was said before anything of it is dropped, and the panic
/// goes on.
pub(crate) async fn tell_of_panic(task: impl Future<Output = ()>, told: impl FnOnce(&str)) {
    let mut task = std::pin::pin!(task);
    let ended = std::future::poll_fn(|context| {
        match catch_unwind(AssertUnwindSafe(|| task.as_mut().poll(context))) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    });
    if let Err(panic) = ended.await {
        told(words(&*panic));
        resume_unwind(panic);
    }
}

/// The panic that ended a task. Without one the task was cancelled by the end of its runtime, which is no defect:
/// whoever runs these tasks ends with it.
fn panic_of(ended: JoinError) -> Option<Box<dyn Any + Send>> {
    let panic = ended.try_into_panic().ok()?;
    tracing::error!(said = words(&*panic), "a task of the cache ended badly");
    Some(panic)
}

/// What a panic said.
pub(crate) fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it did not say why")
}

/// A run that is dropped is over: nothing that is added later would ever be run.
struct StopOnDrop<'a>(&'a Tasks);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inbox = lock(&self.inbox);
        write!(f, "Tasks({:?}, {} waiting)", inbox.runs, inbox.waiting.len())
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Poll, Waker};

    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    use super::{Tasks, tell_of_panic, words};

    /// Counts what is told as an error.
    #[derive(Clone, Default)]
    struct Errors(Arc<AtomicUsize>);

    impl Subscriber for Errors {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            *metadata.level() == Level::ERROR
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, _: &Event<'_>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    /// C-68: what the tasks hold is given back when the run returns, not some time later.
    #[tokio::test]
    async fn c_68_a_run_returns_after_its_tasks() {
        let (tasks, held) = (Tasks::default(), Arc::new(()));
        let (task_held, started) = (Arc::clone(&held), Arc::new(tokio::sync::Notify::new()));
        let tell = Arc::clone(&started);
        tasks.add(async move {
            tell.notify_one();
            std::future::pending::<()>().await;
            drop(task_held);
        });
        tokio::join!(tasks.run(), async {
            started.notified().await;
            tasks.stop();
        });
        assert_eq!(Arc::strong_count(&held), 1);
    }

    /// Defect g of kube-rs: of a thousand tasks only those are polled that were woken.
    #[tokio::test]
    async fn defect_g_a_wake_polls_one_task_and_not_all() {
        let (tasks, polls) = (Tasks::default(), Arc::new(AtomicUsize::new(0)));
        for _ in 0..1000 {
            let polls = Arc::clone(&polls);
            tasks.add(std::future::poll_fn(move |_| {
                polls.fetch_add(1, Ordering::Relaxed);
                Poll::Pending
            }));
        }
        let (busy, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(tokio::sync::Notify::new()));
        let (count, tell) = (Arc::clone(&busy), Arc::clone(&done));
        tasks.add(async move {
            for _ in 0..100 {
                count.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
            }
            tell.notify_one();
        });
        tokio::join!(tasks.run(), async {
            done.notified().await;
            tasks.stop();
        });
        assert_eq!((busy.load(Ordering::Relaxed), polls.load(Ordering::Relaxed)), (100, 1000));
    }

    #[tokio::test]
    #[should_panic(expected = "out of ideas")]
    async fn a_run_raises_the_panic_of_a_task() {
        let tasks = Tasks::default();
        tasks.add(std::future::pending());
        tasks.add(async { panic!("out of ideas") });
        tasks.run().await;
    }

    /// A program that ends drops its runtime, which cancels tasks while a run may still be polled elsewhere.
    #[test]
    fn a_runtime_that_ends_is_no_defect_of_a_task() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let tasks = Tasks::default();
        tasks.add(std::future::pending());
        let mut run = pin!(tasks.run());
        let mut context = Context::from_waker(Waker::noop());
        let begun = runtime
            .block_on(std::future::poll_fn(|_| Poll::Ready(run.as_mut().poll(&mut context))));
        assert!(begun.is_pending());
        drop(runtime);
        let errors = Errors::default();
        let ended =
            tracing::subscriber::with_default(errors.clone(), || run.as_mut().poll(&mut context));
        assert!(ended.is_ready() && tasks.is_over());
        assert_eq!(errors.0.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn what_a_panic_said_is_told_before_it_goes_on() {
        let mut running = tokio::task::JoinSet::new();
        let told = Arc::new(std::sync::Mutex::new(String::new()));
        let heard = Arc::clone(&told);
        running.spawn(async move {
            let task = async { std::panic::panic_any(String::from("no more")) };
            tell_of_panic(task, |words| words.clone_into(&mut heard.lock().unwrap())).await;
        });
        let panic = running.join_next().await.unwrap().unwrap_err().into_panic();
        assert_eq!((words(&*panic), &**told.lock().unwrap()), ("no more", "no more"));
        assert_eq!(words(&7), "it did not say why");
    }
}
