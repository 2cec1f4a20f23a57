//! `core/v1`: `PersistentVolumeSpec` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{
    AWSElasticBlockStoreVolumeSource, AzureDiskVolumeSource, FCVolumeSource, FlockerVolumeSource,
    GCEPersistentDiskVolumeSource, HostPathVolumeSource, NFSVolumeSource, NodeSelector,
    PhotonPersistentDiskVolumeSource, PortworxVolumeSource, QuobyteVolumeSource,
    VsphereVirtualDiskVolumeSource,
};
use crate::codec::codec;
use crate::{IStr, List, Map, Quantity};

/// `io.k8s.api.core.v1.PersistentVolumeSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct PersistentVolumeSpec {
    pub capacity: Map<Quantity>,
    pub gce_persistent_disk: Option<Box<GCEPersistentDiskVolumeSource>>,
    pub aws_elastic_block_store: Option<Box<AWSElasticBlockStoreVolumeSource>>,
    pub host_path: Option<Box<HostPathVolumeSource>>,
    pub glusterfs: Option<Box<GlusterfsPersistentVolumeSource>>,
    pub nfs: Option<Box<NFSVolumeSource>>,
    pub rbd: Option<Box<RBDPersistentVolumeSource>>,
    pub iscsi: Option<Box<ISCSIPersistentVolumeSource>>,
    pub cinder: Option<Box<CinderPersistentVolumeSource>>,
    pub cephfs: Option<Box<CephFSPersistentVolumeSource>>,
    pub fc: Option<Box<FCVolumeSource>>,
    pub flocker: Option<Box<FlockerVolumeSource>>,
    pub flex_volume: Option<Box<FlexPersistentVolumeSource>>,
    pub azure_file: Option<Box<AzureFilePersistentVolumeSource>>,
    pub vsphere_volume: Option<Box<VsphereVirtualDiskVolumeSource>>,
    pub quobyte: Option<Box<QuobyteVolumeSource>>,
    pub azure_disk: Option<Box<AzureDiskVolumeSource>>,
    pub photon_persistent_disk: Option<Box<PhotonPersistentDiskVolumeSource>>,
    pub portworx_volume: Option<Box<PortworxVolumeSource>>,
    pub scale_io: Option<Box<ScaleIOPersistentVolumeSource>>,
    pub local: Option<Box<LocalVolumeSource>>,
    pub storageos: Option<Box<StorageOSPersistentVolumeSource>>,
    pub csi: Option<Box<CSIPersistentVolumeSource>>,
    pub access_modes: List<IStr>,
    pub claim_ref: Option<Box<ObjectReference>>,
    pub persistent_volume_reclaim_policy: IStr,
    pub storage_class_name: IStr,
    pub mount_options: List<IStr>,
    pub volume_mode: Option<IStr>,
    pub node_affinity: Option<Box<VolumeNodeAffinity>>,
    pub volume_attributes_class_name: Option<IStr>,
}

