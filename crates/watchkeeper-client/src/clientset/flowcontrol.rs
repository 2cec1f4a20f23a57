//! The resources of the API group `flowcontrol`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::flowcontrol::v1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `flowcontrol`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `flowcontrol.apiserver.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }
}

/// The resources of `flowcontrol.apiserver.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `flowschemas`.
    #[must_use]
    pub fn flow_schemas(self) -> Api<v1::FlowSchema> {
        self.0.api()
    }

    /// The `prioritylevelconfigurations`.
    #[must_use]
    pub fn priority_level_configurations(self) -> Api<v1::PriorityLevelConfiguration> {
        self.0.api()
    }
}
