//! `apiextensions/v1`: `CustomResourceDefinition` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{ByteString, IStr, List, Map, Raw, Time};

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceDefinition {
    pub metadata: ObjectMeta,
    pub spec: CustomResourceDefinitionSpec,
    pub status: CustomResourceDefinitionStatus,
}

codec! { CustomResourceDefinition: "apiextensions.k8s.io/v1"
    2 "metadata" [1] opt metadata
    3 "spec" [2] opt spec .required()
    4 "status" [3] opt status
    => [3 status] [2 spec] [1 metadata]
}

kind! {
    CustomResourceDefinition "apiextensions.k8s.io" "v1" "customresourcedefinitions" Cluster, CustomResourceDefinitionStatus
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceColumnDefinition`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceColumnDefinition {
    pub name: IStr,
    pub type_: IStr,
    pub format: IStr,
    pub description: IStr,
    pub priority: i32,
    pub json_path: IStr,
}

codec! { CustomResourceColumnDefinition
    0 "name" [1] req name .required()
    1 "type" [2] req type_ .required()
    2 "format" [3] opt format
    3 "description" [4] opt description
    4 "priority" [5] opt priority
    5 "jsonPath" [6] req json_path .required()
    => [6 json_path] [5 priority] [4 description] [3 format] [2 type_] [1 name]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceConversion`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceConversion {
    pub strategy: IStr,
    pub webhook: Option<Box<WebhookConversion>>,
}

codec! { CustomResourceConversion
    0 "strategy" [1] req strategy .required()
    1 "webhook" [2] opt webhook
    => [2 webhook] [1 strategy]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionCondition`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceDefinitionCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
    pub observed_generation: i64,
}

codec! { CustomResourceDefinitionCondition
    0 "type" [1] req type_ .required()
    1 "status" [2] req status .required()
    2 "lastTransitionTime" [3; time] opt last_transition_time
    3 "reason" [4] opt reason
    4 "message" [5] opt message
    5 "observedGeneration" [6] opt observed_generation
    => [6 observed_generation] [5 message] [4 reason] [3 last_transition_time; time] [2 status]
       [1 type_]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionNames`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceDefinitionNames {
    pub plural: IStr,
    pub singular: IStr,
    pub short_names: List<IStr>,
    pub kind: IStr,
    pub list_kind: IStr,
    pub categories: List<IStr>,
}

codec! { CustomResourceDefinitionNames
    0 "plural" [1] req plural .required()
    1 "singular" [2] opt singular
    2 "shortNames" [3] opt short_names .list_atomic()
    3 "kind" [4] req kind .required()
    4 "listKind" [5] opt list_kind
    5 "categories" [6] opt categories .list_atomic()
    => [6 categories] [5 list_kind] [4 kind] [3 short_names] [2 singular] [1 plural]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceDefinitionSpec {
    pub group: IStr,
    pub names: CustomResourceDefinitionNames,
    pub scope: IStr,
    pub versions: List<CustomResourceDefinitionVersion>,
    pub conversion: Option<Box<CustomResourceConversion>>,
    pub preserve_unknown_fields: bool,
}

codec! { CustomResourceDefinitionSpec
    0 "group" [1] req group .required()
    1 "names" [3] opt names .required()
    2 "scope" [4] req scope .required()
    3 "versions" [7] opt versions .required() .list_atomic()
    4 "conversion" [9] opt conversion
    5 "preserveUnknownFields" [10] opt preserve_unknown_fields
    => [10 preserve_unknown_fields] [9 conversion] [7 versions] [4 scope] [3 names] [1 group]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceDefinitionStatus {
    pub conditions: List<CustomResourceDefinitionCondition>,
    pub accepted_names: CustomResourceDefinitionNames,
    pub stored_versions: List<IStr>,
    pub observed_generation: i64,
}

codec! { CustomResourceDefinitionStatus
    0 "conditions" [1] opt conditions .list_map(&["type"])
    1 "acceptedNames" [2] opt accepted_names
    2 "storedVersions" [3] opt stored_versions .list_atomic()
    3 "observedGeneration" [4] opt observed_generation
    => [4 observed_generation] [3 stored_versions] [2 accepted_names] [1 conditions]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionVersion`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceDefinitionVersion {
    pub name: IStr,
    pub served: bool,
    pub storage: bool,
    pub deprecated: bool,
    pub deprecation_warning: Option<IStr>,
    pub schema: Option<Box<CustomResourceValidation>>,
    pub subresources: Option<Box<CustomResourceSubresources>>,
    pub additional_printer_columns: List<CustomResourceColumnDefinition>,
    pub selectable_fields: List<SelectableField>,
}

codec! { CustomResourceDefinitionVersion
    0 "name" [1] req name .required()
    1 "served" [2] req served .required()
    2 "storage" [3] req storage .required()
    3 "deprecated" [7] opt deprecated
    4 "deprecationWarning" [8] opt deprecation_warning
    5 "schema" [4] opt schema
    6 "subresources" [5] opt subresources
    7 "additionalPrinterColumns" [6] opt additional_printer_columns .list_atomic()
    8 "selectableFields" [9] opt selectable_fields .list_atomic()
    => [9 selectable_fields] [8 deprecation_warning] [7 deprecated] [6 additional_printer_columns]
       [5 subresources] [4 schema] [3 storage] [2 served] [1 name]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceScale`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceSubresourceScale {
    pub spec_replicas_path: IStr,
    pub status_replicas_path: IStr,
    pub label_selector_path: Option<IStr>,
}

codec! { CustomResourceSubresourceScale
    0 "specReplicasPath" [1] req spec_replicas_path .required()
    1 "statusReplicasPath" [2] req status_replicas_path .required()
    2 "labelSelectorPath" [3] opt label_selector_path
    => [3 label_selector_path] [2 status_replicas_path] [1 spec_replicas_path]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceStatus`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceSubresourceStatus {}

codec! { CustomResourceSubresourceStatus
    =>
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresources`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceSubresources {
    pub status: Option<Box<CustomResourceSubresourceStatus>>,
    pub scale: Option<Box<CustomResourceSubresourceScale>>,
}

codec! { CustomResourceSubresources
    0 "status" [1] opt status
    1 "scale" [2] opt scale
    => [2 scale] [1 status]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceValidation`.
#[derive(Clone, Default, PartialEq)]
pub struct CustomResourceValidation {
    pub open_api_v3_schema: Option<Box<JSONSchemaProps>>,
}

codec! { CustomResourceValidation
    0 "openAPIV3Schema" [1] opt open_api_v3_schema
    => [1 open_api_v3_schema]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ExternalDocumentation`.
#[derive(Clone, Default, PartialEq)]
pub struct ExternalDocumentation {
    pub description: IStr,
    pub url: IStr,
}

codec! { ExternalDocumentation
    0 "description" [1] opt description
    1 "url" [2] opt url
    => [2 url] [1 description]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps`.
#[derive(Clone, Default, PartialEq)]
pub struct JSONSchemaProps {
    pub id: IStr,
    pub schema: IStr,
    pub ref_: Option<IStr>,
    pub description: IStr,
    pub type_: IStr,
    pub format: IStr,
    pub title: IStr,
    pub default: Option<Raw>,
    pub maximum: Option<f64>,
    pub exclusive_maximum: bool,
    pub minimum: Option<f64>,
    pub exclusive_minimum: bool,
    pub max_length: Option<i64>,
    pub min_length: Option<i64>,
    pub pattern: IStr,
    pub max_items: Option<i64>,
    pub min_items: Option<i64>,
    pub unique_items: bool,
    pub multiple_of: Option<f64>,
    pub enum_: List<Raw>,
    pub max_properties: Option<i64>,
    pub min_properties: Option<i64>,
    pub required: List<IStr>,
    pub items: Option<Raw>,
    pub all_of: List<Self>,
    pub one_of: List<Self>,
    pub any_of: List<Self>,
    pub not: Option<Box<Self>>,
    pub properties: Map<Self>,
    pub additional_properties: Option<Raw>,
    pub pattern_properties: Map<Self>,
    pub dependencies: Map<Raw>,
    pub additional_items: Option<Raw>,
    pub definitions: Map<Self>,
    pub external_docs: Option<Box<ExternalDocumentation>>,
    pub example: Option<Raw>,
    pub nullable: bool,
    pub x_kubernetes_preserve_unknown_fields: Option<bool>,
    pub x_kubernetes_embedded_resource: bool,
    pub x_kubernetes_int_or_string: bool,
    pub x_kubernetes_list_map_keys: List<IStr>,
    pub x_kubernetes_list_type: Option<IStr>,
    pub x_kubernetes_map_type: Option<IStr>,
    pub x_kubernetes_validations: List<ValidationRule>,
}

codec! { JSONSchemaProps (recursive)
    0 "id" [1] opt id
    1 "$schema" [2] opt schema
    2 "$ref" [3] opt ref_
    3 "description" [4] opt description
    4 "type" [5] opt type_
    5 "format" [6] opt format
    6 "title" [7] opt title
    7 "default" [8] opt default
    8 "maximum" [9] opt maximum
    9 "exclusiveMaximum" [10] opt exclusive_maximum
    10 "minimum" [11] opt minimum
    11 "exclusiveMinimum" [12] opt exclusive_minimum
    12 "maxLength" [13] opt max_length
    13 "minLength" [14] opt min_length
    14 "pattern" [15] opt pattern
    15 "maxItems" [16] opt max_items
    16 "minItems" [17] opt min_items
    17 "uniqueItems" [18] opt unique_items
    18 "multipleOf" [19] opt multiple_of
    19 "enum" [20] opt enum_ .list_atomic()
    20 "maxProperties" [21] opt max_properties
    21 "minProperties" [22] opt min_properties
    22 "required" [23] opt required .list_atomic()
    23 "items" [24; or_array] opt items
    24 "allOf" [25] opt all_of .list_atomic()
    25 "oneOf" [26] opt one_of .list_atomic()
    26 "anyOf" [27] opt any_of .list_atomic()
    27 "not" [28] opt not
    28 "properties" [29] opt properties
    29 "additionalProperties" [30; or_bool] opt additional_properties
    30 "patternProperties" [31] opt pattern_properties
    31 "dependencies" [32; or_strings] opt dependencies
    32 "additionalItems" [33; or_bool] opt additional_items
    33 "definitions" [34] opt definitions
    34 "externalDocs" [35] opt external_docs
    35 "example" [36] opt example
    36 "nullable" [37] opt nullable
    37 "x-kubernetes-preserve-unknown-fields" [38] opt x_kubernetes_preserve_unknown_fields
    38 "x-kubernetes-embedded-resource" [39] opt x_kubernetes_embedded_resource
    39 "x-kubernetes-int-or-string" [40] opt x_kubernetes_int_or_string
    40 "x-kubernetes-list-map-keys" [41] opt x_kubernetes_list_map_keys .list_atomic()
    41 "x-kubernetes-list-type" [42] opt x_kubernetes_list_type
    42 "x-kubernetes-map-type" [43] opt x_kubernetes_map_type
    43 "x-kubernetes-validations" [44] opt x_kubernetes_validations .list_map(&["rule"])
    => [44 x_kubernetes_validations] [43 x_kubernetes_map_type] [42 x_kubernetes_list_type]
       [41 x_kubernetes_list_map_keys] [40 x_kubernetes_int_or_string]
       [39 x_kubernetes_embedded_resource] [38 x_kubernetes_preserve_unknown_fields] [37 nullable]
       [36 example] [35 external_docs] [34 definitions] [33 additional_items; or_bool]
       [32 dependencies; or_strings] [31 pattern_properties] [30 additional_properties; or_bool]
       [29 properties] [28 not] [27 any_of] [26 one_of] [25 all_of] [24 items; or_array]
       [23 required] [22 min_properties] [21 max_properties] [20 enum_] [19 multiple_of]
       [18 unique_items] [17 min_items] [16 max_items] [15 pattern] [14 min_length] [13 max_length]
       [12 exclusive_minimum] [11 minimum] [10 exclusive_maximum] [9 maximum] [8 default] [7 title]
       [6 format] [5 type_] [4 description] [3 ref_] [2 schema] [1 id]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.SelectableField`.
#[derive(Clone, Default, PartialEq)]
pub struct SelectableField {
    pub json_path: IStr,
}

codec! { SelectableField
    0 "jsonPath" [1] req json_path .required()
    => [1 json_path]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference`.
#[derive(Clone, Default, PartialEq)]
pub struct ServiceReference {
    pub namespace: IStr,
    pub name: IStr,
    pub path: Option<IStr>,
    pub port: Option<i32>,
}

codec! { ServiceReference
    0 "namespace" [1] req namespace .required()
    1 "name" [2] req name .required()
    2 "path" [3] opt path
    3 "port" [4] opt port
    => [4 port] [3 path] [2 name] [1 namespace]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ValidationRule`.
#[derive(Clone, Default, PartialEq)]
pub struct ValidationRule {
    pub rule: IStr,
    pub message: IStr,
    pub message_expression: IStr,
    pub reason: Option<IStr>,
    pub field_path: IStr,
    pub optional_old_self: Option<bool>,
}

codec! { ValidationRule
    0 "rule" [1] req rule .required()
    1 "message" [2] opt message
    2 "messageExpression" [3] opt message_expression
    3 "reason" [4] opt reason
    4 "fieldPath" [5] opt field_path
    5 "optionalOldSelf" [6] opt optional_old_self
    => [6 optional_old_self] [5 field_path] [4 reason] [3 message_expression] [2 message] [1 rule]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookClientConfig`.
#[derive(Clone, Default, PartialEq)]
pub struct WebhookClientConfig {
    pub url: Option<IStr>,
    pub service: Option<Box<ServiceReference>>,
    pub ca_bundle: ByteString,
}

codec! { WebhookClientConfig
    0 "url" [3] opt url
    1 "service" [1] opt service
    2 "caBundle" [2] opt ca_bundle
    => [3 url] [2 ca_bundle] [1 service]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookConversion`.
#[derive(Clone, Default, PartialEq)]
pub struct WebhookConversion {
    pub client_config: Option<Box<WebhookClientConfig>>,
    pub conversion_review_versions: List<IStr>,
}

codec! { WebhookConversion
    0 "clientConfig" [2] opt client_config
    1 "conversionReviewVersions" [3] opt conversion_review_versions .required() .list_atomic()
    => [3 conversion_review_versions] [2 client_config]
}
