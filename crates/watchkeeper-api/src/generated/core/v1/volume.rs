//! `core/v1`: `Volume` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{ObjectFieldSelector, ResourceFieldSelector};
use crate::codec::codec;
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List, Map, Quantity, Shared, blank};

/// `io.k8s.api.core.v1.Volume`.
#[derive(Clone, Default, PartialEq)]
pub struct Volume {
    pub name: IStr,
    pub host_path: Option<Box<HostPathVolumeSource>>,
    pub empty_dir: Option<Box<EmptyDirVolumeSource>>,
    pub gce_persistent_disk: Option<Box<GCEPersistentDiskVolumeSource>>,
    pub aws_elastic_block_store: Option<Box<AWSElasticBlockStoreVolumeSource>>,
    pub git_repo: Option<Box<GitRepoVolumeSource>>,
    pub secret: Option<Box<SecretVolumeSource>>,
    pub nfs: Option<Box<NFSVolumeSource>>,
    pub iscsi: Option<Box<ISCSIVolumeSource>>,
    pub glusterfs: Option<Box<GlusterfsVolumeSource>>,
    pub persistent_volume_claim: Option<Box<PersistentVolumeClaimVolumeSource>>,
    pub rbd: Option<Box<RBDVolumeSource>>,
    pub flex_volume: Option<Box<FlexVolumeSource>>,
    pub cinder: Option<Box<CinderVolumeSource>>,
    pub cephfs: Option<Box<CephFSVolumeSource>>,
    pub flocker: Option<Box<FlockerVolumeSource>>,
    pub downward_api: Option<Box<DownwardAPIVolumeSource>>,
    pub fc: Option<Box<FCVolumeSource>>,
    pub azure_file: Option<Box<AzureFileVolumeSource>>,
    pub config_map: Option<Box<ConfigMapVolumeSource>>,
    pub vsphere_volume: Option<Box<VsphereVirtualDiskVolumeSource>>,
    pub quobyte: Option<Box<QuobyteVolumeSource>>,
    pub azure_disk: Option<Box<AzureDiskVolumeSource>>,
    pub photon_persistent_disk: Option<Box<PhotonPersistentDiskVolumeSource>>,
    pub projected: Option<Shared<ProjectedVolumeSource>>,
    pub portworx_volume: Option<Box<PortworxVolumeSource>>,
    pub scale_io: Option<Box<ScaleIOVolumeSource>>,
    pub storageos: Option<Box<StorageOSVolumeSource>>,
    pub csi: Option<Box<CSIVolumeSource>>,
    pub ephemeral: Option<Box<EphemeralVolumeSource>>,
    pub image: Option<Box<ImageVolumeSource>>,
}

codec! { Volume
    0 "name" [1] req name .required()
    1 "hostPath" [2 1] opt host_path
    2 "emptyDir" [2 2] opt empty_dir
    3 "gcePersistentDisk" [2 3] opt gce_persistent_disk
    4 "awsElasticBlockStore" [2 4] opt aws_elastic_block_store
    5 "gitRepo" [2 5] opt git_repo
    6 "secret" [2 6] opt secret
    7 "nfs" [2 7] opt nfs
    8 "iscsi" [2 8] opt iscsi
    9 "glusterfs" [2 9] opt glusterfs
    10 "persistentVolumeClaim" [2 10] opt persistent_volume_claim
    11 "rbd" [2 11] opt rbd
    12 "flexVolume" [2 12] opt flex_volume
    13 "cinder" [2 13] opt cinder
    14 "cephfs" [2 14] opt cephfs
    15 "flocker" [2 15] opt flocker
    16 "downwardAPI" [2 16] opt downward_api
    17 "fc" [2 17] opt fc
    18 "azureFile" [2 18] opt azure_file
    19 "configMap" [2 19] opt config_map
    20 "vsphereVolume" [2 20] opt vsphere_volume
    21 "quobyte" [2 21] opt quobyte
    22 "azureDisk" [2 22] opt azure_disk
    23 "photonPersistentDisk" [2 23] opt photon_persistent_disk
    24 "projected" [2 26] opt projected
    25 "portworxVolume" [2 24] opt portworx_volume
    26 "scaleIO" [2 25] opt scale_io
    27 "storageos" [2 27] opt storageos
    28 "csi" [2 28] opt csi
    29 "ephemeral" [2 29] opt ephemeral
    30 "image" [2 30] opt image
    => (2 [30 image] [29 ephemeral] [28 csi] [27 storageos] [26 projected] [25 scale_io]
       [24 portworx_volume] [23 photon_persistent_disk] [22 azure_disk] [21 quobyte]
       [20 vsphere_volume] [19 config_map] [18 azure_file] [17 fc] [16 downward_api] [15 flocker]
       [14 cephfs] [13 cinder] [12 flex_volume] [11 rbd] [10 persistent_volume_claim] [9 glusterfs]
       [8 iscsi] [7 nfs] [6 secret] [5 git_repo] [4 aws_elastic_block_store] [3 gce_persistent_disk]
       [2 empty_dir] [1 host_path]) [1 name]
}

