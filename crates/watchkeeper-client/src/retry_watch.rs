//! A watch that goes on after its connection ended (upstream: `tools/watch`).

use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{Error, Object, Result};

use crate::api::Api;
use crate::options::WatchOptions;
use crate::request::Verb;
use crate::watch::{WatchEvent, WatchStream};

/// Between two starts, at least.
const PAUSE: Duration = Duration::from_secs(1);

/// A watch that is opened again where it ended, so that each event comes once (upstream: `RetryWatcher`).
///
/// It keeps no copy: who needs one takes a cache. Bookmarks are used and not told. It ends with the error
/// that only the caller can mend: a version that is forgotten (410), and no leave to watch.
#[derive(Debug)]
pub struct RetryWatch<K> {
    api: Api<K>,
    options: WatchOptions,
    stream: Option<WatchStream<K>>,
    /// No start before this.
    next_start: Option<Instant>,
    ended: bool,
}

impl<K: Object> Api<K> {
    /// Follows the objects from the version in `options` on, across connections.
    ///
    /// ```
    /// # use watchkeeper_api::{core::v1::Pod, Object, Result};
    /// # use watchkeeper_client::{Client, ListOptions, WatchEvent, WatchOptions};
    /// # async fn f(client: Client) -> Result<()> {
    /// let pods = client.api::<Pod>().namespace("shop");
    /// let now = pods.list(&ListOptions::default().limit(1)).await?.resource_version;
    /// let mut watch = pods.watch_on(WatchOptions::since(now))?;
    /// let deleted = watch.until(|event| Ok(matches!(event, WatchEvent::Deleted(_)))).await?;
    /// println!("{deleted:?}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// A version that is empty or `0`: where to go on would be anybody's guess.
    pub fn watch_on(&self, options: WatchOptions) -> Result<RetryWatch<K>> {
        if matches!(options.resource_version.as_str(), "" | "0") {
            let error = Error::usage(format!(
                "a watch that goes on must start at a version, not at {:?}",
                options.resource_version
            ));
            return Err(error.about(self.subject(Verb::Watch, "")));
        }
        let options = WatchOptions { bookmarks: true, send_initial_events: false, ..options };
        Ok(RetryWatch { api: self.clone(), options, stream: None, next_start: None, ended: false })
    }
}

impl<K: Object> RetryWatch<K> {
    /// The version up to which everything was told.
    #[must_use]
    pub fn resource_version(&self) -> &str {
        &self.options.resource_version
    }

    /// The next event; `None` after one that ended the watch. It waits until there is one, without a deadline.
    ///
    /// # Errors
    /// What only the caller can mend. The watch is over then.
    ///
    /// # Cancel safety
    /// No event is lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Result<WatchEvent<K>>> {
        loop {
            if self.ended {
                return None;
            }
            let event = match self.step().await {
                Ok(Some(event)) => event,
                Ok(None) => continue,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            };
            self.ended = matches!(event, WatchEvent::Error(_));
            return Some(Ok(event));
        }
    }

    /// Waits for the first event of which `condition` says so. Of several conditions wait for one after the
    /// other.
    ///
    /// It waits as long as the condition takes, across any number of connections: the client's deadline bounds
    /// each start and no more. Who cannot wait so long says so, or takes [`Api::wait_for`](crate::Api::wait_for),
    /// which has a deadline of its own:
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_client::{RetryWatch, WatchEvent};
    /// # async fn f(watch: &mut RetryWatch<Pod>) {
    /// let deleted = watch.until(|event| Ok(matches!(event, WatchEvent::Deleted(_))));
    /// match tokio::time::timeout(Duration::from_secs(60), deleted).await {
    ///     Ok(deleted) => println!("{deleted:?}"),
    ///     Err(_) => println!("not yet; the watch can be asked on"),
    /// }
    /// # }
    /// ```
    ///
    /// # Errors
    /// What `condition` says; what ended the watch.
    ///
    /// # Cancel safety
    /// No event is lost when the future is dropped.
    pub async fn until(
        &mut self,
        mut condition: impl FnMut(&WatchEvent<K>) -> Result<bool>,
    ) -> Result<WatchEvent<K>> {
        while let Some(event) = self.next().await {
            let event = event?;
            if let WatchEvent::Error(status) = event {
                return Err(Error::from_status(self.api.subject(Verb::Watch, ""), *status));
            }
            if condition(&event)? {
                return Ok(event);
            }
        }
        let error = Error::other("the watch ended before what was waited for happened");
        Err(error.about(self.api.subject(Verb::Watch, "")))
    }

    /// One event that the caller wants to see, or `None` to go on.
    async fn step(&mut self) -> Result<Option<WatchEvent<K>>> {
        let Some(stream) = &mut self.stream else {
            self.stream = self.start().await?;
            return Ok(None);
        };
        // However it ended, it is opened again where it was.
        let Some(Ok(event)) = stream.next().await else {
            self.stream = None;
            return Ok(None);
        };
        Ok(self.seen(event))
    }

    async fn start(&mut self) -> Result<Option<WatchStream<K>>> {
        if let Some(next_start) = self.next_start {
            sleep_until(next_start).await;
        }
        self.pause(PAUSE);
        match self.api.watch(&self.options).await {
            Ok(stream) => Ok(Some(stream)),
            Err(error) if is_final(&error) => Err(error),
            Err(error) => {
                self.pause(error.retry_after().unwrap_or(PAUSE).max(PAUSE));
                Ok(None)
            }
        }
    }

    fn pause(&mut self, wait: Duration) {
        self.next_start = Instant::now().checked_add(wait);
    }

    fn seen(&mut self, event: WatchEvent<K>) -> Option<WatchEvent<K>> {
        let version = match &event {
            WatchEvent::Added(object)
            | WatchEvent::Modified(object)
            | WatchEvent::Deleted(object) => object.resource_version(),
            WatchEvent::Bookmark { resource_version, .. } => resource_version,
            WatchEvent::Malformed(bad) => &bad.resource_version,
            WatchEvent::Error(status) => return self.failed(status).then_some(event),
        };
        if !version.is_empty() {
            version.clone_into(&mut self.options.resource_version);
        }
        (!matches!(event, WatchEvent::Bookmark { .. })).then_some(event)
    }

    /// Whether an error in the stream is final; otherwise the watch is opened again.
    fn failed(&mut self, status: &Status) -> bool {
        if matches!(status.code, 410 | 401 | 403) {
            return true;
        }
        self.stream = None;
        let seconds = status.details.as_ref().map_or(0, |details| details.retry_after_seconds);
        self.pause(PAUSE.max(Duration::from_secs(u64::try_from(seconds).unwrap_or(0))));
        false
    }
}

/// Trying again changes nothing.
fn is_final(error: &Error) -> bool {
    error.is_gone()
        || error.is_forbidden()
        || error.is_unauthorized()
        || error.is_bad_request()
        || error.is_invalid()
        || error.is_not_found()
        || matches!(error.why(), watchkeeper_api::error::Why::Usage(_))
}
