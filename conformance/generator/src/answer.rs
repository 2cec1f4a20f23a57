//! What a server says, and what of it the next request of a case needs.

use serde_json::Value;

/// An answer that has been read.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The code of the response.
    pub code: u64,
    /// The headers of this name, as they came.
    pub warnings: Vec<String>,
    /// The body; as a text if it is no JSON.
    pub body: Value,
}

impl Answer {
    /// An answer whose body is JSON, or not.
    #[must_use]
    pub fn of(code: u64, warnings: Vec<String>, body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        let body = serde_json::from_str(&text).unwrap_or_else(|_| text.as_ref().into());
        Self { code, warnings, body }
    }

    /// Whether what was asked for has been done.
    #[must_use]
    pub const fn is_good(&self) -> bool {
        self.code < 300
    }
}

/// What a server last told of the object of a case.
#[derive(Clone, Debug, Default)]
pub struct Told {
    version: String,
    uid: String,
    token: String,
}

impl Told {
    /// A path or a body with what this server told in place of `@rv@`, `@uid@` and `@continue@`.
    #[must_use]
    pub fn fill(&self, text: &str) -> String {
        let text = text.replace("@rv@", &self.version).replace("@uid@", &self.uid);
        text.replace("@continue@", &self.token)
    }

    /// Remembers what is in an answer.
    pub fn hear(&mut self, answer: &Answer) {
        let metadata = &answer.body["metadata"];
        let of = |name: &str| metadata[name].as_str().map(str::to_owned);
        self.version = of("resourceVersion").unwrap_or_else(|| std::mem::take(&mut self.version));
        self.uid = of("uid").unwrap_or_else(|| std::mem::take(&mut self.uid));
        self.token = of("continue").unwrap_or_default();
    }
}
