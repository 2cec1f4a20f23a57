//! `core/v1`: `Volume` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use super::{ObjectFieldSelector, ResourceFieldSelector};
use crate::codec::codec;
use crate::meta::v1::{LabelSelector, ObjectMeta};
use crate::{IStr, List, Map, Quantity};

/// `io.k8s.api.core.v1.Volume`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    pub projected: Option<Box<ProjectedVolumeSource>>,
    pub portworx_volume: Option<Box<PortworxVolumeSource>>,
    pub scale_io: Option<Box<ScaleIOVolumeSource>>,
    pub storageos: Option<Box<StorageOSVolumeSource>>,
    pub csi: Option<Box<CSIVolumeSource>>,
    pub ephemeral: Option<Box<EphemeralVolumeSource>>,
    pub image: Option<Box<ImageVolumeSource>>,
}

codec! { Volume
    0 "name" req name .required()
    1 "hostPath" opt host_path
    2 "emptyDir" opt empty_dir
    3 "gcePersistentDisk" opt gce_persistent_disk
    4 "awsElasticBlockStore" opt aws_elastic_block_store
    5 "gitRepo" opt git_repo
    6 "secret" opt secret
    7 "nfs" opt nfs
    8 "iscsi" opt iscsi
    9 "glusterfs" opt glusterfs
    10 "persistentVolumeClaim" opt persistent_volume_claim
    11 "rbd" opt rbd
    12 "flexVolume" opt flex_volume
    13 "cinder" opt cinder
    14 "cephfs" opt cephfs
    15 "flocker" opt flocker
    16 "downwardAPI" opt downward_api
    17 "fc" opt fc
    18 "azureFile" opt azure_file
    19 "configMap" opt config_map
    20 "vsphereVolume" opt vsphere_volume
    21 "quobyte" opt quobyte
    22 "azureDisk" opt azure_disk
    23 "photonPersistentDisk" opt photon_persistent_disk
    24 "projected" opt projected
    25 "portworxVolume" opt portworx_volume
    26 "scaleIO" opt scale_io
    27 "storageos" opt storageos
    28 "csi" opt csi
    29 "ephemeral" opt ephemeral
    30 "image" opt image
}

/// `io.k8s.api.core.v1.AWSElasticBlockStoreVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AWSElasticBlockStoreVolumeSource {
    pub volume_id: IStr,
    pub fs_type: IStr,
    pub partition: i32,
    pub read_only: bool,
}

codec! { AWSElasticBlockStoreVolumeSource
    0 "volumeID" req volume_id .required()
    1 "fsType" opt fs_type
    2 "partition" opt partition
    3 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.AzureDiskVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AzureDiskVolumeSource {
    pub disk_name: IStr,
    pub disk_uri: IStr,
    pub caching_mode: Option<IStr>,
    pub fs_type: Option<IStr>,
    pub read_only: Option<bool>,
    pub kind: Option<IStr>,
}

codec! { AzureDiskVolumeSource
    0 "diskName" req disk_name .required()
    1 "diskURI" req disk_uri .required()
    2 "cachingMode" opt caching_mode .default_json("\"ReadWrite\"")
    3 "fsType" opt fs_type .default_json("\"ext4\"")
    4 "readOnly" opt read_only
    5 "kind" opt kind .default_json("\"Shared\"")
}

/// `io.k8s.api.core.v1.AzureFileVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AzureFileVolumeSource {
    pub secret_name: IStr,
    pub share_name: IStr,
    pub read_only: bool,
}

codec! { AzureFileVolumeSource
    0 "secretName" req secret_name .required()
    1 "shareName" req share_name .required()
    2 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.CSIVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CSIVolumeSource {
    pub driver: IStr,
    pub read_only: Option<bool>,
    pub fs_type: Option<IStr>,
    pub volume_attributes: Map,
    pub node_publish_secret_ref: Option<Box<LocalObjectReference>>,
}

codec! { CSIVolumeSource
    0 "driver" req driver .required()
    1 "readOnly" opt read_only
    2 "fsType" opt fs_type
    3 "volumeAttributes" opt volume_attributes
    4 "nodePublishSecretRef" opt node_publish_secret_ref .map_atomic()
}

/// `io.k8s.api.core.v1.CephFSVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CephFSVolumeSource {
    pub monitors: List<IStr>,
    pub path: IStr,
    pub user: IStr,
    pub secret_file: IStr,
    pub secret_ref: Option<Box<LocalObjectReference>>,
    pub read_only: bool,
}

