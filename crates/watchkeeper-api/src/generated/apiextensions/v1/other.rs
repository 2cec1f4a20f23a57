//! `apiextensions/v1`: what no kind holds.
//!
//! Generated from the facts by `cargo xtask codegen`; do not edit.

use crate::codec::codec;
use crate::meta::v1::Status;
use crate::{IStr, List, Raw};

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ConversionRequest`.
#[derive(Clone, Default, PartialEq)]
pub struct ConversionRequest {
    pub uid: IStr,
    pub desired_api_version: IStr,
    pub objects: List<Raw>,
}

codec! { ConversionRequest
    0 "uid" [1] req uid
    1 "desiredAPIVersion" [2] req desired_api_version
    2 "objects" [3] opt objects
    => [3 objects] [2 desired_api_version] [1 uid]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ConversionResponse`.
#[derive(Clone, Default, PartialEq)]
pub struct ConversionResponse {
    pub uid: IStr,
    pub converted_objects: List<Raw>,
    pub result: Status,
}

codec! { ConversionResponse
    0 "uid" [1] req uid
    1 "convertedObjects" [2] opt converted_objects
    2 "result" [3] opt result
    => [3 result] [2 converted_objects] [1 uid]
}

/// `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ConversionReview`.
#[derive(Clone, Default, PartialEq)]
pub struct ConversionReview {
    pub request: Option<Box<ConversionRequest>>,
    pub response: Option<Box<ConversionResponse>>,
}

codec! { ConversionReview: "apiextensions.k8s.io/v1"
    2 "request" [1] opt request
    3 "response" [2] opt response
    => [2 response] [1 request]
}
