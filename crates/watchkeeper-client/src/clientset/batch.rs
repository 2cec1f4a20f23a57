//! The resources of the API group `batch`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::batch::v1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `batch`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `batch/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }
}

/// The resources of `batch/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `cronjobs` of a namespace; of all when it is empty.
    #[must_use]
    pub fn cron_jobs(self, namespace: impl Into<String>) -> Api<v1::CronJob> {
        self.0.api().namespace(namespace)
    }

    /// The `jobs` of a namespace; of all when it is empty.
    #[must_use]
    pub fn jobs(self, namespace: impl Into<String>) -> Api<v1::Job> {
        self.0.api().namespace(namespace)
    }
}