blank!(Volume);

/// `io.k8s.api.core.v1.AWSElasticBlockStoreVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct AWSElasticBlockStoreVolumeSource {
    pub volume_id: IStr,
    pub fs_type: IStr,
    pub partition: i32,
    pub read_only: bool,
}

codec! { AWSElasticBlockStoreVolumeSource
    0 "volumeID" [1] req volume_id .required()
    1 "fsType" [2] opt fs_type
    2 "partition" [3] opt partition
    3 "readOnly" [4] opt read_only
    => [4 read_only] [3 partition] [2 fs_type] [1 volume_id]
}

/// `io.k8s.api.core.v1.AzureDiskVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct AzureDiskVolumeSource {
    pub disk_name: IStr,
    pub disk_uri: IStr,
    pub caching_mode: Option<IStr>,
    pub fs_type: Option<IStr>,
    pub read_only: Option<bool>,
    pub kind: Option<IStr>,
}

codec! { AzureDiskVolumeSource
    0 "diskName" [1] req disk_name .required()
    1 "diskURI" [2] req disk_uri .required()
    2 "cachingMode" [3] opt caching_mode .default_json("\"ReadWrite\"")
    3 "fsType" [4] opt fs_type .default_json("\"ext4\"")
    4 "readOnly" [5] opt read_only
    5 "kind" [6] opt kind .default_json("\"Shared\"")
    => [6 kind] [5 read_only] [4 fs_type] [3 caching_mode] [2 disk_uri] [1 disk_name]
}

/// `io.k8s.api.core.v1.AzureFileVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct AzureFileVolumeSource {
    pub secret_name: IStr,
    pub share_name: IStr,
    pub read_only: bool,
}

codec! { AzureFileVolumeSource
    0 "secretName" [1] req secret_name .required()
    1 "shareName" [2] req share_name .required()
    2 "readOnly" [3] opt read_only
    => [3 read_only] [2 share_name] [1 secret_name]
}

/// `io.k8s.api.core.v1.CSIVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct CSIVolumeSource {
    pub driver: IStr,
    pub read_only: Option<bool>,
    pub fs_type: Option<IStr>,
    pub volume_attributes: Map,
    pub node_publish_secret_ref: Option<Box<LocalObjectReference>>,
}

codec! { CSIVolumeSource
    0 "driver" [1] req driver .required()
    1 "readOnly" [2] opt read_only
    2 "fsType" [3] opt fs_type
    3 "volumeAttributes" [4] opt volume_attributes
    4 "nodePublishSecretRef" [5] opt node_publish_secret_ref .map_atomic()
    => [5 node_publish_secret_ref] [4 volume_attributes] [3 fs_type] [2 read_only] [1 driver]
}

/// `io.k8s.api.core.v1.CephFSVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct CephFSVolumeSource {
    pub monitors: List<IStr>,
    pub path: IStr,
    pub user: IStr,
    pub secret_file: IStr,
    pub secret_ref: Option<Box<LocalObjectReference>>,
    pub read_only: bool,
}

codec! { CephFSVolumeSource
    0 "monitors" [1] opt monitors .required() .list_atomic()
    1 "path" [2] opt path
    2 "user" [3] opt user
    3 "secretFile" [4] opt secret_file
    4 "secretRef" [5] opt secret_ref .map_atomic()
    5 "readOnly" [6] opt read_only
    => [6 read_only] [5 secret_ref] [4 secret_file] [3 user] [2 path] [1 monitors]
}

