//! `meta/v1`: `APIGroupList` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::{IStr, List};

/// `io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList`.
#[derive(Clone, Default, PartialEq)]
pub struct APIGroupList {
    pub groups: List<APIGroup>,
}

codec! { APIGroupList: any "v1"
    2 "groups" [1] opt groups .required() .list_atomic()
    => [1 groups]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup`.
#[derive(Clone, Default, PartialEq)]
pub struct APIGroup {
    pub name: IStr,
    pub versions: List<GroupVersionForDiscovery>,
    pub preferred_version: GroupVersionForDiscovery,
    pub server_address_by_client_cidrs: List<ServerAddressByClientCIDR>,
}

codec! { APIGroup: any "v1"
    2 "name" [1] req name .required()
    3 "versions" [2] opt versions .required() .list_atomic()
    4 "preferredVersion" [3] opt preferred_version
    5 "serverAddressByClientCIDRs" [4] opt server_address_by_client_cidrs .list_atomic()
    => [4 server_address_by_client_cidrs] [3 preferred_version] [2 versions] [1 name]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionForDiscovery`.
#[derive(Clone, Default, PartialEq)]
pub struct GroupVersionForDiscovery {
    pub group_version: IStr,
    pub version: IStr,
}

codec! { GroupVersionForDiscovery
    0 "groupVersion" [1] req group_version .required()
    1 "version" [2] req version .required()
    => [2 version] [1 group_version]
}

/// `io.k8s.apimachinery.pkg.apis.meta.v1.ServerAddressByClientCIDR`.
#[derive(Clone, Default, PartialEq)]
pub struct ServerAddressByClientCIDR {
    pub client_cidr: IStr,
    pub server_address: IStr,
}

codec! { ServerAddressByClientCIDR
    0 "clientCIDR" [1] req client_cidr .required()
    1 "serverAddress" [2] req server_address .required()
    => [2 server_address] [1 client_cidr]
}
