//! Lists, then watches, then lists again.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::Object as _;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Delta, Replacement};
use watchkeeper_client::{Api, ListOptions, WatchEvent, WatchOptions};

use super::Shared;
use crate::bugs::Bug;

/// Why a watch is over.
enum Over {
    /// The version is gone.
    Gone,
    /// The connection broke.
    Broken,
    /// The server ended it.
    Ended,
}

impl Shared {
    pub(super) async fn follow(&self) {
        let api = self.client.api::<ConfigMap>().namespace(&*self.namespace);
        loop {
            let Some(mut version) = self.list(&api).await else {
                sleep(Duration::from_secs(1)).await;
                continue;
            };
            let mut first = None;
            loop {
                match self.watch(&api, &mut version, &mut first).await {
                    Over::Gone if !self.has(Bug::GoneKeepsVersion) => break,
                    Over::Broken if self.has(Bug::CutEventCounts) => {
                        version = following(&version, 1);
                    }
                    Over::Gone | Over::Broken | Over::Ended => {}
                }
                sleep(Duration::from_millis(500)).await;
            }
        }
    }

    async fn list(&self, api: &Api<ConfigMap>) -> Option<String> {
        let page = api.list_all(&ListOptions::default()).await.ok()?;
        let version = page.resource_version.clone();
        let items = page.items.into_iter().map(Arc::new).collect();
        let list = Replacement {
            items,
            unreadable: Vec::new(),
            nameless: false,
            version: page.resource_version,
        };
        self.apply(Delta::Replaced(list)).await;
        Some(version)
    }

    async fn watch(
        &self,
        api: &Api<ConfigMap>,
        version: &mut String,
        first: &mut Option<Arc<ConfigMap>>,
    ) -> Over {
        let mut stream = match api.watch(&WatchOptions::since(&**version)).await {
            Ok(stream) => stream,
            Err(error) if error.is_gone() => return Over::Gone,
            Err(_) => return Over::Broken,
        };
        if let Some(stale) = first.take().filter(|_| self.has(Bug::StaleAgain)) {
            self.apply(Delta::Updated(stale)).await;
        }
        while let Some(event) = stream.next().await {
            let (object, is_gone) = match event {
                Ok(WatchEvent::Added(map) | WatchEvent::Modified(map)) => (Arc::new(map), false),
                Ok(WatchEvent::Deleted(map)) => (Arc::new(map), true),
                Ok(WatchEvent::Bookmark { resource_version, .. }) => {
                    self.bookmark(version, resource_version).await;
                    continue;
                }
                Ok(WatchEvent::Error(status)) if status.code == 410 => return Over::Gone,
                Ok(WatchEvent::Malformed(_)) => continue,
                Ok(WatchEvent::Error(_)) | Err(_) => return Over::Broken,
            };
            if !is_newer(object.resource_version(), version) && !self.has(Bug::ReplayedAgain) {
                continue;
            }
            object.resource_version().clone_into(version);
            if is_gone {
                self.apply(Delta::Deleted(object)).await;
            } else {
                first.get_or_insert_with(|| Arc::clone(&object));
                self.apply(Delta::Updated(object)).await;
            }
        }
        Over::Ended
    }

    async fn bookmark(&self, version: &mut String, told: String) {
        if self.has(Bug::BookmarkGoesTooFar) {
            *version = following(&told, 2);
        } else if is_newer(&told, version) {
            version.clone_from(&told);
        }
        if is_newer(&told, &self.store.version()) {
            self.apply(Delta::Bookmark(told)).await;
        }
    }
}

fn number(version: &str) -> u64 {
    version.parse().unwrap_or(0)
}

fn is_newer(told: &str, version: &str) -> bool {
    number(told) > number(version)
}

/// The version so many further on.
fn following(version: &str, more: u64) -> String {
    (number(version) + more).to_string()
}
