//! Why a write is refused.

use std::error::Error as StdError;
use std::fmt;

use watchkeeper_api::error::Why;
use watchkeeper_api::meta::v1::{Status, StatusCause, StatusDetails};
use watchkeeper_api::{IStr, Kind, Object, object};

use super::FieldError;

/// Why a [`Defaulter`](super::Defaulter) or a [`Validator`](super::Validator) refuses a write.
///
/// Every error turns into one with `?`. One that is, or comes of, an answer of the server goes on with its code,
/// reason and causes; any other is 403 `Forbidden` with its words, as upstream's `Denied`. It is no
/// `std::error::Error` itself, which is what lets `?` take them all.
///
/// ```
/// use watchkeeper_api::core::v1::ConfigMap;
/// use watchkeeper_api::object;
/// use watchkeeper_manager::webhook::{FieldError, Refusal};
///
/// fn size(map: &ConfigMap) -> Result<u8, Refusal> {
///     let size = map.data.get("size").map_or("0", |size| &**size);
///     let size: u8 = size.parse()?; // any error
///     if size > 10 {
///         let wrong = FieldError::invalid("data.size", size, "must be at most 10");
///         return Err(Refusal::invalid(map, [wrong]));
///     }
///     Ok(size)
/// }
///
/// let map = |size: &str| object!(ConfigMap { metadata: { name: "a" }, data: { "size": size } });
/// let denied = size(&map("x")).unwrap_err();
/// assert_eq!((denied.status().code, &*denied.status().reason), (403, "Forbidden"));
/// let invalid = size(&map("11")).unwrap_err();
/// assert_eq!(invalid.status().code, 422);
/// let said = "ConfigMap \"a\" is invalid: data.size: Invalid value: 11: must be at most 10";
/// assert_eq!(invalid.to_string(), said);
/// ```
pub struct Refusal(Box<Status>);

impl Refusal {
    /// 403 `Forbidden`, in these words.
    #[must_use]
    pub fn denied(message: impl Into<IStr>) -> Self {
        Self::of(403, "Forbidden", message.into())
    }

    /// 400 `BadRequest`, in these words: the request makes no sense, whatever is stored.
    #[must_use]
    pub fn bad_request(message: impl Into<IStr>) -> Self {
        Self::of(400, "BadRequest", message.into())
    }

    /// 422 `Invalid`, with what is wrong by field (upstream: `apierrors.NewInvalid`).
    #[must_use]
    pub fn invalid(object: &impl Object, errors: impl IntoIterator<Item = FieldError>) -> Self {
        let errors: Vec<FieldError> = errors.into_iter().collect();
        let (kind, name) = (object.kind(), object.name());
        let said = format!("{} {name:?} is invalid: {}", qualified(kind), aggregate(&errors));
        let mut refusal = Self::of(422, "Invalid", said.into());
        refusal.0.details = Some(Box::new(StatusDetails {
            name: name.into(),
            group: (&*kind.group).into(),
            kind: (&*kind.kind).into(),
            causes: errors.into_iter().map(StatusCause::from).collect(),
            ..StatusDetails::default()
        }));
        refusal
    }

    /// An answer of one's own.
    #[must_use]
    pub fn with_status(status: Status) -> Self {
        Self(Box::new(status))
    }

    /// What the server passes on to who writes.
    #[must_use]
    pub fn status(&self) -> &Status {
        &self.0
    }

    pub(super) fn into_status(self) -> Status {
        *self.0
    }

    fn of(code: i32, reason: &str, message: IStr) -> Self {
        let status =
            object!(Status { status: "Failure", code: code, reason: reason, message: message });
        Self(Box::new(status))
    }
}

impl<E: Into<Box<dyn StdError + Send + Sync>>> From<E> for Refusal {
    fn from(error: E) -> Self {
        let error = error.into();
        match Why::of(&*error).and_then(Why::status) {
            Some(status) => Self(Box::new(status.clone())),
            None => Self::denied(error.to_string()),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Status { code, reason, message, .. } = &*self.0;
        write!(f, "Refusal({code} {reason}: {message})")
    }
}

fn qualified(kind: &Kind) -> String {
    match &*kind.group {
        "" => kind.kind.to_string(),
        group => format!("{}.{group}", kind.kind),
    }
}

/// As apimachinery tells several errors: each once, in brackets.
fn aggregate(errors: &[FieldError]) -> String {
    let mut told: Vec<String> = Vec::new();
    for error in errors {
        let text = error.to_string();
        if !told.contains(&text) {
            told.push(text);
        }
    }
    match &*told {
        [only] => only.clone(),
        _ => format!("[{}]", told.join(", ")),
    }
}
