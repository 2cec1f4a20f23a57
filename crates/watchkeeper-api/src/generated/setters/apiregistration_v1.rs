//! `apiregistration/v1`.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::apiregistration::v1::{
    APIService, APIServiceCondition, APIServiceSpec, APIServiceStatus, ServiceReference,
};
use crate::meta::v1::ObjectMeta;
use crate::{ByteString, IStr, List, Time, setters};

setters! {
    APIService {
        with_metadata metadata: ObjectMeta,
        with_spec spec: APIServiceSpec,
        with_status status: APIServiceStatus,
    }
    APIServiceCondition {
        with_type type_: IStr,
        with_status status: IStr,
        with_last_transition_time last_transition_time: Option<Time>,
        with_reason reason: IStr,
        with_message message: IStr,
    }
    APIServiceSpec {
        with_service service: Option<Box<ServiceReference>>,
        with_group group: IStr,
        with_version version: IStr,
        with_insecure_skip_tls_verify insecure_skip_tls_verify: bool,
        with_ca_bundle ca_bundle: ByteString,
        with_group_priority_minimum group_priority_minimum: i32,
        with_version_priority version_priority: i32,
    }
    APIServiceStatus {
        with_conditions conditions: List<APIServiceCondition>,
    }
    ServiceReference {
        with_namespace namespace: IStr,
        with_name name: IStr,
        with_port port: Option<i32>,
    }
}
