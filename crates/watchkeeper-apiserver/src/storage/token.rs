//! Continue tokens: which revision a paged list reads and where it goes on.
//!
//! The form is that of apiserver's `storage/continue.go`: base64url of
//! `{"v":"meta.k8s.io/v1","rv":…,"start":"key\0"}`. Clients must not look inside.

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::{DecodeError, Engine as _};
use serde_json::{Value, json};

const VERSION: &str = "meta.k8s.io/v1";

/// A decoded token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continue {
    /// The revision to read; `None` reads the latest and gives up consistency.
    pub revision: Option<u64>,
    /// The first key that may come next.
    pub start: String,
}

impl Continue {
    /// The token after the key `last`.
    #[must_use]
    pub fn after(revision: Option<u64>, last: &str) -> Self {
        Self { revision, start: format!("{last}\0") }
    }

    /// The opaque text.
    #[must_use]
    pub fn encode(&self) -> String {
        let revision = self.revision.map_or(Value::from(-1), Value::from);
        let token = json!({"v": VERSION, "rv": revision, "start": self.start});
        URL_SAFE_NO_PAD.encode(token.to_string())
    }

    /// Reads a token.
    ///
    /// # Errors
    ///
    /// The sentence that upstream gives for a token it did not write.
    pub fn decode(text: &str) -> Result<Self, String> {
        let invalid = |why: &str| format!("continue key is not valid: {why}");
        let text = text.trim_end_matches('=');
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|error| {
            let at = match error {
                DecodeError::InvalidByte(at, _) | DecodeError::InvalidLastSymbol(at, _) => at,
                DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => text.len() / 4 * 4,
            };
            invalid(&format!("illegal base64 data at input byte {at}"))
        })?;
        let token: Value = serde_json::from_slice(&bytes).map_err(|error| {
            let why = crate::request::syntax::error(&bytes);
            invalid(&why.unwrap_or_else(|| error.to_string()))
        })?;
        let version = token["v"].as_str().unwrap_or_default();
        if version != VERSION {
            let why = format!("server does not recognize this encoded version {version}");
            return Err(invalid(&why));
        }
        let wrong = |why: &str| invalid(&format!("{why} (version {VERSION})"));
        let revision = match token["rv"].as_i64() {
            None | Some(0) => return Err(wrong("incorrect encoded start resourceVersion")),
            Some(revision) => u64::try_from(revision).ok(),
        };
        let start = token["start"].as_str().unwrap_or_default();
        if start.is_empty() {
            return Err(wrong("encoded start key empty"));
        }
        Ok(Self { revision, start: start.to_owned() })
    }
}