/// `io.k8s.api.core.v1.CinderVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct CinderVolumeSource {
    pub volume_id: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
    pub secret_ref: Option<Box<LocalObjectReference>>,
}

codec! { CinderVolumeSource
    0 "volumeID" [1] req volume_id .required()
    1 "fsType" [2] opt fs_type
    2 "readOnly" [3] opt read_only
    3 "secretRef" [4] opt secret_ref .map_atomic()
    => [4 secret_ref] [3 read_only] [2 fs_type] [1 volume_id]
}

/// `io.k8s.api.core.v1.ClusterTrustBundleProjection`.
#[derive(Clone, Default, PartialEq)]
pub struct ClusterTrustBundleProjection {
    pub name: Option<IStr>,
    pub signer_name: Option<IStr>,
    pub label_selector: Option<Box<LabelSelector>>,
    pub optional: Option<bool>,
    pub path: IStr,
}

codec! { ClusterTrustBundleProjection
    0 "name" [1] opt name
    1 "signerName" [2] opt signer_name
    2 "labelSelector" [3] opt label_selector .map_atomic()
    3 "optional" [5] opt optional
    4 "path" [4] req path .required()
    => [5 optional] [4 path] [3 label_selector] [2 signer_name] [1 name]
}

/// `io.k8s.api.core.v1.ConfigMapProjection`.
#[derive(Clone, Default, PartialEq)]
pub struct ConfigMapProjection {
    pub name: IStr,
    pub items: List<KeyToPath>,
    pub optional: Option<bool>,
}

codec! { ConfigMapProjection
    0 "name" [1 1] opt name
    1 "items" [2] opt items .list_atomic()
    2 "optional" [4] opt optional
    => [4 optional] [2 items] (1 [1 name])
}

/// `io.k8s.api.core.v1.ConfigMapVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ConfigMapVolumeSource {
    pub name: IStr,
    pub items: List<KeyToPath>,
    pub default_mode: Option<i32>,
    pub optional: Option<bool>,
}

codec! { ConfigMapVolumeSource
    0 "name" [1 1] opt name
    1 "items" [2] opt items .list_atomic()
    2 "defaultMode" [3] opt default_mode
    3 "optional" [4] opt optional
    => [4 optional] [3 default_mode] [2 items] (1 [1 name])
}

/// `io.k8s.api.core.v1.DownwardAPIProjection`.
#[derive(Clone, Default, PartialEq)]
pub struct DownwardAPIProjection {
    pub items: List<DownwardAPIVolumeFile>,
}

codec! { DownwardAPIProjection
    0 "items" [1] opt items .list_atomic()
    => [1 items]
}

/// `io.k8s.api.core.v1.DownwardAPIVolumeFile`.
#[derive(Clone, Default, PartialEq)]
pub struct DownwardAPIVolumeFile {
    pub path: IStr,
    pub field_ref: Option<Box<ObjectFieldSelector>>,
    pub resource_field_ref: Option<Box<ResourceFieldSelector>>,
    pub mode: Option<i32>,
}

codec! { DownwardAPIVolumeFile
    0 "path" [1] req path .required()
    1 "fieldRef" [2] opt field_ref .map_atomic()
    2 "resourceFieldRef" [3] opt resource_field_ref .map_atomic()
    3 "mode" [4] opt mode
    => [4 mode] [3 resource_field_ref] [2 field_ref] [1 path]
}

/// `io.k8s.api.core.v1.DownwardAPIVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct DownwardAPIVolumeSource {
    pub items: List<DownwardAPIVolumeFile>,
    pub default_mode: Option<i32>,
}

codec! { DownwardAPIVolumeSource
    0 "items" [1] opt items .list_atomic()
    1 "defaultMode" [2] opt default_mode
    => [2 default_mode] [1 items]
}

/// `io.k8s.api.core.v1.EmptyDirVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct EmptyDirVolumeSource {
    pub medium: IStr,
    pub size_limit: Option<Quantity>,
}

codec! { EmptyDirVolumeSource
    0 "medium" [1] opt medium
    1 "sizeLimit" [2] opt size_limit
    => [2 size_limit] [1 medium]
}

