//! Questions and answers as conversion webhooks see them (`apiextensions.k8s.io/v1`).

use std::fmt;

use serde_json::{Value, json};

/// What a conversion webhook is asked: a `ConversionReview` with its request.
#[derive(Clone, PartialEq)]
pub struct ConversionReview(Value);

/// Without the objects: they may hold secrets.
impl fmt::Debug for ConversionReview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (version, count) = (self.desired_version(), self.objects().len());
        write!(f, "ConversionReview({count} objects to {version})")
    }
}

impl ConversionReview {
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

    /// The version that is asked for, e.g. `example.com/v2`.
    #[must_use]
    pub fn desired_version(&self) -> &str {
        self.request()["desiredAPIVersion"].as_str().unwrap_or_default()
    }

    /// The objects to convert; each says of which version it is.
    #[must_use]
    pub fn objects(&self) -> &[Value] {
        self.request()["objects"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// Converts the objects one by one, each to the version that the closure is told; `apiVersion` is
    /// written afterwards. The first error is what the review is answered with.
    pub fn convert(
        &self,
        mut one: impl FnMut(&Value, &str) -> Result<Value, String>,
    ) -> ConversionReviewed {
        let version = self.desired_version();
        let mut converted = Vec::new();
        for object in self.objects() {
            match one(object, version) {
                Ok(mut object) => {
                    if let Some(members) = object.as_object_mut() {
                        members.insert("apiVersion".to_owned(), version.into());
                    }
                    converted.push(object);
                }
                Err(why) => return self.fail(&why),
            }
        }
        self.answer(&converted)
    }

    /// The answer with the objects in the version that was asked for, in order.
    pub fn answer(&self, objects: &[Value]) -> ConversionReviewed {
        self.respond(&json!({
            "uid": self.request()["uid"],
            "result": {"status": "Success"},
            "convertedObjects": objects,
        }))
    }

    /// The answer that there is no conversion; the client is told why.
    pub fn fail(&self, message: &str) -> ConversionReviewed {
        self.respond(&json!({
            "uid": self.request()["uid"],
            "result": {"status": "Failure", "message": message},
            "convertedObjects": [],
        }))
    }

    /// An answer with a response of whatever form.
    pub fn respond(&self, response: &Value) -> ConversionReviewed {
        ConversionReviewed(Ok(json!({
            "kind": "ConversionReview",
            "apiVersion": self.0["apiVersion"],
            "response": response,
        })))
    }
}

/// What a conversion webhook answers.
#[derive(Clone, PartialEq)]
#[must_use = "it is the answer of the webhook"]
pub struct ConversionReviewed(Result<Value, String>);

/// Without the objects: they may hold secrets.
impl fmt::Debug for ConversionReviewed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Ok(answer) => {
                let objects = answer["response"]["convertedObjects"].as_array().map_or(0, Vec::len);
                write!(f, "ConversionReviewed({objects} objects)")
            }
            Err(why) => write!(f, "ConversionReviewed(failed: {why})"),
        }
    }
}

impl ConversionReviewed {
    /// An answer of whatever form.
    pub const fn raw(answer: Value) -> Self {
        Self(Ok(answer))
    }

    /// No answer at all, for instance `connection refused`.
    pub fn failed(why: &str) -> Self {
        Self(Err(why.to_owned()))
    }

    pub(crate) fn into_inner(self) -> Result<Value, String> {
        self.0
    }
}

#[cfg(test)]
mod tests;
