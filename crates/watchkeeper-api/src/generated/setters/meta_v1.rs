//! `meta/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::meta::v1::{
    APIGroup, APIGroupList, APIResource, APIResourceList, APIVersions, Condition, CreateOptions,
    DeleteOptions, FieldSelectorRequirement, GetOptions, GroupResource, GroupVersionForDiscovery,
    GroupVersionKind, GroupVersionResource, LabelSelector, LabelSelectorRequirement, ListMeta,
    ListOptions, ManagedFieldsEntry, ObjectMeta, OwnerReference, PartialObjectMetadata,
    PatchOptions, Preconditions, ServerAddressByClientCIDR, ShardInfo, Status, StatusCause,
    StatusDetails, Table, TableColumnDefinition, TableOptions, TableRow, TableRowCondition,
    UpdateOptions, WatchEvent,
};
use crate::{IStr, List, Map, Raw, Time, setters};

setters! {
    APIGroupList {
        with_groups groups: List<APIGroup>,
    }
    APIGroup {
        with_name name: IStr,
        with_versions versions: List<GroupVersionForDiscovery>,
        with_preferred_version preferred_version: GroupVersionForDiscovery,
        with_server_address_by_client_cidrs server_address_by_client_cidrs: List<ServerAddressByClientCIDR>,
    }
    GroupVersionForDiscovery {
        with_group_version group_version: IStr,
        with_version version: IStr,
    }
    ServerAddressByClientCIDR {
        with_client_cidr client_cidr: IStr,
        with_server_address server_address: IStr,
    }
    APIResourceList {
        with_group_version group_version: IStr,
        with_resources resources: List<APIResource>,
    }
    APIResource {
        with_name name: IStr,
        with_singular_name singular_name: IStr,
        with_namespaced namespaced: bool,
        with_group group: IStr,
        with_version version: IStr,
        with_kind kind: IStr,
        with_verbs verbs: List<IStr>,
        with_short_names short_names: List<IStr>,
        with_categories categories: List<IStr>,
        with_storage_version_hash storage_version_hash: IStr,
    }
    Condition {
        with_type type_: IStr,
        with_status status: IStr,
        with_observed_generation observed_generation: i64,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    DeleteOptions {
        with_grace_period_seconds grace_period_seconds: Option<i64>,
        with_preconditions preconditions: Option<Box<Preconditions>>,
        with_orphan_dependents orphan_dependents: Option<bool>,
        with_propagation_policy propagation_policy: Option<IStr>,
        with_dry_run dry_run: List<IStr>,
        with_ignore_store_read_error_with_cluster_breaking_potential ignore_store_read_error_with_cluster_breaking_potential: Option<bool>,
    }
    Preconditions {
        with_uid uid: Option<IStr>,
        with_resource_version resource_version: Option<IStr>,
    }
    LabelSelector {
        with_match_labels match_labels: Map,
        with_match_expressions match_expressions: List<LabelSelectorRequirement>,
    }
    LabelSelectorRequirement {
        with_key key: IStr,
        with_operator operator: IStr,
        with_values values: List<IStr>,
    }
    ObjectMeta {
        with_name name: IStr,
        with_generate_name generate_name: IStr,
        with_namespace namespace: IStr,
        with_self_link self_link: IStr,
        with_uid uid: IStr,
        with_resource_version resource_version: IStr,
        with_generation generation: i64,
        with_creation_timestamp creation_timestamp: Option<Time>,
        with_deletion_timestamp deletion_timestamp: Option<Time>,
        with_deletion_grace_period_seconds deletion_grace_period_seconds: Option<i64>,
        with_labels labels: Map,
        with_annotations annotations: Map,
        with_owner_references owner_references: List<OwnerReference>,
        with_finalizers finalizers: List<IStr>,
        with_managed_fields managed_fields: List<ManagedFieldsEntry>,
    }
    ManagedFieldsEntry {
        with_manager manager: IStr,
        with_operation operation: IStr,
        with_api_version api_version: IStr,
        with_time time: Option<Time>,
        with_fields_type fields_type: IStr,
        with_fields_v1 fields_v1: Option<Raw>,
        with_subresource subresource: IStr,
    }
    OwnerReference {
        with_api_version api_version: IStr,
        with_kind kind: IStr,
        with_name name: IStr,
        with_uid uid: IStr,
        with_controller controller: Option<bool>,
        with_block_owner_deletion block_owner_deletion: Option<bool>,
    }
    APIVersions {
        with_versions versions: List<IStr>,
        with_server_address_by_client_cidrs server_address_by_client_cidrs: List<ServerAddressByClientCIDR>,
    }
    CreateOptions {
        with_dry_run dry_run: List<IStr>,
        with_field_manager field_manager: IStr,
        with_field_validation field_validation: IStr,
    }
    FieldSelectorRequirement {
        with_key key: IStr,
        with_operator operator: IStr,
        with_values values: List<IStr>,
    }
    GetOptions {
        with_resource_version resource_version: IStr,
    }
    GroupResource {
        with_group group: IStr,
        with_resource resource: IStr,
    }
    GroupVersionKind {
        with_group group: IStr,
        with_version version: IStr,
        with_kind kind: IStr,
    }
    GroupVersionResource {
        with_group group: IStr,
        with_version version: IStr,
        with_resource resource: IStr,
    }
    ListOptions {
        with_label_selector label_selector: IStr,
        with_field_selector field_selector: IStr,
        with_watch watch: bool,
        with_allow_watch_bookmarks allow_watch_bookmarks: bool,
        with_resource_version resource_version: IStr,
        with_resource_version_match resource_version_match: IStr,
        with_timeout_seconds timeout_seconds: Option<i64>,
        with_limit limit: i64,
        with_continue continue_: IStr,
        with_send_initial_events send_initial_events: Option<bool>,
        with_shard_selector shard_selector: IStr,
    }
    PatchOptions {
        with_dry_run dry_run: List<IStr>,
        with_force force: Option<bool>,
        with_field_manager field_manager: IStr,
        with_field_validation field_validation: IStr,
    }
    TableOptions {
        with_include_object include_object: IStr,
    }
    UpdateOptions {
        with_dry_run dry_run: List<IStr>,
        with_field_manager field_manager: IStr,
        with_field_validation field_validation: IStr,
    }
    WatchEvent {
        with_type type_: IStr,
        with_object object: Raw,
    }
    PartialObjectMetadata {
        with_metadata metadata: ObjectMeta,
    }
    Status {
        with_metadata metadata: ListMeta,
        with_status status: IStr,
        with_message message: IStr,
        with_reason reason: IStr,
        with_details details: Option<Box<StatusDetails>>,
        with_code code: i32,
    }
    ListMeta {
        with_self_link self_link: IStr,
        with_resource_version resource_version: IStr,
        with_continue continue_: IStr,
        with_remaining_item_count remaining_item_count: Option<i64>,
        with_shard_info shard_info: Option<Box<ShardInfo>>,
    }
    ShardInfo {
        with_selector selector: IStr,
    }
    StatusCause {
        with_reason reason: IStr,
        with_message message: IStr,
        with_field field: IStr,
    }
    StatusDetails {
        with_name name: IStr,
        with_group group: IStr,
        with_kind kind: IStr,
        with_uid uid: IStr,
        with_causes causes: List<StatusCause>,
        with_retry_after_seconds retry_after_seconds: i32,
    }
    Table {
        with_metadata metadata: ListMeta,
        with_column_definitions column_definitions: List<TableColumnDefinition>,
        with_rows rows: List<TableRow>,
    }
    TableColumnDefinition {
        with_name name: IStr,
        with_type type_: IStr,
        with_format format: IStr,
        with_description description: IStr,
        with_priority priority: i32,
    }
    TableRow {
        with_cells cells: List<Raw>,
        with_conditions conditions: List<TableRowCondition>,
        with_object object: Raw,
    }
    TableRowCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_reason reason: IStr,
        with_message message: IStr,
    }
}