codec! { CephFSVolumeSource
    0 "monitors" opt monitors .required() .list_atomic()
    1 "path" opt path
    2 "user" opt user
    3 "secretFile" opt secret_file
    4 "secretRef" opt secret_ref .map_atomic()
    5 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.CinderVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CinderVolumeSource {
    pub volume_id: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
    pub secret_ref: Option<Box<LocalObjectReference>>,
}

codec! { CinderVolumeSource
    0 "volumeID" req volume_id .required()
    1 "fsType" opt fs_type
    2 "readOnly" opt read_only
    3 "secretRef" opt secret_ref .map_atomic()
}

/// `io.k8s.api.core.v1.ClusterTrustBundleProjection`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterTrustBundleProjection {
    pub name: Option<IStr>,
    pub signer_name: Option<IStr>,
    pub label_selector: Option<Box<LabelSelector>>,
    pub optional: Option<bool>,
    pub path: IStr,
}

codec! { ClusterTrustBundleProjection
    0 "name" opt name
    1 "signerName" opt signer_name
    2 "labelSelector" opt label_selector .map_atomic()
    3 "optional" opt optional
    4 "path" req path .required()
}

/// `io.k8s.api.core.v1.ConfigMapProjection`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigMapProjection {
    pub name: IStr,
    pub items: List<KeyToPath>,
    pub optional: Option<bool>,
}

codec! { ConfigMapProjection
    0 "name" opt name
    1 "items" opt items .list_atomic()
    2 "optional" opt optional
}

/// `io.k8s.api.core.v1.ConfigMapVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigMapVolumeSource {
    pub name: IStr,
    pub items: List<KeyToPath>,
    pub default_mode: Option<i32>,
    pub optional: Option<bool>,
}

codec! { ConfigMapVolumeSource
    0 "name" opt name
    1 "items" opt items .list_atomic()
    2 "defaultMode" opt default_mode
    3 "optional" opt optional
}

/// `io.k8s.api.core.v1.DownwardAPIProjection`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DownwardAPIProjection {
    pub items: List<DownwardAPIVolumeFile>,
}

codec! { DownwardAPIProjection
    0 "items" opt items .list_atomic()
}

/// `io.k8s.api.core.v1.DownwardAPIVolumeFile`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DownwardAPIVolumeFile {
    pub path: IStr,
    pub field_ref: Option<Box<ObjectFieldSelector>>,
    pub resource_field_ref: Option<Box<ResourceFieldSelector>>,
    pub mode: Option<i32>,
}

codec! { DownwardAPIVolumeFile
    0 "path" req path .required()
    1 "fieldRef" opt field_ref .map_atomic()
    2 "resourceFieldRef" opt resource_field_ref .map_atomic()
    3 "mode" opt mode
}

/// `io.k8s.api.core.v1.DownwardAPIVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DownwardAPIVolumeSource {
    pub items: List<DownwardAPIVolumeFile>,
    pub default_mode: Option<i32>,
}

codec! { DownwardAPIVolumeSource
    0 "items" opt items .list_atomic()
    1 "defaultMode" opt default_mode
}

/// `io.k8s.api.core.v1.EmptyDirVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EmptyDirVolumeSource {
    pub medium: IStr,
    pub size_limit: Option<Quantity>,
}

codec! { EmptyDirVolumeSource
    0 "medium" opt medium
    1 "sizeLimit" opt size_limit
}

/// `io.k8s.api.core.v1.EphemeralVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EphemeralVolumeSource {
    pub volume_claim_template: Option<Box<PersistentVolumeClaimTemplate>>,
}

codec! { EphemeralVolumeSource
    0 "volumeClaimTemplate" opt volume_claim_template
}

/// `io.k8s.api.core.v1.FCVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FCVolumeSource {
    pub target_wwns: List<IStr>,
    pub lun: Option<i32>,
    pub fs_type: IStr,
    pub read_only: bool,
    pub wwids: List<IStr>,
}

codec! { FCVolumeSource
    0 "targetWWNs" opt target_wwns .list_atomic()
    1 "lun" opt lun
    2 "fsType" opt fs_type
    3 "readOnly" opt read_only
    4 "wwids" opt wwids .list_atomic()
}

/// `io.k8s.api.core.v1.FlexVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexVolumeSource {
    pub driver: IStr,
    pub fs_type: IStr,
    pub secret_ref: Option<Box<LocalObjectReference>>,
    pub read_only: bool,
    pub options: Map,
}

codec! { FlexVolumeSource
    0 "driver" req driver .required()
    1 "fsType" opt fs_type
    2 "secretRef" opt secret_ref .map_atomic()
    3 "readOnly" opt read_only
    4 "options" opt options
}

/// `io.k8s.api.core.v1.FlockerVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlockerVolumeSource {
    pub dataset_name: IStr,
    pub dataset_uuid: IStr,
}

codec! { FlockerVolumeSource
    0 "datasetName" opt dataset_name
    1 "datasetUUID" opt dataset_uuid
}

/// `io.k8s.api.core.v1.GCEPersistentDiskVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GCEPersistentDiskVolumeSource {
    pub pd_name: IStr,
    pub fs_type: IStr,
    pub partition: i32,
    pub read_only: bool,
}

