//! The resources of the API group `authorization`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use watchkeeper_api::authorization::v1;

use crate::api::Api;
use crate::client::Client;

/// The versions of `authorization`.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a Client);

impl<'a> Group<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self(client)
    }

    /// `authorization.k8s.io/v1`.
    #[must_use]
    pub const fn v1(self) -> V1<'a> {
        V1(self.0)
    }
}

/// The resources of `authorization.k8s.io/v1`.
#[derive(Clone, Copy, Debug)]
pub struct V1<'a>(&'a Client);

impl V1<'_> {
    /// The `localsubjectaccessreviews` of a namespace; of all when it is empty.
    #[must_use]
    pub fn local_subject_access_reviews(
        self,
        namespace: impl Into<String>,
    ) -> Api<v1::LocalSubjectAccessReview> {
        self.0.api().namespace(namespace)
    }

    /// The `selfsubjectaccessreviews`.
    #[must_use]
    pub fn self_subject_access_reviews(self) -> Api<v1::SelfSubjectAccessReview> {
        self.0.api()
    }

    /// The `selfsubjectrulesreviews`.
    #[must_use]
    pub fn self_subject_rules_reviews(self) -> Api<v1::SelfSubjectRulesReview> {
        self.0.api()
    }

    /// The `subjectaccessreviews`.
    #[must_use]
    pub fn subject_access_reviews(self) -> Api<v1::SubjectAccessReview> {
        self.0.api()
    }
}
