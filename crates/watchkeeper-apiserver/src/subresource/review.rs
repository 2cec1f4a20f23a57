//! Resources that are only ever created: questions, answered at once.
//!
//! The server has one user, who may do everything.

use serde_json::{Value, json};

use crate::reply;
use crate::request::Call;
use crate::turn::{Outcome, Turn};

use super::Created;

/// Answers a review; `None` when the resource is one that is stored.
pub(crate) fn virtual_create(turn: &mut Turn<'_>, call: &Call, object: &Value) -> Created {
    let status = match (&*call.resource.group, &*call.resource.plural) {
        ("authorization.k8s.io", "selfsubjectrulesreviews") => json!({
            "incomplete": false,
            "resourceRules": [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}],
            "nonResourceRules": [{"verbs": ["*"], "nonResourceURLs": ["*"]}],
        }),
        ("authorization.k8s.io", _) => json!({"allowed": true}),
        ("authentication.k8s.io", "selfsubjectreviews") => json!({"userInfo": user()}),
        ("authentication.k8s.io", "tokenreviews") => token(turn, object),
        _ => return Ok(None),
    };
    let mut answer = object.clone();
    answer["status"] = status;
    Ok(Some(Outcome::Reply(reply::value(201, call.form.codec, &answer))))
}

fn user() -> Value {
    json!({"username": "system:admin", "groups": ["system:masters", "system:authenticated"]})
}

fn token(turn: &Turn<'_>, review: &Value) -> Value {
    let given = review["spec"]["token"].as_str();
    if given.is_some() && given == turn.core.config.token.as_deref() {
        json!({"authenticated": true, "user": user()})
    } else {
        json!({"authenticated": false, "user": {}})
    }
}
