//! What lists say of themselves. What objects say is the trait [`Object`](watchkeeper_api::Object) (upstream:
//! `meta.Accessor`).

use std::sync::Arc;

use watchkeeper_client::{ListMeta, ListPage};

use crate::delta::Replacement;
use crate::store::Snapshot;

/// What a list says of itself (upstream: `meta.ListAccessor`).
pub trait ListAccessor {
    /// The version of the store that the list shows.
    fn resource_version(&self) -> &str;

    /// Where the next page starts; empty on the last one.
    fn continue_token(&self) -> &str {
        ""
    }

    /// How many objects are on further pages, if that is known.
    fn remaining_item_count(&self) -> Option<i64> {
        None
    }
}

impl<K> ListAccessor for ListPage<K> {
    fn resource_version(&self) -> &str {
        &self.resource_version
    }

    fn continue_token(&self) -> &str {
        &self.continue_
    }

    fn remaining_item_count(&self) -> Option<i64> {
        self.remaining
    }
}

impl ListAccessor for ListMeta {
    fn resource_version(&self) -> &str {
        &self.resource_version
    }

    fn continue_token(&self) -> &str {
        &self.continue_
    }

    fn remaining_item_count(&self) -> Option<i64> {
        self.remaining
    }
}

impl<K> ListAccessor for Replacement<K> {
    fn resource_version(&self) -> &str {
        &self.version
    }
}

impl<K> ListAccessor for Snapshot<K> {
    fn resource_version(&self) -> &str {
        self.version()
    }
}

/// The objects of a list, as stores hold them (upstream: `meta.ExtractList`).
///
/// ```
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_client::{Client, ListOptions};
/// use watchkeeper_cache::Store;
/// use watchkeeper_cache::classic::{ClassicStore, ListAccessor, extract_list};
///
/// # async fn f(client: Client) -> watchkeeper_client::Result<()> {
/// let page = client.api::<Pod>().list(&ListOptions::default()).await?;
/// let (store, version) = (Store::new(), page.resource_version().to_owned());
/// store.replace(extract_list(page), &version);
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn extract_list<K>(page: ListPage<K>) -> Vec<Arc<K>> {
    page.items.into_iter().map(Arc::new).collect()
}
