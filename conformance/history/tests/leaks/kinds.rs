//! Kinds that are known from their type, and those that the server is asked for.

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object, Unstructured};
use watchkeeper_client::{PartialObject, Select};

/// What is copied.
pub(crate) trait Copied: Object {
    /// Whether the server is asked what they are, as only their plural is known.
    const IS_ASKED_FOR: bool;

    fn all() -> Select<Self>;
}

impl Copied for ConfigMap {
    const IS_ASKED_FOR: bool = false;

    fn all() -> Select<Self> {
        Select::all()
    }
}

impl Copied for Unstructured {
    const IS_ASKED_FOR: bool = true;

    fn all() -> Select<Self> {
        Select::resource("v1", "configmaps")
    }
}

impl Copied for PartialObject {
    const IS_ASKED_FOR: bool = true;

    fn all() -> Select<Self> {
        Select::resource("v1", "configmaps")
    }
}
