//! Resources that are only ever created: questions, answered at once.
//!
//! Reviews of access tell what roles and bindings say, whether or not they hold
//! ([`Authorization`](crate::access::Authorization)).

mod access;
mod token;

use serde_json::{Value, json};

use crate::managed;
use crate::reply;
use crate::request::Call;
use crate::turn::{Outcome, Turn};

use super::Created;

/// Answers a review; `None` when the resource is one that is stored.
pub(crate) fn virtual_create(turn: &mut Turn<'_>, call: &Call, object: &Value) -> Created {
    if !matches!(&*call.resource.group, "authorization.k8s.io" | "authentication.k8s.io") {
        return Ok(None);
    }
    let mut answer = object.clone();
    let managed = (&*call.resource.group, &*call.resource.plural);
    let status = match managed {
        ("authorization.k8s.io", "selfsubjectrulesreviews") => {
            let status = access::rules(turn.core, call, object)?;
            answer["metadata"] = json!({});
            answer["spec"] = json!({});
            status
        }
        ("authentication.k8s.io", "selfsubjectreviews") => {
            answer["metadata"] = json!({"creationTimestamp": turn.now.rfc3339()});
            json!({"userInfo": call.user.to_json()})
        }
        ("authorization.k8s.io", _) => {
            let now = turn.now;
            managed::track(turn, None, &mut answer, call, now)?;
            access::access(turn.core, call, &answer)?
        }
        ("authentication.k8s.io", "tokenreviews") => {
            let now = turn.now;
            managed::track(turn, None, &mut answer, call, now)?;
            token::review(turn, object)?
        }
        _ => return Ok(None),
    };
    answer["status"] = status;
    Ok(Some(Outcome::Reply(reply::value(201, call.form.codec, &answer))))
}
