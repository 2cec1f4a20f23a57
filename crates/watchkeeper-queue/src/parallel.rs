//! Many pieces of work by several tasks at once.

use std::future::Future;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::resume_unwind;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::task::JoinSet;

/// How much there is to do, and by how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The pieces are `0..count`.
    pub count: usize,
    /// Tasks at most; never more than there are chunks.
    pub workers: NonZeroUsize,
    /// Pieces that a task takes at once: with little work a piece, more make for less talk.
    pub chunk: NonZeroUsize,
}

/// Does each piece exactly once, in tasks of the runtime, and waits for all; or until `stop`
/// completes, after which no piece is begun.
///
/// client-go's `ParallelizeUntil`.
///
/// ```
/// use std::num::NonZeroUsize;
/// use watchkeeper_queue::{Pieces, parallelize_until};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let four = NonZeroUsize::new(4).unwrap();
/// let pieces = Pieces { count: 100, workers: four, chunk: four };
/// let (sender, receiver) = std::sync::mpsc::channel();
/// let send = move |piece| {
///     let sent = sender.send(piece);
///     async move { sent.expect("the receiver is there") }
/// };
/// parallelize_until(std::future::pending(), pieces, send).await;
/// assert_eq!(receiver.iter().sum::<usize>(), 4950);
/// # }
/// ```
///
/// # Panics
///
/// With the panic of a piece; the tasks are stopped then.
///
/// # Cancel safety
///
/// Dropping the returned future stops every task where it waits.
pub async fn parallelize_until<F, W>(stop: impl Future<Output = ()>, pieces: Pieces, work: F)
where
    F: Fn(usize) -> W + Send + Sync + 'static,
    W: Future<Output = ()> + Send + 'static,
{
    let shared = Arc::new(Shared::new(pieces, work));
    let mut tasks = JoinSet::new();
    for _ in 0..pieces.tasks() {
        tasks.spawn(Arc::clone(&shared).work());
    }
    let mut stop = pin!(stop);
    loop {
        let ended = tokio::select! {
            biased;
            () = &mut stop, if !shared.is_stopped() => {
                shared.stopped.store(true, Ordering::Relaxed);
                continue;
            }
            ended = tasks.join_next() => ended,
        };
        match ended {
            None => return,
            Some(Ok(())) => {}
            Some(Err(error)) => {
                if let Ok(panic) = error.try_into_panic() {
                    resume_unwind(panic);
                }
            }
        }
    }
}

impl Pieces {
    fn tasks(self) -> usize {
        self.workers.get().min(self.count.div_ceil(self.chunk.get()))
    }
}

struct Shared<F> {
    pieces: Pieces,
    work: F,
    /// Pieces below this were taken by a task.
    begun: AtomicUsize,
    stopped: AtomicBool,
}

impl<F> Shared<F> {
    fn new(pieces: Pieces, work: F) -> Self {
        Self { pieces, work, begun: AtomicUsize::new(0), stopped: AtomicBool::new(false) }
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn next_chunk(&self) -> Option<Range<usize>> {
        let Pieces { count, chunk, .. } = self.pieces;
        let end = |begin: usize| count.min(begin.saturating_add(chunk.get()));
        let next = |begin| (begin < count).then(|| end(begin));
        let begin = self.begun.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        Some(begin..end(begin))
    }

    async fn work<W: Future<Output = ()>>(self: Arc<Self>)
    where
        F: Fn(usize) -> W,
    {
        while let Some(chunk) = self.next_chunk() {
            for piece in chunk {
                if self.is_stopped() {
                    return;
                }
                (self.work)(piece).await;
            }
        }
    }
}

#[cfg(test)]
mod tests;
