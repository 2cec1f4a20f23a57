//! The resources of the API group `authentication`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::authentication::v1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `authentication`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `authentication.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }
}

/// The resources of `authentication.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `selfsubjectreviews`.
    #[must_use]
    pub fn self_subject_reviews(self) -> Api<v1::SelfSubjectReview> {
        self.0.api()
    }

    /// The `tokenreviews`.
    #[must_use]
    pub fn token_reviews(self) -> Api<v1::TokenReview> {
        self.0.api()
    }
}
