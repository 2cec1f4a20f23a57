//! The resources of the API group `autoscaling`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::autoscaling::{v1, v2};

use crate::api::Api;
use crate::client::Client;

/// The versions of `autoscaling`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `autoscaling/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }

    /// `autoscaling/v2`.
    #[must_use]
    pub const fn v2(self) -> V2<'a> {
        V2(self.0)
    }
}

/// The resources of `autoscaling/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `horizontalpodautoscalers` of a namespace; of all when it is empty.
    #[must_use]
    pub fn horizontal_pod_autoscalers(
        self,
        namespace: impl Into<String>,
    ) -> Api<v1::HorizontalPodAutoscaler> {
        self.0.api().namespace(namespace)
    }
}

/// The resources of `autoscaling/v2`.
#[derive(Clone, Copy, Debug)]
pub struct V2<'a>(&'a Client);

impl V2<'_> {
    /// The `horizontalpodautoscalers` of a namespace; of all when it is empty.
    #[must_use]
    pub fn horizontal_pod_autoscalers(
        self,
        namespace: impl Into<String>,
    ) -> Api<v2::HorizontalPodAutoscaler> {
        self.0.api().namespace(namespace)
    }
}
