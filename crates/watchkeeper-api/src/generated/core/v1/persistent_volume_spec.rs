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
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "capacity" opt capacity
    1 "gcePersistentDisk" opt gce_persistent_disk
    2 "awsElasticBlockStore" opt aws_elastic_block_store
    3 "hostPath" opt host_path
    4 "glusterfs" opt glusterfs
    5 "nfs" opt nfs
    6 "rbd" opt rbd
    7 "iscsi" opt iscsi
    8 "cinder" opt cinder
    9 "cephfs" opt cephfs
    10 "fc" opt fc
    11 "flocker" opt flocker
    12 "flexVolume" opt flex_volume
    13 "azureFile" opt azure_file
    14 "vsphereVolume" opt vsphere_volume
    15 "quobyte" opt quobyte
    16 "azureDisk" opt azure_disk
    17 "photonPersistentDisk" opt photon_persistent_disk
    18 "portworxVolume" opt portworx_volume
    19 "scaleIO" opt scale_io
    20 "local" opt local
    21 "storageos" opt storageos
    22 "csi" opt csi
    23 "accessModes" opt access_modes .list_atomic()
    24 "claimRef" opt claim_ref .map_granular()
    25 "persistentVolumeReclaimPolicy" opt persistent_volume_reclaim_policy
    26 "storageClassName" opt storage_class_name
    27 "mountOptions" opt mount_options .list_atomic()
    28 "volumeMode" opt volume_mode
    29 "nodeAffinity" opt node_affinity
    30 "volumeAttributesClassName" opt volume_attributes_class_name
}

/// `io.k8s.api.core.v1.AzureFilePersistentVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AzureFilePersistentVolumeSource {
    pub secret_name: IStr,
    pub share_name: IStr,
    pub read_only: bool,
    pub secret_namespace: Option<IStr>,
}

codec! { AzureFilePersistentVolumeSource
    0 "secretName" req secret_name .required()
    1 "shareName" req share_name .required()
    2 "readOnly" opt read_only
    3 "secretNamespace" opt secret_namespace
}

/// `io.k8s.api.core.v1.CSIPersistentVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "driver" req driver .required()
    1 "volumeHandle" req volume_handle .required()
    2 "readOnly" opt read_only
    3 "fsType" opt fs_type
    4 "volumeAttributes" opt volume_attributes
    5 "controllerPublishSecretRef" opt controller_publish_secret_ref .map_atomic()
    6 "nodeStageSecretRef" opt node_stage_secret_ref .map_atomic()
    7 "nodePublishSecretRef" opt node_publish_secret_ref .map_atomic()
    8 "controllerExpandSecretRef" opt controller_expand_secret_ref .map_atomic()
    9 "nodeExpandSecretRef" opt node_expand_secret_ref .map_atomic()
}

/// `io.k8s.api.core.v1.CephFSPersistentVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CephFSPersistentVolumeSource {
    pub monitors: List<IStr>,
    pub path: IStr,
    pub user: IStr,
    pub secret_file: IStr,
    pub secret_ref: Option<Box<SecretReference>>,
    pub read_only: bool,
}

codec! { CephFSPersistentVolumeSource
    0 "monitors" opt monitors .required() .list_atomic()
    1 "path" opt path
    2 "user" opt user
    3 "secretFile" opt secret_file
    4 "secretRef" opt secret_ref .map_atomic()
    5 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.CinderPersistentVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CinderPersistentVolumeSource {
    pub volume_id: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
    pub secret_ref: Option<Box<SecretReference>>,
}

codec! { CinderPersistentVolumeSource
    0 "volumeID" req volume_id .required()
    1 "fsType" opt fs_type
    2 "readOnly" opt read_only
    3 "secretRef" opt secret_ref .map_atomic()
}

/// `io.k8s.api.core.v1.FlexPersistentVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexPersistentVolumeSource {
    pub driver: IStr,
    pub fs_type: IStr,
    pub secret_ref: Option<Box<SecretReference>>,
    pub read_only: bool,
    pub options: Map,
}