/// `io.k8s.api.core.v1.EphemeralVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct EphemeralVolumeSource {
    pub volume_claim_template: Option<Box<PersistentVolumeClaimTemplate>>,
}

codec! { EphemeralVolumeSource
    0 "volumeClaimTemplate" [1] opt volume_claim_template
    => [1 volume_claim_template]
}

/// `io.k8s.api.core.v1.FCVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct FCVolumeSource {
    pub target_wwns: List<IStr>,
    pub lun: Option<i32>,
    pub fs_type: IStr,
    pub read_only: bool,
    pub wwids: List<IStr>,
}

codec! { FCVolumeSource
    0 "targetWWNs" [1] opt target_wwns .list_atomic()
    1 "lun" [2] opt lun
    2 "fsType" [3] opt fs_type
    3 "readOnly" [4] opt read_only
    4 "wwids" [5] opt wwids .list_atomic()
    => [5 wwids] [4 read_only] [3 fs_type] [2 lun] [1 target_wwns]
}

/// `io.k8s.api.core.v1.FlexVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct FlexVolumeSource {
    pub driver: IStr,
    pub fs_type: IStr,
    pub secret_ref: Option<Box<LocalObjectReference>>,
    pub read_only: bool,
    pub options: Map,
}

codec! { FlexVolumeSource
    0 "driver" [1] req driver .required()
    1 "fsType" [2] opt fs_type
    2 "secretRef" [3] opt secret_ref .map_atomic()
    3 "readOnly" [4] opt read_only
    4 "options" [5] opt options
    => [5 options] [4 read_only] [3 secret_ref] [2 fs_type] [1 driver]
}

/// `io.k8s.api.core.v1.FlockerVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct FlockerVolumeSource {
    pub dataset_name: IStr,
    pub dataset_uuid: IStr,
}

codec! { FlockerVolumeSource
    0 "datasetName" [1] opt dataset_name
    1 "datasetUUID" [2] opt dataset_uuid
    => [2 dataset_uuid] [1 dataset_name]
}

/// `io.k8s.api.core.v1.GCEPersistentDiskVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct GCEPersistentDiskVolumeSource {
    pub pd_name: IStr,
    pub fs_type: IStr,
    pub partition: i32,
    pub read_only: bool,
}

codec! { GCEPersistentDiskVolumeSource
    0 "pdName" [1] req pd_name .required()
    1 "fsType" [2] opt fs_type
    2 "partition" [3] opt partition
    3 "readOnly" [4] opt read_only
    => [4 read_only] [3 partition] [2 fs_type] [1 pd_name]
}

/// `io.k8s.api.core.v1.GitRepoVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct GitRepoVolumeSource {
    pub repository: IStr,
    pub revision: IStr,
    pub directory: IStr,
}

codec! { GitRepoVolumeSource
    0 "repository" [1] req repository .required()
    1 "revision" [2] opt revision
    2 "directory" [3] opt directory
    => [3 directory] [2 revision] [1 repository]
}

/// `io.k8s.api.core.v1.GlusterfsVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct GlusterfsVolumeSource {
    pub endpoints: IStr,
    pub path: IStr,
    pub read_only: bool,
}

codec! { GlusterfsVolumeSource
    0 "endpoints" [1] req endpoints .required()
    1 "path" [2] req path .required()
    2 "readOnly" [3] opt read_only
    => [3 read_only] [2 path] [1 endpoints]
}

/// `io.k8s.api.core.v1.HostPathVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct HostPathVolumeSource {
    pub path: IStr,
    pub type_: Option<IStr>,
}

codec! { HostPathVolumeSource
    0 "path" [1] req path .required()
    1 "type" [2] opt type_
    => [2 type_] [1 path]
}

/// `io.k8s.api.core.v1.ISCSIVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ISCSIVolumeSource {
    pub target_portal: IStr,
    pub iqn: IStr,
    pub lun: i32,
    pub iscsi_interface: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
    pub portals: List<IStr>,
    pub chap_auth_discovery: bool,
    pub chap_auth_session: bool,
    pub secret_ref: Option<Box<LocalObjectReference>>,
    pub initiator_name: Option<IStr>,
}

