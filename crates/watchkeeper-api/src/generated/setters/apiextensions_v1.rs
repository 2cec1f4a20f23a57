//! `apiextensions/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::apiextensions::v1::{
    ConversionRequest, ConversionResponse, ConversionReview, CustomResourceColumnDefinition,
    CustomResourceConversion, CustomResourceDefinition, CustomResourceDefinitionCondition,
    CustomResourceDefinitionNames, CustomResourceDefinitionSpec, CustomResourceDefinitionStatus,
    CustomResourceDefinitionVersion, CustomResourceSubresourceScale,
    CustomResourceSubresourceStatus, CustomResourceSubresources, CustomResourceValidation,
    ExternalDocumentation, JSONSchemaProps, SelectableField, ServiceReference, ValidationRule,
    WebhookClientConfig, WebhookConversion,
};
use crate::meta::v1::{ObjectMeta, Status};
use crate::{ByteString, IStr, List, Map, Raw, Time, setters};

setters! {
    CustomResourceDefinition {
        with_metadata metadata: ObjectMeta,
        with_spec spec: CustomResourceDefinitionSpec,
        with_status status: CustomResourceDefinitionStatus,
    }
    CustomResourceColumnDefinition {
        with_name name: IStr,
        with_type type_: IStr,
        with_format format: IStr,
        with_description description: IStr,
        with_priority priority: i32,
        with_json_path json_path: IStr,
    }
    CustomResourceConversion {
        with_strategy strategy: IStr,
        with_webhook webhook: Option<Box<WebhookConversion>>,
    }
    CustomResourceDefinitionCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
        with_observed_generation observed_generation: i64,
    }
    CustomResourceDefinitionNames {
        with_plural plural: IStr,
        with_singular singular: IStr,
        with_short_names short_names: List<IStr>,
        with_kind kind: IStr,
        with_list_kind list_kind: IStr,
        with_categories categories: List<IStr>,
    }
    CustomResourceDefinitionSpec {
        with_group group: IStr,
        with_names names: CustomResourceDefinitionNames,
        with_scope scope: IStr,
        with_versions versions: List<CustomResourceDefinitionVersion>,
        with_conversion conversion: Option<Box<CustomResourceConversion>>,
        with_preserve_unknown_fields preserve_unknown_fields: bool,
    }
    CustomResourceDefinitionStatus {
        with_conditions conditions: List<CustomResourceDefinitionCondition>,
        with_accepted_names accepted_names: CustomResourceDefinitionNames,
        with_stored_versions stored_versions: List<IStr>,
        with_observed_generation observed_generation: i64,
    }
    CustomResourceDefinitionVersion {
        with_name name: IStr,
        with_served served: bool,
        with_storage storage: bool,
        with_deprecated deprecated: bool,
        with_deprecation_warning deprecation_warning: Option<IStr>,
        with_schema schema: Option<Box<CustomResourceValidation>>,
        with_subresources subresources: Option<Box<CustomResourceSubresources>>,
        with_additional_printer_columns additional_printer_columns: List<CustomResourceColumnDefinition>,
        with_selectable_fields selectable_fields: List<SelectableField>,
    }
    CustomResourceSubresourceScale {
        with_spec_replicas_path spec_replicas_path: IStr,
        with_status_replicas_path status_replicas_path: IStr,
        with_label_selector_path label_selector_path: Option<IStr>,
    }
    CustomResourceSubresources {
        with_status status: Option<Box<CustomResourceSubresourceStatus>>,
        with_scale scale: Option<Box<CustomResourceSubresourceScale>>,
    }
    CustomResourceValidation {
        with_open_api_v3_schema open_api_v3_schema: Option<Box<JSONSchemaProps>>,
    }
    ExternalDocumentation {
        with_description description: IStr,
        with_url url: IStr,
    }
    JSONSchemaProps {
        with_id id: IStr,
        with_schema schema: IStr,
        with_ref ref_: Option<IStr>,
        with_description description: IStr,
        with_type type_: IStr,
        with_format format: IStr,
        with_title title: IStr,
        with_default default: Option<Raw>,
        with_maximum maximum: Option<f64>,
        with_exclusive_maximum exclusive_maximum: bool,
        with_minimum minimum: Option<f64>,
        with_exclusive_minimum exclusive_minimum: bool,
        with_max_length max_length: Option<i64>,
        with_min_length min_length: Option<i64>,
        with_pattern pattern: IStr,
        with_max_items max_items: Option<i64>,
        with_min_items min_items: Option<i64>,
        with_unique_items unique_items: bool,
        with_multiple_of multiple_of: Option<f64>,
        with_enum enum_: List<Raw>,
        with_max_properties max_properties: Option<i64>,
        with_min_properties min_properties: Option<i64>,
        with_required required: List<IStr>,
        with_items items: Option<Raw>,
        with_all_of all_of: List<Self>,
        with_one_of one_of: List<Self>,
        with_any_of any_of: List<Self>,
        with_not not: Option<Box<Self>>,
        with_properties properties: Map<Self>,
        with_additional_properties additional_properties: Option<Raw>,
        with_pattern_properties pattern_properties: Map<Self>,
        with_dependencies dependencies: Map<Raw>,
        with_additional_items additional_items: Option<Raw>,
        with_definitions definitions: Map<Self>,
        with_external_docs external_docs: Option<Box<ExternalDocumentation>>,
        with_example example: Option<Raw>,
        with_nullable nullable: bool,
        with_x_kubernetes_preserve_unknown_fields x_kubernetes_preserve_unknown_fields: Option<bool>,
        with_x_kubernetes_embedded_resource x_kubernetes_embedded_resource: bool,
        with_x_kubernetes_int_or_string x_kubernetes_int_or_string: bool,
        with_x_kubernetes_list_map_keys x_kubernetes_list_map_keys: List<IStr>,
        with_x_kubernetes_list_type x_kubernetes_list_type: Option<IStr>,
        with_x_kubernetes_map_type x_kubernetes_map_type: Option<IStr>,
        with_x_kubernetes_validations x_kubernetes_validations: List<ValidationRule>,
    }
    SelectableField {
        with_json_path json_path: IStr,
    }
    ServiceReference {
        with_namespace namespace: IStr,
        with_name name: IStr,
        with_path path: Option<IStr>,
        with_port port: Option<i32>,
    }
    ValidationRule {
        with_rule rule: IStr,
        with_message message: IStr,
        with_message_expression message_expression: IStr,
        with_reason reason: Option<IStr>,
        with_field_path field_path: IStr,
        with_optional_old_self optional_old_self: Option<bool>,
    }
    WebhookClientConfig {
        with_url url: Option<IStr>,
        with_service service: Option<Box<ServiceReference>>,
        with_ca_bundle ca_bundle: ByteString,
    }
    WebhookConversion {
        with_client_config client_config: Option<Box<WebhookClientConfig>>,
        with_conversion_review_versions conversion_review_versions: List<IStr>,
    }
    ConversionRequest {
        with_uid uid: IStr,
        with_desired_api_version desired_api_version: IStr,
        with_objects objects: List<Raw>,
    }
    ConversionResponse {
        with_uid uid: IStr,
        with_converted_objects converted_objects: List<Raw>,
        with_result result: Status,
    }
    ConversionReview {
        with_request request: Option<Box<ConversionRequest>>,
        with_response response: Option<Box<ConversionResponse>>,
    }
}
