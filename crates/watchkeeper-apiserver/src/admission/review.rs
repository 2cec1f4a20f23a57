//! Questions and answers as webhooks see them (`admission.k8s.io/v1`).

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// What a webhook is asked: an `AdmissionReview` with its request.
#[derive(Clone, PartialEq)]
pub struct Review(Value);

/// Without the objects: they may be secrets.
impl fmt::Debug for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let request = self.request();
        let text = |of: &Value| of.as_str().unwrap_or_default().to_owned();
        f.debug_struct("Review")
            .field("uid", &text(&request["uid"]))
            .field("operation", &self.operation())
            .field("resource", &text(&request["resource"]["resource"]))
            .field("namespace", &text(&request["namespace"]))
            .field("name", &text(&request["name"]))
            .finish_non_exhaustive()
    }
}

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

    /// `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
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
#[derive(Clone, PartialEq)]
#[must_use = "it is the answer of the webhook"]
pub struct Reviewed(Result<Value, String>);

/// Without the patch and the texts: they may tell what is in a secret.
impl fmt::Debug for Reviewed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Reviewed");
        match &self.0 {
            Ok(answer) => {
                let allowed = answer["response"]["allowed"] == true;
                let patched = answer["response"].get("patch").is_some();
                shown.field("allowed", &allowed).field("patched", &patched)
            }
            Err(why) => shown.field("failed", why),
        };
        shown.finish_non_exhaustive()
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_not_shown() {
        let object = json!({"data": {"password": "aHVudGVy"}});
        let review = Review::new(json!({"request": {
            "uid": "u", "operation": "UPDATE", "namespace": "default", "name": "x",
            "resource": {"resource": "secrets"}, "object": object, "oldObject": object,
        }}));
        let shown = format!("{review:?}");
        assert!(!shown.contains("aHVudGVy") && shown.contains("secrets"), "{shown}");
        let patch = json!([{"op": "add", "path": "/data/password", "value": "aHVudGVy"}]);
        let reviewed = review.allow().patch(&patch);
        let shown = format!("{reviewed:?} {:?}", review.deny("aHVudGVy"));
        let encoded = STANDARD.encode(patch.to_string());
        assert!(!shown.contains("aHVudGVy") && !shown.contains(&encoded), "{shown}");
        assert!(shown.contains("patched: true") && shown.contains("allowed: false"), "{shown}");
    }
}
