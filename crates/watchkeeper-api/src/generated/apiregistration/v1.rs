//! `apiregistration/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{ByteString, IStr, List, Time};

/// `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService`.
#[derive(Clone, Default, PartialEq)]
pub struct APIService {
    pub metadata: ObjectMeta,
    pub spec: APIServiceSpec,
    pub status: APIServiceStatus,
}

codec! { APIService: "apiregistration.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! { APIService "apiregistration.k8s.io" "v1" "apiservices" Cluster, APIServiceStatus }

/// `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct APIServiceCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
}

codec! { APIServiceCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastTransitionTime" [3; time] opt last_transition_time
    3 "reason" [4] opt reason
    4 "message" [5] opt message
    => [5 message] [4 reason] [3 last_transition_time; time] [2 status] [1 type_]
}

/// `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct APIServiceSpec {
    pub service: Option<Box<ServiceReference>>,
    pub group: IStr,
    pub version: IStr,
    pub insecure_skip_tls_verify: bool,
    pub ca_bundle: ByteString,
    pub group_priority_minimum: i32,
    pub version_priority: i32,
}

codec! { APIServiceSpec
    0 "service" [1] opt service
    1 "group" [2] opt group
    2 "version" [3] opt version
    3 "insecureSkipTLSVerify" [4] opt insecure_skip_tls_verify
    4 "caBundle" [5] opt ca_bundle .list_atomic()
    5 "groupPriorityMinimum" [7] req group_priority_minimum .required()
    6 "versionPriority" [8] req version_priority .required()
    => [8 version_priority] [7 group_priority_minimum] [5 ca_bundle] [4 insecure_skip_tls_verify]
       [3 version] [2 group] [1 service]
}

/// `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct APIServiceStatus {
    pub conditions: List<APIServiceCondition>,
}

codec! { APIServiceStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    => [1 conditions]
}

/// `io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceReference {
    pub namespace: IStr,
    pub name: IStr,
    pub port: Option<i32>,
}

codec! { ServiceReference
    0 "namespace" [1] opt namespace
    1 "name" [2] opt name
    2 "port" [3] opt port
    => [3 port] [2 name] [1 namespace]
}
