//! Questions and answers as webhooks see them (`admission.k8s.io/v1`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// What a webhook is asked: an `AdmissionReview` with its request.
#[derive(Clone, Debug, PartialEq)]
pub struct Review(Value);

impl Review {
    /// A review as it came.
    #[must_use]
    pub const fn new(review: Value) -> Self {
        Self(review)
    }

    /// The request of the review.
    #[must_use]
    pub fn request(&self) -> &Value {
        &self.0["request"]
    }

    /// The new state, `null` for a delete.
    #[must_use]
    pub fn object(&self) -> &Value {
        &self.request()["object"]
    }

    /// The state before, `null` for a create.
    #[must_use]
    pub fn old_object(&self) -> &Value {
        &self.request()["oldObject"]
    }

    /// `CREATE`, `UPDATE` or `DELETE`.
    #[must_use]
    pub fn operation(&self) -> &str {
        self.request()["operation"].as_str().unwrap_or_default()
    }

    /// The answer that lets the write pass.
    pub fn allow(&self) -> Reviewed {
        self.answer(true)
    }

    /// The answer that refuses it; the client is told the message.
    pub fn deny(&self, message: &str) -> Reviewed {
        let mut reviewed = self.answer(false);
        if let Ok(answer) = &mut reviewed.0 {
            answer["response"]["status"] = json!({"message": message});
        }
        reviewed
    }

    fn answer(&self, allowed: bool) -> Reviewed {
        Reviewed(Ok(json!({
            "kind": "AdmissionReview",
            "apiVersion": "admission.k8s.io/v1",
            "response": {"uid": self.request()["uid"], "allowed": allowed},
        })))
    }
}

/// What a webhook answers.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "it is the answer of the webhook"]
pub struct Reviewed(Result<Value, String>);

impl Reviewed {
    /// An answer of whatever form.
    pub const fn raw(answer: Value) -> Self {
        Self(Ok(answer))
    }

    /// No answer at all, for instance `connection refused`.
    pub fn failed(why: &str) -> Self {
        Self(Err(why.to_owned()))
    }

    /// Changes the object by a JSON patch, a list of operations.
    pub fn patch(self, operations: &Value) -> Self {
        let patch = STANDARD.encode(operations.to_string());
        self.set("patch", patch.into()).set("patchType", "JSONPatch".into())
    }

    /// Tells the client something.
    pub fn warning(mut self, text: &str) -> Self {
        if let Ok(answer) = &mut self.0 {
            match answer["response"]["warnings"].as_array_mut() {
                Some(warnings) => warnings.push(text.into()),
                None => answer["response"]["warnings"] = json!([text]),
            }
        }
        self
    }

    /// Adds to the audit of the write.
    pub fn audit_annotation(mut self, key: &str, value: &str) -> Self {
        if let Ok(answer) = &mut self.0 {
            answer["response"]["auditAnnotations"][key] = value.into();
        }
        self
    }

    /// The HTTP status code of a refusal.
    pub fn code(mut self, code: u16) -> Self {
        if let Ok(answer) = &mut self.0 {
            answer["response"]["status"]["code"] = code.into();
        }
        self
    }

    /// The reason of a refusal, for programs.
    pub fn reason(mut self, reason: &str) -> Self {
        if let Ok(answer) = &mut self.0 {
            answer["response"]["status"]["reason"] = reason.into();
        }
        self
    }

    fn set(mut self, member: &str, value: Value) -> Self {
        if let Ok(answer) = &mut self.0 {
            answer["response"][member] = value;
        }
        self
    }

    pub(crate) fn into_inner(self) -> Result<Value, String> {
        self.0
    }
}