codec! { PersistentVolumeSpec
    0 "capacity" [1] opt capacity
    1 "gcePersistentDisk" [2 1] opt gce_persistent_disk
    2 "awsElasticBlockStore" [2 2] opt aws_elastic_block_store
    3 "hostPath" [2 3] opt host_path
    4 "glusterfs" [2 4] opt glusterfs
    5 "nfs" [2 5] opt nfs
    6 "rbd" [2 6] opt rbd
    7 "iscsi" [2 7] opt iscsi
    8 "cinder" [2 8] opt cinder
    9 "cephfs" [2 9] opt cephfs
    10 "fc" [2 10] opt fc
    11 "flocker" [2 11] opt flocker
    12 "flexVolume" [2 12] opt flex_volume
    13 "azureFile" [2 13] opt azure_file
    14 "vsphereVolume" [2 14] opt vsphere_volume
    15 "quobyte" [2 15] opt quobyte
    16 "azureDisk" [2 16] opt azure_disk
    17 "photonPersistentDisk" [2 17] opt photon_persistent_disk
    18 "portworxVolume" [2 18] opt portworx_volume
    19 "scaleIO" [2 19] opt scale_io
    20 "local" [2 20] opt local
    21 "storageos" [2 21] opt storageos
    22 "csi" [2 22] opt csi
    23 "accessModes" [3] opt access_modes .list_atomic()
    24 "claimRef" [4] opt claim_ref .map_granular()
    25 "persistentVolumeReclaimPolicy" [5] opt persistent_volume_reclaim_policy
    26 "storageClassName" [6] opt storage_class_name
    27 "mountOptions" [7] opt mount_options .list_atomic()
    28 "volumeMode" [8] opt volume_mode
    29 "nodeAffinity" [9] opt node_affinity
    30 "volumeAttributesClassName" [10] opt volume_attributes_class_name
    => [10 volume_attributes_class_name] [9 node_affinity] [8 volume_mode] [7 mount_options]
       [6 storage_class_name] [5 persistent_volume_reclaim_policy] [4 claim_ref] [3 access_modes]
       (2 [22 csi] [21 storageos] [20 local] [19 scale_io] [18 portworx_volume]
       [17 photon_persistent_disk] [16 azure_disk] [15 quobyte] [14 vsphere_volume] [13 azure_file]
       [12 flex_volume] [11 flocker] [10 fc] [9 cephfs] [8 cinder] [7 iscsi] [6 rbd] [5 nfs]
       [4 glusterfs] [3 host_path] [2 aws_elastic_block_store] [1 gce_persistent_disk]) [1 capacity]
}

/// `io.k8s.api.core.v1.AzureFilePersistentVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct AzureFilePersistentVolumeSource {
    pub secret_name: IStr,
    pub share_name: IStr,
    pub read_only: bool,
    pub secret_namespace: Option<IStr>,
}

codec! { AzureFilePersistentVolumeSource
    0 "secretName" [1] req secret_name .required()
    1 "shareName" [2] req share_name .required()
    2 "readOnly" [3] opt read_only
    3 "secretNamespace" [4] opt secret_namespace
    => [4 secret_namespace] [3 read_only] [2 share_name] [1 secret_name]
}

/// `io.k8s.api.core.v1.CSIPersistentVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct CSIPersistentVolumeSource {
    pub driver: IStr,
    pub volume_handle: IStr,
    pub read_only: bool,
    pub fs_type: IStr,
    pub volume_attributes: Map,
    pub controller_publish_secret_ref: Option<Box<SecretReference>>,
    pub node_stage_secret_ref: Option<Box<SecretReference>>,
    pub node_publish_secret_ref: Option<Box<SecretReference>>,
    pub controller_expand_secret_ref: Option<Box<SecretReference>>,
    pub node_expand_secret_ref: Option<Box<SecretReference>>,
}

codec! { CSIPersistentVolumeSource
    0 "driver" [1] req driver .required()
    1 "volumeHandle" [2] req volume_handle .required()
    2 "readOnly" [3] opt read_only
    3 "fsType" [4] opt fs_type
    4 "volumeAttributes" [5] opt volume_attributes
    5 "controllerPublishSecretRef" [6] opt controller_publish_secret_ref .map_atomic()
    6 "nodeStageSecretRef" [7] opt node_stage_secret_ref .map_atomic()
    7 "nodePublishSecretRef" [8] opt node_publish_secret_ref .map_atomic()
    8 "controllerExpandSecretRef" [9] opt controller_expand_secret_ref .map_atomic()
    9 "nodeExpandSecretRef" [10] opt node_expand_secret_ref .map_atomic()
    => [10 node_expand_secret_ref] [9 controller_expand_secret_ref] [8 node_publish_secret_ref]
       [7 node_stage_secret_ref] [6 controller_publish_secret_ref] [5 volume_attributes] [4 fs_type]
       [3 read_only] [2 volume_handle] [1 driver]
}

/// `io.k8s.api.core.v1.CephFSPersistentVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct CephFSPersistentVolumeSource {
    pub monitors: List<IStr>,
    pub path: IStr,
    pub user: IStr,
    pub secret_file: IStr,
    pub secret_ref: Option<Box<SecretReference>>,
    pub read_only: bool,
}

