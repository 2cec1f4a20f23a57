//! Discovery that remembers (upstream: `discovery/cached/memory`).

use std::sync::{Arc, Mutex, PoisonError};

use watchkeeper_api::Result;

use super::{Catalog, ServerVersion};
use crate::client::Client;

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
    kept: Arc<Mutex<Option<Arc<Catalog>>>>,
}

impl Client {
    /// Discovery with a memory of its own.
    #[must_use]
    pub fn discovery_client(&self) -> DiscoveryClient {
        DiscoveryClient { client: self.clone(), kept: Arc::default() }
    }
}

impl DiscoveryClient {
    /// Everything that discovery tells: from memory, or read now.
    ///
    /// # Errors
    /// When the server cannot be reached, or says no. A version that cannot be read is in the catalog's
    /// `failed` list instead; such a catalog is not kept.
    ///
    /// # Cancel safety
    /// Dropping the future drops the request under way; the memory stays as it was.
    pub async fn catalog(&self) -> Result<Arc<Catalog>> {
        match self.kept() {
            Some(catalog) => Ok(catalog),
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
        let keep = catalog.failed.is_empty().then(|| Arc::clone(&catalog));
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = keep;
        Ok(catalog)
    }

    /// Forgets what was read.
    pub fn invalidate(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// What was read, if it is kept.
    #[must_use]
    pub fn kept(&self) -> Option<Arc<Catalog>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
