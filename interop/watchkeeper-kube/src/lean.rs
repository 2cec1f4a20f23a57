//! From kube's types to the lean ones and back.

use serde::Serialize;
use serde::de::DeserializeOwned;
use watchkeeper_api::json::{self, Read, ReadError, Write};

use crate::text;

/// The same value as a lean one: an object, or a part of one. It goes through the text.
///
/// Managed fields are left out, as everywhere where objects are read.
///
/// ```
/// use k8s_openapi::api::core::v1 as openapi;
/// use watchkeeper_api::core::v1::ConfigMap;
///
/// let theirs = openapi::ConfigMap {
///     data: Some([("colour".to_owned(), "red".to_owned())].into()),
///     ..Default::default()
/// };
/// let ours: ConfigMap = watchkeeper_kube::to_lean(&theirs)?;
/// assert!(ours.data.get("colour").is_some_and(|colour| *colour == "red"));
/// # Ok::<(), watchkeeper_api::json::ReadError>(())
/// ```
///
/// # Errors
/// When the value says that it is something else, or serde cannot write it.
pub fn to_lean<L: Read>(value: &impl Serialize) -> Result<L, ReadError> {
    let text =
        serde_json::to_string(value).map_err(|error| ReadError::new(text::told(&error), 0))?;
    json::from_str(&text)
}

/// The same value as one of kube's, or of any other type that serde reads. It goes through the text.
///
/// The types of k8s-openapi refuse an object of another kind. Those of `kube::CustomResource` do not
/// look at what an object says it is, unless they are read as
/// [objects of ours](derive@crate::Object).
///
/// ```
/// use k8s_openapi::api::core::v1 as openapi;
/// use watchkeeper_api::{core::v1::ConfigMap, object};
///
/// let ours = object!(ConfigMap { metadata: { name: "a" }, data: { "colour": "red" } });
/// let theirs: openapi::ConfigMap = watchkeeper_kube::from_lean(&ours)?;
/// assert_eq!(theirs.data.unwrap_or_default()["colour"], "red");
/// # Ok::<(), watchkeeper_api::json::ReadError>(())
/// ```
///
/// # Errors
/// When the type refuses the value.
pub fn from_lean<T: DeserializeOwned>(value: &impl Write) -> Result<T, ReadError> {
    text::from_text(&json::to_string(value), 0)
}
