//! Waiting for an object (upstream: `UntilWithSync`, `kubectl wait`).

use std::time::Duration;

use tokio::time::timeout;
use watchkeeper_api::error::Why;
use watchkeeper_api::{Error, Object, Result};

use super::Api;
use crate::options::{ListOptions, WatchOptions};
use crate::request::Verb;
use crate::watch::WatchEvent;

impl<K: Object> Api<K> {
    /// Waits until `condition` says so of the object of this name, which is `None` while there is none, and
    /// returns it. Looks at what is there first, then at each change.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use watchkeeper_api::{core::v1::Pod, Result};
    /// # use watchkeeper_client::Client;
    /// # async fn f(client: Client) -> Result<()> {
    /// let pods = client.api::<Pod>().namespace("shop");
    /// let minute = Duration::from_secs(60);
    /// pods.wait_for("web-0", minute, |pod| pod.is_some_and(|pod| pod.status.phase == "Running")).await?;
    /// pods.wait_for("web-1", minute, |pod| pod.is_none()).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`is_timeout`](Error::is_timeout) when it did not happen within `deadline`; whatever the server says.
    ///
    /// # Cancel safety
    /// Dropping the future ends the wait.
    pub async fn wait_for(
        &self,
        name: &str,
        deadline: Duration,
        mut condition: impl FnMut(Option<&K>) -> bool,
    ) -> Result<Option<K>> {
        let waiting = async {
            loop {
                if let Some(found) = self.look_once(name, &mut condition).await? {
                    return Ok(found);
                }
            }
        };
        let late = |_elapsed| Err(Error::new(self.subject(Verb::Watch, name), Why::Late(deadline)));
        timeout(deadline, waiting).await.unwrap_or_else(late)
    }

    /// One list and one watch; `None` when the server forgot where the watch was.
    async fn look_once(
        &self,
        name: &str,
        condition: &mut impl FnMut(Option<&K>) -> bool,
    ) -> Result<Option<Option<K>>> {
        let only = format!("metadata.name={name}");
        let page = self.list(&ListOptions::default().fields(&only)).await?;
        let found = page.items.into_iter().next();
        if condition(found.as_ref()) {
            return Ok(Some(found));
        }
        let mut watch = self.watch_on(WatchOptions::since(page.resource_version).fields(&only))?;
        while let Some(event) = watch.next().await {
            let found = match event {
                Ok(WatchEvent::Added(object) | WatchEvent::Modified(object)) => Some(object),
                Ok(WatchEvent::Deleted(_)) => None,
                Ok(WatchEvent::Malformed(bad)) => return Err(bad.error),
                Ok(WatchEvent::Bookmark { .. }) => continue,
                Ok(WatchEvent::Error(status)) if status.code == 410 => return Ok(None),
                Ok(WatchEvent::Error(status)) => {
                    return Err(Error::from_status(self.subject(Verb::Watch, name), *status));
                }
                Err(error) if error.is_gone() => return Ok(None),
                Err(error) => return Err(error),
            };
            if condition(found.as_ref()) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}