codec! { CephFSPersistentVolumeSource
    0 "monitors" [1] opt monitors .required() .list_atomic()
    1 "path" [2] opt path
    2 "user" [3] opt user
    3 "secretFile" [4] opt secret_file
    4 "secretRef" [5] opt secret_ref .map_atomic()
    5 "readOnly" [6] opt read_only
    => [6 read_only] [5 secret_ref] [4 secret_file] [3 user] [2 path] [1 monitors]
}

/// `io.k8s.api.core.v1.CinderPersistentVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct CinderPersistentVolumeSource {
    pub volume_id: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
    pub secret_ref: Option<Box<SecretReference>>,
}

codec! { CinderPersistentVolumeSource
    0 "volumeID" [1] req volume_id .required()
    1 "fsType" [2] opt fs_type
    2 "readOnly" [3] opt read_only
    3 "secretRef" [4] opt secret_ref .map_atomic()
    => [4 secret_ref] [3 read_only] [2 fs_type] [1 volume_id]
}

/// `io.k8s.api.core.v1.FlexPersistentVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct FlexPersistentVolumeSource {
    pub driver: IStr,
    pub fs_type: IStr,
    pub secret_ref: Option<Box<SecretReference>>,
    pub read_only: bool,
    pub options: Map,
}

codec! { FlexPersistentVolumeSource
    0 "driver" [1] req driver .required()
    1 "fsType" [2] opt fs_type
    2 "secretRef" [3] opt secret_ref .map_atomic()
    3 "readOnly" [4] opt read_only
    4 "options" [5] opt options
    => [5 options] [4 read_only] [3 secret_ref] [2 fs_type] [1 driver]
}

/// `io.k8s.api.core.v1.GlusterfsPersistentVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct GlusterfsPersistentVolumeSource {
    pub endpoints: IStr,
    pub path: IStr,
    pub read_only: bool,
    pub endpoints_namespace: Option<IStr>,
}

codec! { GlusterfsPersistentVolumeSource
    0 "endpoints" [1] req endpoints .required()
    1 "path" [2] req path .required()
    2 "readOnly" [3] opt read_only
    3 "endpointsNamespace" [4] opt endpoints_namespace
    => [4 endpoints_namespace] [3 read_only] [2 path] [1 endpoints]
}

/// `io.k8s.api.core.v1.ISCSIPersistentVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ISCSIPersistentVolumeSource {
    pub target_portal: IStr,
    pub iqn: IStr,
    pub lun: i32,
    pub iscsi_interface: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
    pub portals: List<IStr>,
    pub chap_auth_discovery: bool,
    pub chap_auth_session: bool,
    pub secret_ref: Option<Box<SecretReference>>,
    pub initiator_name: Option<IStr>,
}

codec! { ISCSIPersistentVolumeSource
    0 "targetPortal" [1] req target_portal .required()
    1 "iqn" [2] req iqn .required()
    2 "lun" [3] req lun .required()
    3 "iscsiInterface" [4] opt iscsi_interface .default_json("\"default\"")
    4 "fsType" [5] opt fs_type
    5 "readOnly" [6] opt read_only
    6 "portals" [7] opt portals .list_atomic()
    7 "chapAuthDiscovery" [8] opt chap_auth_discovery
    8 "chapAuthSession" [11] opt chap_auth_session
    9 "secretRef" [10] opt secret_ref .map_atomic()
    10 "initiatorName" [12] opt initiator_name
    => [12 initiator_name] [11 chap_auth_session] [10 secret_ref] [8 chap_auth_discovery]
       [7 portals] [6 read_only] [5 fs_type] [4 iscsi_interface] [3 lun] [2 iqn] [1 target_portal]
}

/// `io.k8s.api.core.v1.LocalVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct LocalVolumeSource {
    pub path: IStr,
    pub fs_type: Option<IStr>,
}

codec! { LocalVolumeSource
    0 "path" [1] req path .required()
    1 "fsType" [2] opt fs_type
    => [2 fs_type] [1 path]
}

/// `io.k8s.api.core.v1.ObjectReference`.
#[derive(Clone, Default, PartialEq)]
pub struct ObjectReference {
    pub kind: IStr,
    pub namespace: IStr,
    pub name: IStr,
    pub uid: IStr,
    pub api_version: IStr,
    pub resource_version: IStr,
    pub field_path: IStr,
}