codec! { GCEPersistentDiskVolumeSource
    0 "pdName" req pd_name .required()
    1 "fsType" opt fs_type
    2 "partition" opt partition
    3 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.GitRepoVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GitRepoVolumeSource {
    pub repository: IStr,
    pub revision: IStr,
    pub directory: IStr,
}

codec! { GitRepoVolumeSource
    0 "repository" req repository .required()
    1 "revision" opt revision
    2 "directory" opt directory
}

/// `io.k8s.api.core.v1.GlusterfsVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlusterfsVolumeSource {
    pub endpoints: IStr,
    pub path: IStr,
    pub read_only: bool,
}

codec! { GlusterfsVolumeSource
    0 "endpoints" req endpoints .required()
    1 "path" req path .required()
    2 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.HostPathVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostPathVolumeSource {
    pub path: IStr,
    pub type_: Option<IStr>,
}

codec! { HostPathVolumeSource
    0 "path" req path .required()
    1 "type" opt type_
}

/// `io.k8s.api.core.v1.ISCSIVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
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

/// `io.k8s.api.core.v1.ImageVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageVolumeSource {
    pub reference: IStr,
    pub pull_policy: IStr,
}

codec! { ImageVolumeSource
    0 "reference" opt reference
    1 "pullPolicy" opt pull_policy
}

/// `io.k8s.api.core.v1.KeyToPath`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyToPath {
    pub key: IStr,
    pub path: IStr,
    pub mode: Option<i32>,
}

codec! { KeyToPath
    0 "key" req key .required()
    1 "path" req path .required()
    2 "mode" opt mode
}

/// `io.k8s.api.core.v1.LocalObjectReference`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalObjectReference {
    pub name: IStr,
}

codec! { LocalObjectReference
    0 "name" opt name
}

/// `io.k8s.api.core.v1.NFSVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NFSVolumeSource {
    pub server: IStr,
    pub path: IStr,
    pub read_only: bool,
}

codec! { NFSVolumeSource
    0 "server" req server .required()
    1 "path" req path .required()
    2 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.PersistentVolumeClaimSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "accessModes" opt access_modes .list_atomic()
    1 "selector" opt selector .map_atomic()
    2 "resources" opt resources
    3 "volumeName" opt volume_name
    4 "storageClassName" opt storage_class_name
    5 "volumeMode" opt volume_mode
    6 "dataSource" opt data_source .map_atomic()
    7 "dataSourceRef" opt data_source_ref
    8 "volumeAttributesClassName" opt volume_attributes_class_name
}

/// `io.k8s.api.core.v1.PersistentVolumeClaimTemplate`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersistentVolumeClaimTemplate {
    pub metadata: ObjectMeta,
    pub spec: PersistentVolumeClaimSpec,
}

codec! { PersistentVolumeClaimTemplate
    0 "metadata" opt metadata
    1 "spec" opt spec .required()
}

/// `io.k8s.api.core.v1.PersistentVolumeClaimVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersistentVolumeClaimVolumeSource {
    pub claim_name: IStr,
    pub read_only: bool,
}

codec! { PersistentVolumeClaimVolumeSource
    0 "claimName" req claim_name .required()
    1 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.PhotonPersistentDiskVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PhotonPersistentDiskVolumeSource {
    pub pd_id: IStr,
    pub fs_type: IStr,
}

codec! { PhotonPersistentDiskVolumeSource
    0 "pdID" req pd_id .required()
    1 "fsType" opt fs_type
}

/// `io.k8s.api.core.v1.PodCertificateProjection`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "signerName" opt signer_name .required()
    1 "keyType" opt key_type .required()
    2 "maxExpirationSeconds" opt max_expiration_seconds
    3 "credentialBundlePath" opt credential_bundle_path
    4 "keyPath" opt key_path
    5 "certificateChainPath" opt certificate_chain_path
    6 "userAnnotations" opt user_annotations
}

/// `io.k8s.api.core.v1.PortworxVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PortworxVolumeSource {
    pub volume_id: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
}

codec! { PortworxVolumeSource
    0 "volumeID" req volume_id .required()
    1 "fsType" opt fs_type
    2 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.ProjectedVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectedVolumeSource {
    pub sources: List<VolumeProjection>,
    pub default_mode: Option<i32>,
}

codec! { ProjectedVolumeSource
    0 "sources" opt sources .list_atomic()
    1 "defaultMode" opt default_mode
}

/// `io.k8s.api.core.v1.QuobyteVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuobyteVolumeSource {
    pub registry: IStr,
    pub volume: IStr,
    pub read_only: bool,
    pub user: IStr,
    pub group: IStr,
    pub tenant: IStr,
}

