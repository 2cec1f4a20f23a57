//! What can be done with some kinds of k8s-openapi only.

use k8s_openapi::api::core::v1::{Pod, ServiceAccount};
use watchkeeper_api::{HasBinding, HasEviction, HasLogs, HasStreams, HasToken};

use crate::Kube;

impl HasLogs for Kube<Pod> {}
impl HasStreams for Kube<Pod> {}
impl HasEviction for Kube<Pod> {}
impl HasBinding for Kube<Pod> {}
impl HasToken for Kube<ServiceAccount> {}
