//! Discovery that remembers (upstream: `discovery/cached/memory`).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use watchkeeper_api::Result;

use super::{Catalog, ServerVersion};
use crate::client::Client;

/// How long a version that could not be read is not asked for again.
const FAILED_AGAIN: Duration = Duration::from_secs(5);

/// What the server has, read once and kept until it is invalidated. Clones share what is kept.
///
/// ```
/// # use watchkeeper_api::Result;
/// # use watchkeeper_client::Client;
/// # async fn f(client: Client) -> Result<()> {
/// let discovery = client.discovery_client();
/// for resource in discovery.catalog().await?.category("all") {
///     println!("{}", resource.kind.group_resource());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DiscoveryClient {
    client: Client,
    kept: Arc<Mutex<Option<Kept>>>,
}

#[derive(Clone, Debug)]
struct Kept {
    catalog: Arc<Catalog>,
    /// When the versions that could not be read were asked for last.
    asked: Instant,
}

impl Kept {
    fn new(catalog: Arc<Catalog>) -> Self {
        Self { catalog, asked: Instant::now() }
    }

    fn is_due(&self) -> bool {
        !self.catalog.failed.is_empty() && self.asked.elapsed() >= FAILED_AGAIN
    }
}

impl Client {
    /// Discovery with a memory of its own.
    #[must_use]
    pub fn discovery_client(&self) -> DiscoveryClient {
        DiscoveryClient { client: self.clone(), kept: Arc::default() }
    }
}

impl DiscoveryClient {
    /// Everything that discovery tells: from memory, or read now. Versions that could not be read are asked
    /// for again, those alone and at most every five seconds (upstream: on every call).
    ///
    /// # Errors
    /// When the server cannot be reached, or says no. A version that cannot be read is in the catalog's
    /// `failed` list instead.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way; what is remembered stays as it was.
    pub async fn catalog(&self) -> Result<Arc<Catalog>> {
        match self.remembered() {
            Some((catalog, true)) => Ok(self.ask_failed(&catalog).await),
            Some((catalog, false)) => Ok(catalog),
            None => self.refresh().await,
        }
    }

    /// Reads everything anew.
    ///
    /// # Errors
    /// As [`catalog`](Self::catalog).
    ///
    /// # Cancel safety
    /// As of [`catalog`](Self::catalog).
    pub async fn refresh(&self) -> Result<Arc<Catalog>> {
        let catalog = Arc::new(self.client.catalog().await?);
        *self.lock() = Some(Kept::new(Arc::clone(&catalog)));
        Ok(catalog)
    }

    /// Forgets what was read.
    pub fn invalidate(&self) {
        *self.lock() = None;
    }

    /// What was read, if it is kept.
    #[must_use]
    pub fn kept(&self) -> Option<Arc<Catalog>> {
        self.lock().as_ref().map(|kept| Arc::clone(&kept.catalog))
    }

    /// What is kept, and whether the caller is to ask for what of it could not be read: only one of several.
    fn remembered(&self) -> Option<(Arc<Catalog>, bool)> {
        let mut kept = self.lock();
        let kept = kept.as_mut()?;
        let due = kept.is_due();
        if due {
            kept.asked = Instant::now();
        }
        Some((Arc::clone(&kept.catalog), due))
    }

    async fn ask_failed(&self, known: &Arc<Catalog>) -> Arc<Catalog> {
        let mut catalog = Catalog::clone(known);
        for failed in std::mem::take(&mut catalog.failed) {
            let root = if failed.api_version.contains('/') { "/apis" } else { "/api" };
            match self.client.version_resources(root, &failed.api_version).await {
                Ok(resources) => catalog.put(&failed.api_version, resources),
                Err(error) => catalog.fail(&failed.api_version, &error),
            }
        }
        let catalog = Arc::new(catalog);
        let mut kept = self.lock();
        // Whoever forgot or read everything meanwhile knows better.
        if let Some(kept) = kept.as_mut().filter(|kept| Arc::ptr_eq(&kept.catalog, known)) {
            kept.catalog = Arc::clone(&catalog);
        }
        catalog
    }

    fn lock(&self) -> MutexGuard<'_, Option<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The server's version, asked anew.
    ///
    /// # Errors
    /// When it cannot be reached, or says no.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request.
    pub async fn server_version(&self) -> Result<ServerVersion> {
        self.client.server_version().await
    }

    /// The client underneath.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }
}