codec! { ObjectReference
    0 "kind" [1] opt kind
    1 "namespace" [2] opt namespace
    2 "name" [3] opt name
    3 "uid" [4] opt uid
    4 "apiVersion" [5] opt api_version
    5 "resourceVersion" [6] opt resource_version
    6 "fieldPath" [7] opt field_path
    => [7 field_path] [6 resource_version] [5 api_version] [4 uid] [3 name] [2 namespace] [1 kind]
}

/// `io.k8s.api.core.v1.RBDPersistentVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct RBDPersistentVolumeSource {
    pub monitors: List<IStr>,
    pub image: IStr,
    pub fs_type: IStr,
    pub pool: IStr,
    pub user: IStr,
    pub keyring: IStr,
    pub secret_ref: Option<Box<SecretReference>>,
    pub read_only: bool,
}

codec! { RBDPersistentVolumeSource
    0 "monitors" [1] opt monitors .required() .list_atomic()
    1 "image" [2] req image .required()
    2 "fsType" [3] opt fs_type
    3 "pool" [4] opt pool .default_json("\"rbd\"")
    4 "user" [5] opt user .default_json("\"admin\"")
    5 "keyring" [6] opt keyring .default_json("\"/etc/ceph/keyring\"")
    6 "secretRef" [7] opt secret_ref .map_atomic()
    7 "readOnly" [8] opt read_only
    => [8 read_only] [7 secret_ref] [6 keyring] [5 user] [4 pool] [3 fs_type] [2 image] [1 monitors]
}

/// `io.k8s.api.core.v1.ScaleIOPersistentVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ScaleIOPersistentVolumeSource {
    pub gateway: IStr,
    pub system: IStr,
    pub secret_ref: Option<Box<SecretReference>>,
    pub ssl_enabled: bool,
    pub protection_domain: IStr,
    pub storage_pool: IStr,
    pub storage_mode: IStr,
    pub volume_name: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
}

codec! { ScaleIOPersistentVolumeSource
    0 "gateway" [1] req gateway .required()
    1 "system" [2] req system .required()
    2 "secretRef" [3] opt secret_ref .required() .map_atomic()
    3 "sslEnabled" [4] opt ssl_enabled
    4 "protectionDomain" [5] opt protection_domain
    5 "storagePool" [6] opt storage_pool
    6 "storageMode" [7] opt storage_mode .default_json("\"ThinProvisioned\"")
    7 "volumeName" [8] opt volume_name
    8 "fsType" [9] opt fs_type .default_json("\"xfs\"")
    9 "readOnly" [10] opt read_only
    => [10 read_only] [9 fs_type] [8 volume_name] [7 storage_mode] [6 storage_pool]
       [5 protection_domain] [4 ssl_enabled] [3 secret_ref] [2 system] [1 gateway]
}

/// `io.k8s.api.core.v1.SecretReference`.
#[derive(Clone, Default, PartialEq)]
pub struct SecretReference {
    pub name: IStr,
    pub namespace: IStr,
}

codec! { SecretReference
    0 "name" [1] opt name
    1 "namespace" [2] opt namespace
    => [2 namespace] [1 name]
}

/// `io.k8s.api.core.v1.StorageOSPersistentVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct StorageOSPersistentVolumeSource {
    pub volume_name: IStr,
    pub volume_namespace: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
    pub secret_ref: Option<Box<ObjectReference>>,
}

codec! { StorageOSPersistentVolumeSource
    0 "volumeName" [1] opt volume_name
    1 "volumeNamespace" [2] opt volume_namespace
    2 "fsType" [3] opt fs_type
    3 "readOnly" [4] opt read_only
    4 "secretRef" [5] opt secret_ref .map_atomic()
    => [5 secret_ref] [4 read_only] [3 fs_type] [2 volume_namespace] [1 volume_name]
}

/// `io.k8s.api.core.v1.VolumeNodeAffinity`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeNodeAffinity {
    pub required: Option<Box<NodeSelector>>,
}

codec! { VolumeNodeAffinity
    0 "required" [1] opt required .map_atomic()
    => [1 required]
}