codec! { ISCSIVolumeSource
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

/// `io.k8s.api.core.v1.ImageVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ImageVolumeSource {
    pub reference: IStr,
    pub pull_policy: IStr,
}

codec! { ImageVolumeSource
    0 "reference" [1] opt reference
    1 "pullPolicy" [2] opt pull_policy
    => [2 pull_policy] [1 reference]
}

/// `io.k8s.api.core.v1.KeyToPath`.
#[derive(Clone, Default, PartialEq)]
pub struct KeyToPath {
    pub key: IStr,
    pub path: IStr,
    pub mode: Option<i32>,
}

codec! { KeyToPath
    0 "key" [1] req key .required()
    1 "path" [2] req path .required()
    2 "mode" [3] opt mode
    => [3 mode] [2 path] [1 key]
}

/// `io.k8s.api.core.v1.LocalObjectReference`.
#[derive(Clone, Default, PartialEq)]
pub struct LocalObjectReference {
    pub name: IStr,
}

codec! { LocalObjectReference
    0 "name" [1] opt name
    => [1 name]
}

/// `io.k8s.api.core.v1.NFSVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct NFSVolumeSource {
    pub server: IStr,
    pub path: IStr,
    pub read_only: bool,
}

codec! { NFSVolumeSource
    0 "server" [1] req server .required()
    1 "path" [2] req path .required()
    2 "readOnly" [3] opt read_only
    => [3 read_only] [2 path] [1 server]
}

/// `io.k8s.api.core.v1.PersistentVolumeClaimSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct PersistentVolumeClaimSpec {
    pub access_modes: List<IStr>,
    pub selector: Option<Box<LabelSelector>>,
    pub resources: VolumeResourceRequirements,
    pub volume_name: IStr,
    pub storage_class_name: Option<IStr>,
    pub volume_mode: Option<IStr>,
    pub data_source: Option<Box<TypedLocalObjectReference>>,
    pub data_source_ref: Option<Box<TypedObjectReference>>,
    pub volume_attributes_class_name: Option<IStr>,
}

codec! { PersistentVolumeClaimSpec
    0 "accessModes" [1] opt access_modes .list_atomic()
    1 "selector" [4] opt selector .map_atomic()
    2 "resources" [2] opt resources
    3 "volumeName" [3] opt volume_name
    4 "storageClassName" [5] opt storage_class_name
    5 "volumeMode" [6] opt volume_mode
    6 "dataSource" [7] opt data_source .map_atomic()
    7 "dataSourceRef" [8] opt data_source_ref
    8 "volumeAttributesClassName" [9] opt volume_attributes_class_name
    => [9 volume_attributes_class_name] [8 data_source_ref] [7 data_source] [6 volume_mode]
       [5 storage_class_name] [4 selector] [3 volume_name] [2 resources] [1 access_modes]
}

/// `io.k8s.api.core.v1.PersistentVolumeClaimTemplate`.
#[derive(Clone, Default, PartialEq)]
pub struct PersistentVolumeClaimTemplate {
    pub metadata: ObjectMeta,
    pub spec: PersistentVolumeClaimSpec,
}

codec! { PersistentVolumeClaimTemplate
    0 "metadata" [1] opt metadata
    1 "spec" [2] opt spec .required()
    => [2 spec] [1 metadata]
}

/// `io.k8s.api.core.v1.PersistentVolumeClaimVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct PersistentVolumeClaimVolumeSource {
    pub claim_name: IStr,
    pub read_only: bool,
}

codec! { PersistentVolumeClaimVolumeSource
    0 "claimName" [1] req claim_name .required()
    1 "readOnly" [2] opt read_only
    => [2 read_only] [1 claim_name]
}

/// `io.k8s.api.core.v1.PhotonPersistentDiskVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct PhotonPersistentDiskVolumeSource {
    pub pd_id: IStr,
    pub fs_type: IStr,
}

codec! { PhotonPersistentDiskVolumeSource
    0 "pdID" [1] req pd_id .required()
    1 "fsType" [2] opt fs_type
    => [2 fs_type] [1 pd_id]
}

/// `io.k8s.api.core.v1.PodCertificateProjection`.
#[derive(Clone, Default, PartialEq)]
pub struct PodCertificateProjection {
    pub signer_name: IStr,
    pub key_type: IStr,
    pub max_expiration_seconds: Option<i32>,
    pub credential_bundle_path: IStr,
    pub key_path: IStr,
    pub certificate_chain_path: IStr,
    pub user_annotations: Map,
}

