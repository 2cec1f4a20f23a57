//! What is wrong with a field.

use std::fmt;

use serde_json::Value;
use watchkeeper_api::meta::v1::StatusCause;

/// What is wrong with a field of an object, in upstream's words (`k8s.io/apimachinery/pkg/util/validation/field`).
///
/// ```
/// use watchkeeper_manager::webhook::FieldError;
///
/// let told = [
///     FieldError::required("spec.name", ""),
///     FieldError::invalid("spec.replicas", 11, "must be at most 10"),
///     FieldError::not_supported("spec.mode", "fast", &["slow", "safe"]),
///     FieldError::forbidden("spec.class", "it cannot be changed"),
///     FieldError::duplicate("spec.ports[1]", 80),
///     FieldError::not_found("spec.account", "web"),
///     FieldError::too_long("spec.text", 63),
///     FieldError::too_many("spec.hosts", 3, 2),
/// ];
/// let told: Vec<String> = told.iter().map(ToString::to_string).collect();
/// assert_eq!(told, [
///     "spec.name: Required value",
///     "spec.replicas: Invalid value: 11: must be at most 10",
///     "spec.mode: Unsupported value: \"fast\": supported values: \"safe\", \"slow\"",
///     "spec.class: Forbidden: it cannot be changed",
///     "spec.ports[1]: Duplicate value: 80",
///     "spec.account: Not found: \"web\"",
///     "spec.text: Too long: may not be more than 63 bytes",
///     "spec.hosts: Too many: 3: must have at most 2 items",
/// ]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    field: String,
    reason: &'static str,
    message: String,
}

impl FieldError {
    /// A field that must be there; `why` may be empty.
    #[must_use]
    pub fn required(field: impl Into<String>, why: &str) -> Self {
        let message = match why {
            "" => "Required value".to_owned(),
            why => format!("Required value: {why}"),
        };
        Self::new(field, "FieldValueRequired", message)
    }

    /// A value that cannot be. It is told to who writes: not for what nobody is to know.
    #[must_use]
    pub fn invalid(field: impl Into<String>, value: impl Into<Value>, why: &str) -> Self {
        let message = format!("Invalid value: {}: {why}", value.into());
        Self::new(field, "FieldValueInvalid", message)
    }

    /// A value that is none of those that there are.
    #[must_use]
    pub fn not_supported(
        field: impl Into<String>,
        value: impl Into<Value>,
        supported: &[&str],
    ) -> Self {
        let mut supported: Vec<String> = supported.iter().map(|one| format!("{one:?}")).collect();
        supported.sort();
        let supported = supported.join(", ");
        let message = format!("Unsupported value: {}: supported values: {supported}", value.into());
        Self::new(field, "FieldValueNotSupported", message)
    }

    /// A field that must not be there, or not be changed.
    #[must_use]
    pub fn forbidden(field: impl Into<String>, why: &str) -> Self {
        Self::new(field, "FieldValueForbidden", format!("Forbidden: {why}"))
    }

    /// A value that is there twice.
    #[must_use]
    pub fn duplicate(field: impl Into<String>, value: impl Into<Value>) -> Self {
        Self::new(field, "FieldValueDuplicate", format!("Duplicate value: {}", value.into()))
    }

    /// A value that names what there is not.
    #[must_use]
    pub fn not_found(field: impl Into<String>, value: impl Into<Value>) -> Self {
        Self::new(field, "FieldValueNotFound", format!("Not found: {}", value.into()))
    }

    /// A text of more bytes than it may have.
    #[must_use]
    pub fn too_long(field: impl Into<String>, most: usize) -> Self {
        let message = format!("Too long: may not be more than {most} bytes");
        Self::new(field, "FieldValueTooLong", message)
    }

    /// A list of more items than it may have.
    #[must_use]
    pub fn too_many(field: impl Into<String>, count: usize, most: usize) -> Self {
        let items = if most == 1 { "item" } else { "items" };
        let message = format!("Too many: {count}: must have at most {most} {items}");
        Self::new(field, "FieldValueTooMany", message)
    }

    fn new(field: impl Into<String>, reason: &'static str, message: String) -> Self {
        Self { field: field.into(), reason, message }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl From<FieldError> for StatusCause {
    fn from(error: FieldError) -> Self {
        let FieldError { field, reason, message } = error;
        Self { reason: reason.into(), message: message.into(), field: field.into() }
    }
}
