//! Reads of more than one object.

use std::borrow::Borrow;
use std::sync::Arc;

use watchkeeper_api::Object;
use watchkeeper_api::selector::Selector;

use super::Watch;
use crate::error::Result;
use crate::item::Item;
use crate::store::{Found, Index, Snapshot};

/// Lists that have every write that this process made before the call, and the same without a wait.
impl<K: Item> Watch<K> {
    /// Every object, in the order of the keys, with every write that this process made to objects of the kind
    /// before the call.
    ///
    /// Waits as [`get`](Self::get) does, but for the own writes to all of these objects. So does every list here
    /// that is a future; [`peek_all`](Self::peek_all), [`snapshot`](Self::snapshot) and an [`Index`] by
    /// themselves tell at once what there is.
    ///
    /// ```
    /// # use watchkeeper_api::core::v1::ConfigMap;
    /// # use watchkeeper_api::object;
    /// # use watchkeeper_apiserver::ApiServer;
    /// # use watchkeeper_cache::Cache;
    /// # use watchkeeper_client::{Client, CreateOptions};
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let client = Client::new(ApiServer::new());
    /// # let cache = Cache::new(&client);
    /// let client = client.observed_by(cache.observer());
    /// let maps = cache.watch::<ConfigMap>();
    /// # let work = async {
    /// let map = object!(ConfigMap { metadata: { generate_name: "a-", namespace: "default" } });
    /// while maps.list_in("default").await?.len() < 3 {
    ///     client.api_for(&map).create(&map, &CreateOptions::default()).await?;
    /// }
    /// assert_eq!(client.api::<ConfigMap>().list(&Default::default()).await?.items.len(), 3);
    /// # Ok(())
    /// # };
    /// # tokio::select! { biased; ended = work => ended, () = cache.run() => Ok(()) }
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Cancel safety
    /// Reading changes nothing: the future may be dropped at any time.
    pub async fn list(&self) -> Result<Vec<Arc<K>>> {
        Ok(self.current(None).await?.list())
    }

    /// Every object of a namespace, in the order of the names, with every write that this process made there
    /// before the call; writes elsewhere are not waited for.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Cancel safety
    /// Reading changes nothing: the future may be dropped at any time.
    pub async fn list_in(&self, namespace: &str) -> Result<Vec<Arc<K>>> {
        Ok(self.current(Some(namespace)).await?.list_in(namespace))
    }

    /// What an index of this copy has under a value, with every write that this process made to objects of the
    /// kind before the call. What value an object has is not known before it is there, so all are waited for.
    ///
    /// ```no_run
    /// # use watchkeeper_api::core::v1::Pod;
    /// # use watchkeeper_cache::Watch;
    /// # async fn f(pods: Watch<Pod>) -> watchkeeper_cache::Result<()> {
    /// let by_node = pods.index(|pod| [pod.spec.node_name.clone()]);
    /// let there = pods.found(&by_node, "node-1").await?.len();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Cancel safety
    /// Reading changes nothing: the future may be dropped at any time.
    pub async fn found<V, Q>(&self, index: &Index<K, V>, value: &Q) -> Result<Found<K>>
    where
        V: Ord + Clone + Send + Sync + 'static + Borrow<Q>,
        Q: Ord + Sync + ?Sized,
    {
        self.caught_up().await?;
        Ok(index.found(value))
    }

    /// Waits until the copy has every write that this process made to objects of its kind before the call:
    /// whatever is read then includes them. For several reads at one moment.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn caught_up(&self) -> Result<()> {
        self.current(None).await.map(drop)
    }

    /// The same for the objects of one namespace.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Cancel safety
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn caught_up_in(&self, namespace: &str) -> Result<()> {
        self.current(Some(namespace)).await.map(drop)
    }

    /// As [`caught_up`](Self::caught_up), but instead of waiting it fails: for those who would rather come back
    /// later.
    ///
    /// # Errors
    /// As [`get`](Self::get), at once.
    pub fn try_caught_up(&self) -> Result<()> {
        self.core.read_in_now(None).map(drop)
    }

    /// The same for the objects of one namespace.
    ///
    /// # Errors
    /// As [`get`](Self::get), at once.
    pub fn try_caught_up_in(&self, namespace: &str) -> Result<()> {
        self.core.read_in_now(Some(namespace)).map(drop)
    }

    /// Every object as the copy has it now, in the order of the keys, which may lack this process's own writes:
    /// for handlers, predicates and mappings, which do not wait.
    #[must_use]
    pub fn peek_all(&self) -> Vec<Arc<K>> {
        self.core.store.list()
    }

    /// The same of one namespace, in the order of the names.
    #[must_use]
    pub fn peek_in(&self, namespace: &str) -> Vec<Arc<K>> {
        self.core.store.list_in(namespace)
    }

    async fn current(&self, namespace: Option<&str>) -> Result<Snapshot<K>> {
        self.core.read_in(namespace, self.deadline).await
    }
}

impl<K: Object> Watch<K> {
    /// The objects whose labels match, in the order of the keys, of one namespace if one is given, with every
    /// write that this process made there before the call.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Cancel safety
    /// Reading changes nothing: the future may be dropped at any time.
    pub async fn matching(
        &self,
        selector: &Selector,
        namespace: Option<&str>,
    ) -> Result<Vec<Arc<K>>> {
        Ok(self.current(namespace).await?.matching(selector, namespace))
    }
}