codec! { PodCertificateProjection
    0 "signerName" [1] opt signer_name .required()
    1 "keyType" [2] opt key_type .required()
    2 "maxExpirationSeconds" [3] opt max_expiration_seconds
    3 "credentialBundlePath" [4] opt credential_bundle_path
    4 "keyPath" [5] opt key_path
    5 "certificateChainPath" [6] opt certificate_chain_path
    6 "userAnnotations" [7] opt user_annotations
    => [7 user_annotations] [6 certificate_chain_path] [5 key_path] [4 credential_bundle_path]
       [3 max_expiration_seconds] [2 key_type] [1 signer_name]
}

/// `io.k8s.api.core.v1.PortworxVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct PortworxVolumeSource {
    pub volume_id: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
}

codec! { PortworxVolumeSource
    0 "volumeID" [1] req volume_id .required()
    1 "fsType" [2] opt fs_type
    2 "readOnly" [3] opt read_only
    => [3 read_only] [2 fs_type] [1 volume_id]
}

/// `io.k8s.api.core.v1.ProjectedVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ProjectedVolumeSource {
    pub sources: List<VolumeProjection>,
    pub default_mode: Option<i32>,
}

codec! { ProjectedVolumeSource
    0 "sources" [1] opt sources .list_atomic()
    1 "defaultMode" [2] opt default_mode
    => [2 default_mode] [1 sources]
}

blank!(ProjectedVolumeSource);

/// `io.k8s.api.core.v1.QuobyteVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct QuobyteVolumeSource {
    pub registry: IStr,
    pub volume: IStr,
    pub read_only: bool,
    pub user: IStr,
    pub group: IStr,
    pub tenant: IStr,
}

codec! { QuobyteVolumeSource
    0 "registry" [1] req registry .required()
    1 "volume" [2] req volume .required()
    2 "readOnly" [3] opt read_only
    3 "user" [4] opt user
    4 "group" [5] opt group
    5 "tenant" [6] opt tenant
    => [6 tenant] [5 group] [4 user] [3 read_only] [2 volume] [1 registry]
}

/// `io.k8s.api.core.v1.RBDVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct RBDVolumeSource {
    pub monitors: List<IStr>,
    pub image: IStr,
    pub fs_type: IStr,
    pub pool: IStr,
    pub user: IStr,
    pub keyring: IStr,
    pub secret_ref: Option<Box<LocalObjectReference>>,
    pub read_only: bool,
}

codec! { RBDVolumeSource
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

/// `io.k8s.api.core.v1.ScaleIOVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct ScaleIOVolumeSource {
    pub gateway: IStr,
    pub system: IStr,
    pub secret_ref: Option<Box<LocalObjectReference>>,
    pub ssl_enabled: bool,
    pub protection_domain: IStr,
    pub storage_pool: IStr,
    pub storage_mode: IStr,
    pub volume_name: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
}

codec! { ScaleIOVolumeSource
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

/// `io.k8s.api.core.v1.SecretProjection`.
#[derive(Clone, Default, PartialEq)]
pub struct SecretProjection {
    pub name: IStr,
    pub items: List<KeyToPath>,
    pub optional: Option<bool>,
}

codec! { SecretProjection
    0 "name" [1 1] opt name
    1 "items" [2] opt items .list_atomic()
    2 "optional" [4] opt optional
    => [4 optional] [2 items] (1 [1 name])
}

/// `io.k8s.api.core.v1.SecretVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct SecretVolumeSource {
    pub secret_name: IStr,
    pub items: List<KeyToPath>,
    pub default_mode: Option<i32>,
    pub optional: Option<bool>,
}

codec! { SecretVolumeSource
    0 "secretName" [1] opt secret_name
    1 "items" [2] opt items .list_atomic()
    2 "defaultMode" [3] opt default_mode
    3 "optional" [4] opt optional
    => [4 optional] [3 default_mode] [2 items] [1 secret_name]
}

/// `io.k8s.api.core.v1.ServiceAccountTokenProjection`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceAccountTokenProjection {
    pub audience: IStr,
    pub expiration_seconds: Option<i64>,
    pub path: IStr,
}