codec! { QuobyteVolumeSource
    0 "registry" req registry .required()
    1 "volume" req volume .required()
    2 "readOnly" opt read_only
    3 "user" opt user
    4 "group" opt group
    5 "tenant" opt tenant
}

/// `io.k8s.api.core.v1.RBDVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "monitors" opt monitors .required() .list_atomic()
    1 "image" req image .required()
    2 "fsType" opt fs_type
    3 "pool" opt pool .default_json("\"rbd\"")
    4 "user" opt user .default_json("\"admin\"")
    5 "keyring" opt keyring .default_json("\"/etc/ceph/keyring\"")
    6 "secretRef" opt secret_ref .map_atomic()
    7 "readOnly" opt read_only
}

/// `io.k8s.api.core.v1.ScaleIOVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
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

/// `io.k8s.api.core.v1.SecretProjection`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecretProjection {
    pub name: IStr,
    pub items: List<KeyToPath>,
    pub optional: Option<bool>,
}

codec! { SecretProjection
    0 "name" opt name
    1 "items" opt items .list_atomic()
    2 "optional" opt optional
}

/// `io.k8s.api.core.v1.SecretVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecretVolumeSource {
    pub secret_name: IStr,
    pub items: List<KeyToPath>,
    pub default_mode: Option<i32>,
    pub optional: Option<bool>,
}

codec! { SecretVolumeSource
    0 "secretName" opt secret_name
    1 "items" opt items .list_atomic()
    2 "defaultMode" opt default_mode
    3 "optional" opt optional
}

/// `io.k8s.api.core.v1.ServiceAccountTokenProjection`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceAccountTokenProjection {
    pub audience: IStr,
    pub expiration_seconds: Option<i64>,
    pub path: IStr,
}

codec! { ServiceAccountTokenProjection
    0 "audience" opt audience
    1 "expirationSeconds" opt expiration_seconds
    2 "path" req path .required()
}

/// `io.k8s.api.core.v1.StorageOSVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StorageOSVolumeSource {
    pub volume_name: IStr,
    pub volume_namespace: IStr,
    pub fs_type: IStr,
    pub read_only: bool,
    pub secret_ref: Option<Box<LocalObjectReference>>,
}

codec! { StorageOSVolumeSource
    0 "volumeName" opt volume_name
    1 "volumeNamespace" opt volume_namespace
    2 "fsType" opt fs_type
    3 "readOnly" opt read_only
    4 "secretRef" opt secret_ref .map_atomic()
}

/// `io.k8s.api.core.v1.TypedLocalObjectReference`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedLocalObjectReference {
    pub api_group: Option<IStr>,
    pub kind: IStr,
    pub name: IStr,
}

codec! { TypedLocalObjectReference
    0 "apiGroup" opt api_group
    1 "kind" req kind .required()
    2 "name" req name .required()
}

/// `io.k8s.api.core.v1.TypedObjectReference`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedObjectReference {
    pub api_group: Option<IStr>,
    pub kind: IStr,
    pub name: IStr,
    pub namespace: Option<IStr>,
}

codec! { TypedObjectReference
    0 "apiGroup" opt api_group
    1 "kind" req kind .required()
    2 "name" req name .required()
    3 "namespace" opt namespace
}

/// `io.k8s.api.core.v1.VolumeProjection`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeProjection {
    pub secret: Option<Box<SecretProjection>>,
    pub downward_api: Option<Box<DownwardAPIProjection>>,
    pub config_map: Option<Box<ConfigMapProjection>>,
    pub service_account_token: Option<Box<ServiceAccountTokenProjection>>,
    pub cluster_trust_bundle: Option<Box<ClusterTrustBundleProjection>>,
    pub pod_certificate: Option<Box<PodCertificateProjection>>,
}

codec! { VolumeProjection
    0 "secret" opt secret
    1 "downwardAPI" opt downward_api
    2 "configMap" opt config_map
    3 "serviceAccountToken" opt service_account_token
    4 "clusterTrustBundle" opt cluster_trust_bundle
    5 "podCertificate" opt pod_certificate
}

/// `io.k8s.api.core.v1.VolumeResourceRequirements`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeResourceRequirements {
    pub limits: Map<Quantity>,
    pub requests: Map<Quantity>,
}

codec! { VolumeResourceRequirements
    0 "limits" opt limits
    1 "requests" opt requests
}

/// `io.k8s.api.core.v1.VsphereVirtualDiskVolumeSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VsphereVirtualDiskVolumeSource {
    pub volume_path: IStr,
    pub fs_type: IStr,
    pub storage_policy_name: IStr,
    pub storage_policy_id: IStr,
}

codec! { VsphereVirtualDiskVolumeSource
    0 "volumePath" req volume_path .required()
    1 "fsType" opt fs_type
    2 "storagePolicyName" opt storage_policy_name
    3 "storagePolicyID" opt storage_policy_id
}
