//! The resources of the API group `policy`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::policy::v1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `policy`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `policy/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }
}

/// The resources of `policy/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `poddisruptionbudgets` of a namespace; of all when it is empty.
    #[must_use]
    pub fn pod_disruption_budgets(
        self,
        namespace: impl Into<String>,
    ) -> Api<v1::PodDisruptionBudget> {
        self.0.api().namespace(namespace)
    }
}
