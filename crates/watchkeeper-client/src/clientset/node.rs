//! The resources of the API group `node`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::node::v1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `node`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `node.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }
}

/// The resources of `node.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `runtimeclasses`.
    #[must_use]
    pub fn runtime_classes(self) -> Api<v1::RuntimeClass> {
        self.0.api()
    }
}
