//! The resources of the API group `apiextensions`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::apiextensions::v1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `apiextensions`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `apiextensions.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }
}

/// The resources of `apiextensions.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `customresourcedefinitions`.
    #[must_use]
    pub fn custom_resource_definitions(self) -> Api<v1::CustomResourceDefinition> {
        self.0.api()
    }
}
