//! Changes as a stream, for those who would rather ask for the next one than be called.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use futures_core::stream::FusedStream;

use crate::change::Change;
use crate::error::{Error, Result, Why};
use crate::hub::{Desk, HandlerOptions, Next};
use crate::item::Item;
use crate::mailbox::Letter;
use crate::source::Source;
use crate::status::Status;
use crate::watch::Subscription;

/// Everything there is, marked as initial, and then every change, in order of each object: a `Stream` of what
/// a handler is called with ([`Watch::changes`](crate::Watch::changes),
/// [`Namespaces::changes`](crate::Namespaces::changes), [`Source::changes`]).
///
/// What was not asked for waits in a buffer, and when that is full the [policy](crate::Overflow) of
/// [`HandlerOptions`] applies. A stream that was too slow for a policy that drops it yields one
/// [error](crate::Error::is_lagged), and ends; one whose copy is not followed any more ends without. It holds
/// the copy: dropping the stream gives it up.
///
/// ```
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_api::{Object, object};
/// # use watchkeeper_apiserver::ApiServer;
/// # use watchkeeper_client::{Client, CreateOptions};
/// use watchkeeper_cache::{Cache, Change};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let client = Client::new(ApiServer::new());
/// # let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
/// # client.api_for(&map).create(&map, &CreateOptions::default()).await?;
/// let cache = Cache::new(&client);
/// let mut changes = cache.watch::<ConfigMap>().changes();
/// let work = async {
///     while let Some(change) = changes.next().await {
///         match change? {
///             Change::Added { new, .. } => println!("{} is here", new.key()),
///             Change::Updated { old, new } => println!("{} was {:?}", new.key(), old.data),
///             Change::Deleted { last, .. } => println!("{} is gone", last.key()),
///         }
/// #       break;
///     }
///     Ok(())
/// };
/// tokio::select! {
///     biased;
///     ended = work => ended,
///     () = cache.run() => Ok(()),
/// }
/// # }
/// ```
#[must_use = "dropping a stream of changes ends it"]
pub struct Changes<K: Item> {
    source: Source<K>,
    desk: Arc<Desk<K>>,
    place: Subscription,
    what: String,
    /// Until there may be something.
    waiting: Option<Pin<Box<dyn Future<Output = ()> + Send + Sync>>>,
    ended: bool,
}

impl<K: Item> Changes<K> {
    pub(crate) fn new(source: Source<K>, options: HandlerOptions) -> Self {
        let (desk, what) = (Desk::new(), options.name.clone());
        let place = source.place(options, &desk);
        Self { source, desk, place, what, waiting: None, ended: false }
    }

    /// The next change; `None` once it is over.
    ///
    /// # Errors
    /// [`is_lagged`](crate::Error::is_lagged) when too many changes waited, and the policy is to end then. It
    /// is the last that comes.
    ///
    /// # Cancel safety
    /// A change is taken out only to be returned: the future may be dropped at any time, and nothing is lost.
    pub async fn next(&mut self) -> Option<Result<Change<K>>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// Whether everything there was when the stream was made has been taken out of it, and more asked for.
    #[must_use]
    pub fn has_synced(&self) -> bool {
        self.place.has_synced()
    }

    /// How many changes wait.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.place.pending()
    }

    /// Whether too many changes waited, and the stream ends therefore.
    #[must_use]
    pub fn is_lagged(&self) -> bool {
        self.desk.group.is_lagged()
    }

    /// The last word, if there is one.
    fn end(&mut self) -> Option<Result<Change<K>>> {
        self.ended = true;
        self.waiting = None;
        self.is_lagged().then(|| {
            let mut copies = self.source.status();
            if copies.is_empty() {
                copies.push(Status::default());
            }
            let subject = format!("{} of {}", self.what, self.source.kind().group_resource());
            Err(Error::about(subject, Why::Lagged, copies))
        })
    }
}

impl<K: Item> Stream for Changes<K> {
    type Item = Result<Change<K>>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Change<K>>>> {
        let this = &mut *self;
        if this.ended {
            return Poll::Ready(None);
        }
        loop {
            // A reader that always finds something must let the other tasks of its thread go on, too, and so
            // must one that wants nothing of it.
            let budget = ready!(tokio::task::coop::poll_proceed(context));
            match this.desk.take() {
                Next::Letter(post, taken) => {
                    budget.made_progress();
                    match taken.letter {
                        Letter::Synced => post.told_all(),
                        Letter::Change(change) if this.source.wants(&change) => {
                            return Poll::Ready(Some(Ok(change)));
                        }
                        Letter::Change(_) => {}
                    }
                }
                Next::Over => return Poll::Ready(this.end()),
                Next::Nothing if this.place.is_closed() => return Poll::Ready(this.end()),
                Next::Nothing => {
                    let desk = &this.desk;
                    let waiting = this.waiting.get_or_insert_with(|| {
                        let desk = Arc::clone(desk);
                        Box::pin(async move { desk.rung().await })
                    });
                    ready!(waiting.as_mut().poll(context));
                    this.waiting = None;
                }
            }
        }
    }
}

impl<K: Item> FusedStream for Changes<K> {
    fn is_terminated(&self) -> bool {
        self.ended
    }
}

impl<K: Item> Drop for Changes<K> {
    fn drop(&mut self) {
        // What waits is not kept by those who tell.
        self.desk.leave();
    }
}

impl<K: Item> fmt::Debug for Changes<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Changes({}, {:?})", self.what, self.source)
    }
}
