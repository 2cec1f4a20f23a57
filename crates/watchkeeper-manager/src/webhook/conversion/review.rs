//! Conversions as they are asked for over the wire: `ConversionReview` of `apiextensions.k8s.io/v1` and `v1beta1`,
//! which say the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use watchkeeper_api::apiextensions::v1::{ConversionRequest, ConversionResponse};
use watchkeeper_api::json::{ReadError, TypeMeta};
use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{List, Object, Raw, Unstructured, object};

use super::super::envelope::{ReviewKind, envelope_codec};
use super::{ConversionError, Converts};
use crate::panics::caught_now;

const REVIEWS: ReviewKind = ReviewKind {
    kind: "ConversionReview",
    versions: ["apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"],
};

envelope_codec!(ConversionRequest);

/// Conversions by group and kind.
pub(in super::super) type Conversions = BTreeMap<(String, String), Arc<dyn Converts>>;

/// The body of the answer to that of a request, and whether a conversion panicked. All objects are converted, or
/// none; why one is not, is told with its name.
///
/// # Errors
/// What is wrong with a body that is no request.
pub(in super::super) fn answer(
    conversions: &Conversions,
    body: &[u8],
) -> Result<(Vec<u8>, bool), String> {
    let (version, request) = REVIEWS.open::<ConversionRequest>(body)?;
    let (result, converted, panicked) = match all(conversions, &request) {
        Ok(converted) => (object!(Status { status: "Success" }), converted, false),
        Err(Failed { why, panicked }) => {
            tracing::warn!(uid = %request.uid, why, "a conversion failed");
            let failure = object!(Status { status: "Failure", message: why });
            (failure, List::new(), panicked)
        }
    };
    let uid = request.uid;
    let response = ConversionResponse { uid, converted_objects: converted, result };
    Ok((REVIEWS.seal(version, response), panicked))
}

/// Why an object is not converted.
struct Failed {
    why: String,
    panicked: bool,
}

fn all(conversions: &Conversions, request: &ConversionRequest) -> Result<List<Raw>, Failed> {
    request.objects.iter().map(|raw| one(conversions, raw, &request.desired_api_version)).collect()
}

fn one(conversions: &Conversions, raw: &Raw, to: &str) -> Result<Raw, Failed> {
    let failed = |why| Failed { why, panicked: false };
    let found: TypeMeta = raw.decode().map_err(|error: ReadError| failed(error.to_string()))?;
    if found.api_version == to {
        return Ok(raw.clone());
    }
    let TypeMeta { api_version: from, kind } = &found;
    let about = || format!("{kind} {} from {from} to {to}", name(raw));
    let (group, _) = from.split_once('/').unwrap_or(("", from));
    let converts = conversions.get(&(group.to_owned(), kind.to_string()));
    let converts =
        converts.ok_or_else(|| failed(format!("{}: nobody converts {kind}", about())))?;
    match caught_now(|| converts.converted(raw.as_str(), from, to)) {
        Ok(Ok(converted)) => {
            let result = with_metadata(raw, converted);
            result.map_err(|error| failed(format!("{}: {error}", about())))
        }
        Ok(Err(error)) => Err(failed(format!("{}: {error}", about()))),
        Err(panic) => {
            tracing::error!(panic, "{}", about());
            let why = format!("{}: internal error occurred during conversion", about());
            Err(Failed { why, panicked: true })
        }
    }
}

/// Namespace and name, as far as the object says.
fn name(raw: &Raw) -> String {
    let object = raw.decode::<Unstructured>();
    object.map_or_else(|_| "without a name".to_owned(), |object| object.key().to_string())
}

/// What was converted, with the metadata as it was received: the server takes labels and annotations only, and
/// the types have left out what they do not know of the rest.
fn with_metadata(raw: &Raw, mut converted: Value) -> Result<Raw, ConversionError> {
    let received: Value = serde_json::from_str(raw.as_str())?;
    let Value::Object(mut metadata) = received["metadata"].clone() else {
        return Err("the object has no metadata".into());
    };
    for name in ["labels", "annotations"] {
        match converted["metadata"].get(name) {
            Some(made) => _ = metadata.insert(name.to_owned(), made.clone()),
            None => _ = metadata.remove(name),
        }
    }
    converted["metadata"] = metadata.into();
    Ok(Raw::from(&converted))
}
