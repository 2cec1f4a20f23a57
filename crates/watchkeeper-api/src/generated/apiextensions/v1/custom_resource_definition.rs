//! `apiextensions/v1`: `CustomResourceDefinition` and what it holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::{codec, kind};
use crate::meta::v1::ObjectMeta;
use crate::{ByteString, IStr, List, Map, Raw, Time};

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomResourceDefinition {
    pub metadata: ObjectMeta,
    pub spec: CustomResourceDefinitionSpec,
    pub status: CustomResourceDefinitionStatus,
}

codec! { CustomResourceDefinition: "apiextensions.k8s.io/v1"
    2 "metadata" opt metadata
    3 "spec" opt spec .required()
    4 "status" opt status
}

kind! {
    CustomResourceDefinition "apiextensions.k8s.io" "v1" "customresourcedefinitions" Cluster, CustomResourceDefinitionStatus
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceColumnDefinition`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomResourceColumnDefinition {
    pub name: IStr,
    pub type_: IStr,
    pub format: IStr,
    pub description: IStr,
    pub priority: i32,
    pub json_path: IStr,
}

codec! { CustomResourceColumnDefinition
    0 "name" req name .required()
    1 "type" req type_ .required()
    2 "format" opt format
    3 "description" opt description
    4 "priority" opt priority
    5 "jsonPath" req json_path .required()
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceConversion`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomResourceConversion {
    pub strategy: IStr,
    pub webhook: Option<Box<WebhookConversion>>,
}

codec! { CustomResourceConversion
    0 "strategy" req strategy .required()
    1 "webhook" opt webhook
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionCondition`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomResourceDefinitionCondition {
    pub type_: IStr,
    pub status: IStr,
    pub last_transition_time: Option<Time>,
    pub reason: IStr,
    pub message: IStr,
    pub observed_generation: i64,
}

codec! { CustomResourceDefinitionCondition
    0 "type" req type_ .required()
    1 "status" req status .required()
    2 "lastTransitionTime" opt last_transition_time
    3 "reason" opt reason
    4 "message" opt message
    5 "observedGeneration" opt observed_generation
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionNames`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomResourceDefinitionNames {
    pub plural: IStr,
    pub singular: IStr,
    pub short_names: List<IStr>,
    pub kind: IStr,
    pub list_kind: IStr,
    pub categories: List<IStr>,
}

codec! { CustomResourceDefinitionNames
    0 "plural" req plural .required()
    1 "singular" opt singular
    2 "shortNames" opt short_names .list_atomic()
    3 "kind" req kind .required()
    4 "listKind" opt list_kind
    5 "categories" opt categories .list_atomic()
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomResourceDefinitionSpec {
    pub group: IStr,
    pub names: CustomResourceDefinitionNames,
    pub scope: IStr,
    pub versions: List<CustomResourceDefinitionVersion>,
    pub conversion: Option<Box<CustomResourceConversion>>,
    pub preserve_unknown_fields: bool,
}

codec! { CustomResourceDefinitionSpec
    0 "group" req group .required()
    1 "names" opt names .required()
    2 "scope" req scope .required()
    3 "versions" opt versions .required() .list_atomic()
    4 "conversion" opt conversion
    5 "preserveUnknownFields" opt preserve_unknown_fields
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomResourceDefinitionStatus {
    pub conditions: List<CustomResourceDefinitionCondition>,
    pub accepted_names: CustomResourceDefinitionNames,
    pub stored_versions: List<IStr>,
    pub observed_generation: i64,
}

codec! { CustomResourceDefinitionStatus
    0 "conditions" opt conditions .list_map(&["type"])
    1 "acceptedNames" opt accepted_names
    2 "storedVersions" opt stored_versions .list_atomic()
    3 "observedGeneration" opt observed_generation
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionVersion`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "name" req name .required()
    1 "served" req served .required()
    2 "storage" req storage .required()
    3 "deprecated" opt deprecated
    4 "deprecationWarning" opt deprecation_warning
    5 "schema" opt schema
    6 "subresources" opt subresources
    7 "additionalPrinterColumns" opt additional_printer_columns .list_atomic()
    8 "selectableFields" opt selectable_fields .list_atomic()
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceScale`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomResourceSubresourceScale {
    pub spec_replicas_path: IStr,
    pub status_replicas_path: IStr,
    pub label_selector_path: Option<IStr>,
}

codec! { CustomResourceSubresourceScale
    0 "specReplicasPath" req spec_replicas_path .required()
    1 "statusReplicasPath" req status_replicas_path .required()
    2 "labelSelectorPath" opt label_selector_path
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomResourceSubresourceStatus {}

codec! { CustomResourceSubresourceStatus
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresources`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomResourceSubresources {
    pub status: Option<Box<CustomResourceSubresourceStatus>>,
    pub scale: Option<Box<CustomResourceSubresourceScale>>,
}

codec! { CustomResourceSubresources
    0 "status" opt status
    1 "scale" opt scale
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceValidation`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CustomResourceValidation {
    pub open_api_v3_schema: Option<Box<JSONSchemaProps>>,
}

codec! { CustomResourceValidation
    0 "openAPIV3Schema" opt open_api_v3_schema
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ExternalDocumentation`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExternalDocumentation {
    pub description: IStr,
    pub url: IStr,
}

codec! { ExternalDocumentation
    0 "description" opt description
    1 "url" opt url
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps`.
#[derive(Clone, Debug, Default, PartialEq)]
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
    0 "id" opt id
    1 "$schema" opt schema
    2 "$ref" opt ref_
    3 "description" opt description
    4 "type" opt type_
    5 "format" opt format
    6 "title" opt title
    7 "default" opt default
    8 "maximum" opt maximum
    9 "exclusiveMaximum" opt exclusive_maximum
    10 "minimum" opt minimum
    11 "exclusiveMinimum" opt exclusive_minimum
    12 "maxLength" opt max_length
    13 "minLength" opt min_length
    14 "pattern" opt pattern
    15 "maxItems" opt max_items
    16 "minItems" opt min_items
    17 "uniqueItems" opt unique_items
    18 "multipleOf" opt multiple_of
    19 "enum" opt enum_ .list_atomic()
    20 "maxProperties" opt max_properties
    21 "minProperties" opt min_properties
    22 "required" opt required .list_atomic()
    23 "items" opt items
    24 "allOf" opt all_of .list_atomic()
    25 "oneOf" opt one_of .list_atomic()
    26 "anyOf" opt any_of .list_atomic()
    27 "not" opt not
    28 "properties" opt properties
    29 "additionalProperties" opt additional_properties
    30 "patternProperties" opt pattern_properties
    31 "dependencies" opt dependencies
    32 "additionalItems" opt additional_items
    33 "definitions" opt definitions
    34 "externalDocs" opt external_docs
    35 "example" opt example
    36 "nullable" opt nullable
    37 "x-kubernetes-preserve-unknown-fields" opt x_kubernetes_preserve_unknown_fields
    38 "x-kubernetes-embedded-resource" opt x_kubernetes_embedded_resource
    39 "x-kubernetes-int-or-string" opt x_kubernetes_int_or_string
    40 "x-kubernetes-list-map-keys" opt x_kubernetes_list_map_keys .list_atomic()
    41 "x-kubernetes-list-type" opt x_kubernetes_list_type
    42 "x-kubernetes-map-type" opt x_kubernetes_map_type
    43 "x-kubernetes-validations" opt x_kubernetes_validations .list_map(&["rule"])
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.SelectableField`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelectableField {
    pub json_path: IStr,
}

codec! { SelectableField
    0 "jsonPath" req json_path .required()
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceReference {
    pub namespace: IStr,
    pub name: IStr,
    pub path: Option<IStr>,
    pub port: Option<i32>,
}

codec! { ServiceReference
    0 "namespace" req namespace .required()
    1 "name" req name .required()
    2 "path" opt path
    3 "port" opt port
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ValidationRule`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidationRule {
    pub rule: IStr,
    pub message: IStr,
    pub message_expression: IStr,
    pub reason: Option<IStr>,
    pub field_path: IStr,
    pub optional_old_self: Option<bool>,
}

codec! { ValidationRule
    0 "rule" req rule .required()
    1 "message" opt message
    2 "messageExpression" opt message_expression
    3 "reason" opt reason
    4 "fieldPath" opt field_path
    5 "optionalOldSelf" opt optional_old_self
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookClientConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WebhookClientConfig {
    pub url: Option<IStr>,
    pub service: Option<Box<ServiceReference>>,
    pub ca_bundle: ByteString,
}

codec! { WebhookClientConfig
    0 "url" opt url
    1 "service" opt service
    2 "caBundle" opt ca_bundle
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookConversion`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WebhookConversion {
    pub client_config: Option<Box<WebhookClientConfig>>,
    pub conversion_review_versions: List<IStr>,
}

codec! { WebhookConversion
    0 "clientConfig" opt client_config
    1 "conversionReviewVersions" opt conversion_review_versions .required() .list_atomic()
}
