//! `core/v1`: what no kind holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::ObjectReference;
use crate::codec::codec;
use crate::{IStr, List, Time};

/// `io.k8s.api.core.v1.NodeProxyOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct NodeProxyOptions {
    pub path: IStr,
}

codec! { NodeProxyOptions: "v1"
    2 "path" [1] opt path
    => [1 path]
}

/// `io.k8s.api.core.v1.PodAttachOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct PodAttachOptions {
    pub stdin: bool,
    pub stdout: bool,
    pub stderr: bool,
    pub tty: bool,
    pub container: IStr,
}

codec! { PodAttachOptions: "v1"
    2 "stdin" [1] opt stdin
    3 "stdout" [2] opt stdout
    4 "stderr" [3] opt stderr
    5 "tty" [4] opt tty
    6 "container" [5] opt container
    => [5 container] [4 tty] [3 stderr] [2 stdout] [1 stdin]
}

/// `io.k8s.api.core.v1.PodExecOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct PodExecOptions {
    pub stdin: bool,
    pub stdout: bool,
    pub stderr: bool,
    pub tty: bool,
    pub container: IStr,
    pub command: List<IStr>,
}

codec! { PodExecOptions: "v1"
    2 "stdin" [1] opt stdin
    3 "stdout" [2] opt stdout
    4 "stderr" [3] opt stderr
    5 "tty" [4] opt tty
    6 "container" [5] opt container
    7 "command" [6] opt command
    => [6 command] [5 container] [4 tty] [3 stderr] [2 stdout] [1 stdin]
}

/// `io.k8s.api.core.v1.PodLogOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct PodLogOptions {
    pub container: IStr,
    pub follow: bool,
    pub previous: bool,
    pub since_seconds: Option<i64>,
    pub since_time: Option<Time>,
    pub timestamps: bool,
    pub tail_lines: Option<i64>,
    pub limit_bytes: Option<i64>,
    pub insecure_skip_tls_verify_backend: bool,
    pub stream: Option<IStr>,
}

codec! { PodLogOptions: "v1"
    2 "container" [1] opt container
    3 "follow" [2] opt follow
    4 "previous" [3] opt previous
    5 "sinceSeconds" [4] opt since_seconds
    6 "sinceTime" [5] opt since_time
    7 "timestamps" [6] opt timestamps
    8 "tailLines" [7] opt tail_lines
    9 "limitBytes" [8] opt limit_bytes
    10 "insecureSkipTLSVerifyBackend" [9] opt insecure_skip_tls_verify_backend
    11 "stream" [10] opt stream
    => [10 stream] [9 insecure_skip_tls_verify_backend] [8 limit_bytes] [7 tail_lines]
       [6 timestamps] [5 since_time] [4 since_seconds] [3 previous] [2 follow] [1 container]
}

/// `io.k8s.api.core.v1.PodPortForwardOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct PodPortForwardOptions {
    pub ports: List<i32>,
}

codec! { PodPortForwardOptions: "v1"
    2 "ports" [1] opt ports
    => [1 ports]
}

/// `io.k8s.api.core.v1.PodProxyOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct PodProxyOptions {
    pub path: IStr,
}

codec! { PodProxyOptions: "v1"
    2 "path" [1] opt path
    => [1 path]
}

/// `io.k8s.api.core.v1.SerializedReference`.
#[derive(Clone, Default, PartialEq)]
pub struct SerializedReference {
    pub reference: ObjectReference,
}

codec! { SerializedReference: "v1"
    2 "reference" [1] opt reference .map_atomic()
    => [1 reference]
}

/// `io.k8s.api.core.v1.ServiceProxyOptions`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceProxyOptions {
    pub path: IStr,
}

codec! { ServiceProxyOptions: "v1"
    2 "path" [1] opt path
    => [1 path]
}

/// `io.k8s.api.core.v1.TopologySelectorLabelRequirement`.
#[derive(Clone, Default, PartialEq)]
pub struct TopologySelectorLabelRequirement {
    pub key: IStr,
    pub values: List<IStr>,
}

codec! { TopologySelectorLabelRequirement
    0 "key" [1] req key .required()
    1 "values" [2] opt values .required() .list_atomic()
    => [2 values] [1 key]
}

/// `io.k8s.api.core.v1.TopologySelectorTerm`.
#[derive(Clone, Default, PartialEq)]
pub struct TopologySelectorTerm {
    pub match_label_expressions: List<TopologySelectorLabelRequirement>,
}

codec! { TopologySelectorTerm
    0 "matchLabelExpressions" [1] opt match_label_expressions .list_atomic()
    => [1 match_label_expressions]
}