codec! { FlexPersistentVolumeSource
    0 "driver" req driver .required()
    1 "fsType" opt fs_type
    2 "secretRef" opt secret_ref .map_atomic()
    3 "readOnly" opt read_only
    4 "options" opt options
}

/// `io.k8s.api.core.v1.GlusterfsPersistentVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlusterfsPersistentVolumeSource {
    pub endpoints: IStr,
    pub path: IStr,
    pub read_only: bool,
    pub endpoints_namespace: Option<IStr>,
}

codec! { GlusterfsPersistentVolumeSource
    0 "endpoints" req endpoints .required()
    1 "path" req path .required()
    2 "readOnly" opt read_only
    3 "endpointsNamespace" opt endpoints_namespace
}

/// `io.k8s.api.core.v1.ISCSIPersistentVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "targetPortal" req target_portal .required()
    1 "iqn" req iqn .required()
    2 "lun" req lun .required()
    3 "iscsiInterface" opt iscsi_interface .default_json("\"default\"")
    4 "fsType" opt fs_type
    5 "readOnly" opt read_only
    6 "portals" opt portals .list_atomic()
    7 "chapAuthDiscovery" opt chap_auth_discovery
    8 "chapAuthSession" opt chap_auth_session
    9 "secretRef" opt secret_ref .map_atomic()
    10 "initiatorName" opt initiator_name
}

/// `io.k8s.api.core.v1.LocalVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalVolumeSource {
    pub path: IStr,
    pub fs_type: Option<IStr>,
}

codec! { LocalVolumeSource
    0 "path" req path .required()
    1 "fsType" opt fs_type
}

/// `io.k8s.api.core.v1.ObjectReference`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "kind" opt kind
    1 "namespace" opt namespace
    2 "name" opt name
    3 "uid" opt uid
    4 "apiVersion" opt api_version
    5 "resourceVersion" opt resource_version
    6 "fieldPath" opt field_path
}

/// `io.k8s.api.core.v1.RBDPersistentVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "monitors" opt monitors .required() .list_atomic()
    1 "image" req image .required()
    2 "fsType" opt fs_type
    3 "pool" opt pool .default_json("\"rbd\"")
    4 "user" opt user .default_json("\"admin\"")
    5 "keyring" opt keyring .default_json("\"/etc/ceph/keyring\"")
    6 "secretRef" opt secret_ref .map_atomic()
    7 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.ScaleIOPersistentVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "gateway" req gateway .required()
    1 "system" req system .required()
    2 "secretRef" opt secret_ref .required() .map_atomic()
    3 "sslEnabled" opt ssl_enabled
    4 "protectionDomain" opt protection_domain
    5 "storagePool" opt storage_pool
    6 "storageMode" opt storage_mode .default_json("\"ThinProvisioned\"")
    7 "volumeName" opt volume_name
    8 "fsType" opt fs_type .default_json("\"xfs\"")
    9 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.SecretReference`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecretReference {
    pub name: IStr,
    pub namespace: IStr,
}

codec! { SecretReference
    0 "name" opt name
    1 "namespace" opt namespace
}

/// `io.k8s.api.core.v1.StorageOSPersistentVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StorageOSPersistentVolumeSource {
    pub volume_name: IStr,
    pub volume_namespace: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
    pub secret_ref: Option<Box<ObjectReference>>,
}

codec! { StorageOSPersistentVolumeSource
    0 "volumeName" opt volume_name
    1 "volumeNamespace" opt volume_namespace
    2 "fsType" opt fs_type
    3 "readOnly" opt read_only
    4 "secretRef" opt secret_ref .map_atomic()
}

/// `io.k8s.api.core.v1.VolumeNodeAffinity`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeNodeAffinity {
    pub required: Option<Box<NodeSelector>>,
}

codec! { VolumeNodeAffinity
    0 "required" opt required .map_atomic()
}