codec! { ServiceAccountTokenProjection
    0 "audience" [1] opt audience
    1 "expirationSeconds" [2] opt expiration_seconds
    2 "path" [3] req path .required()
    => [3 path] [2 expiration_seconds] [1 audience]
}

/// `io.k8s.api.core.v1.StorageOSVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct StorageOSVolumeSource {
    pub volume_name: IStr,
    pub volume_namespace: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
    pub secret_ref: Option<Box<LocalObjectReference>>,
}

codec! { StorageOSVolumeSource
    0 "volumeName" [1] opt volume_name
    1 "volumeNamespace" [2] opt volume_namespace
    2 "fsType" [3] opt fs_type
    3 "readOnly" [4] opt read_only
    4 "secretRef" [5] opt secret_ref .map_atomic()
    => [5 secret_ref] [4 read_only] [3 fs_type] [2 volume_namespace] [1 volume_name]
}

/// `io.k8s.api.core.v1.TypedLocalObjectReference`.
#[derive(Clone, Default, PartialEq)]
pub struct TypedLocalObjectReference {
    pub api_group: Option<IStr>,
    pub kind: IStr,
    pub name: IStr,
}

codec! { TypedLocalObjectReference
    0 "apiGroup" [1] opt api_group
    1 "kind" [2] req kind .required()
    2 "name" [3] req name .required()
    => [3 name] [2 kind] [1 api_group]
}

/// `io.k8s.api.core.v1.TypedObjectReference`.
#[derive(Clone, Default, PartialEq)]
pub struct TypedObjectReference {
    pub api_group: Option<IStr>,
    pub kind: IStr,
    pub name: IStr,
    pub namespace: Option<IStr>,
}

codec! { TypedObjectReference
    0 "apiGroup" [1] opt api_group
    1 "kind" [2] req kind .required()
    2 "name" [3] req name .required()
    3 "namespace" [4] opt namespace
    => [4 namespace] [3 name] [2 kind] [1 api_group]
}

/// `io.k8s.api.core.v1.VolumeProjection`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeProjection {
    pub secret: Option<Box<SecretProjection>>,
    pub downward_api: Option<Box<DownwardAPIProjection>>,
    pub config_map: Option<Box<ConfigMapProjection>>,
    pub service_account_token: Option<Box<ServiceAccountTokenProjection>>,
    pub cluster_trust_bundle: Option<Box<ClusterTrustBundleProjection>>,
    pub pod_certificate: Option<Box<PodCertificateProjection>>,
}

codec! { VolumeProjection
    0 "secret" [1] opt secret
    1 "downwardAPI" [2] opt downward_api
    2 "configMap" [3] opt config_map
    3 "serviceAccountToken" [4] opt service_account_token
    4 "clusterTrustBundle" [5] opt cluster_trust_bundle
    5 "podCertificate" [6] opt pod_certificate
    => [6 pod_certificate] [5 cluster_trust_bundle] [4 service_account_token] [3 config_map]
       [2 downward_api] [1 secret]
}

/// `io.k8s.api.core.v1.VolumeResourceRequirements`.
#[derive(Clone, Default, PartialEq)]
pub struct VolumeResourceRequirements {
    pub limits: Map<Quantity>,
    pub requests: Map<Quantity>,
}

codec! { VolumeResourceRequirements
    0 "limits" [1] opt limits
    1 "requests" [2] opt requests
    => [2 requests] [1 limits]
}

/// `io.k8s.api.core.v1.VsphereVirtualDiskVolumeSource`.
#[derive(Clone, Default, PartialEq)]
pub struct VsphereVirtualDiskVolumeSource {
    pub volume_path: IStr,
    pub fs_type: IStr,
    pub storage_policy_name: IStr,
    pub storage_policy_id: IStr,
}

codec! { VsphereVirtualDiskVolumeSource
    0 "volumePath" [1] req volume_path .required()
    1 "fsType" [2] opt fs_type
    2 "storagePolicyName" [3] opt storage_policy_name
    3 "storagePolicyID" [4] opt storage_policy_id
    => [4 storage_policy_id] [3 storage_policy_name] [2 fs_type] [1 volume_path]
}
