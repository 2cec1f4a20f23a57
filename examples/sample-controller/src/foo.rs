//! The custom resource: a Foo asks for a Deployment by name.

use watchkeeper::prelude::*;

/// A request for a Deployment of nginx.
///
/// Upstream's `samplecontroller.k8s.io/v1alpha1` Foo.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(
    group = "samplecontroller.k8s.io",
    version = "v1alpha1",
    plural = "foos",
    status,
    printcolumn("Deployment", "string", ".spec.deploymentName"),
    printcolumn("Replicas", "integer", ".spec.replicas"),
    printcolumn("Available", "integer", ".status.availableReplicas"),
    printcolumn("Age", "date", ".metadata.creationTimestamp")
)]
pub struct Foo {
    /// Standard object metadata.
    pub metadata: ObjectMeta,
    /// What is asked for.
    pub spec: FooSpec,
    /// What was seen.
    pub status: FooStatus,
}

/// What a Foo asks for.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
pub struct FooSpec {
    /// The name of the Deployment, in the Foo's namespace.
    #[field(optional)]
    pub deployment_name: IStr,
    /// How many replicas the Deployment runs; left to the Deployment where absent.
    #[field(minimum = 1, maximum = 10)]
    pub replicas: Option<i32>,
}

/// What was seen of a Foo's Deployment.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
pub struct FooStatus {
    /// The replicas that are available.
    #[field(optional)]
    pub available_replicas: i32,
}
