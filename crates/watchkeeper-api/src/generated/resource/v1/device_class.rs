//! `resource/v1`: `DeviceClass` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Raw};

/// `io.k8s.api.resource.v1.DeviceClass`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceClass {
    pub metadata: ObjectMeta,
    pub spec: DeviceClassSpec,
}

codec! { DeviceClass: "resource.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

kind! { DeviceClass "resource.k8s.io" "v1" "deviceclasses" Cluster }

/// `io.k8s.api.resource.v1.CELDeviceSelector`.
#[derive(Clone, Default, PartialEq)]
pub struct CELDeviceSelector {
    pub expression: IStr,
}

codec! { CELDeviceSelector
    0 "expression" [1] req expression .required()
    => [1 expression]
}

/// `io.k8s.api.resource.v1.DeviceClassConfiguration`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceClassConfiguration {
    pub opaque: Option<Box<OpaqueDeviceConfiguration>>,
}

codec! { DeviceClassConfiguration
    0 "opaque" [1 1] opt opaque
    => (1 [1 opaque])
}

/// `io.k8s.api.resource.v1.DeviceClassSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceClassSpec {
    pub selectors: List<DeviceSelector>,
    pub config: List<DeviceClassConfiguration>,
    pub extended_resource_name: Option<IStr>,
}

codec! { DeviceClassSpec
    0 "selectors" [1] opt selectors .list_atomic()
    1 "config" [2] opt config .list_atomic()
    2 "extendedResourceName" [4] opt extended_resource_name
    => [4 extended_resource_name] [2 config] [1 selectors]
}

/// `io.k8s.api.resource.v1.DeviceSelector`.
#[derive(Clone, Default, PartialEq)]
pub struct DeviceSelector {
    pub cel: Option<Box<CELDeviceSelector>>,
}

codec! { DeviceSelector
    0 "cel" [1] opt cel
    => [1 cel]
}

/// `io.k8s.api.resource.v1.OpaqueDeviceConfiguration`.
#[derive(Clone, Default, PartialEq)]
pub struct OpaqueDeviceConfiguration {
    pub driver: IStr,
    pub parameters: Raw,
}

codec! { OpaqueDeviceConfiguration
    0 "driver" [1] req driver .required()
    1 "parameters" [2] req parameters .required()
    => [2 parameters] [1 driver]
}
