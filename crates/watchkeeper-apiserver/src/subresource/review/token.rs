//! `TokenReview`: whom a token names (`kubernetes/pkg/registry/authentication/tokenreview`).

use serde_json::{Value, json};

use crate::error::{ApiError, Result};
use crate::turn::Turn;

/// Judges the token of a review.
///
/// # Errors
///
/// 400 for a review without one.
pub(super) fn review(turn: &Turn<'_>, review: &Value) -> Result<Value> {
    let spec = &review["spec"];
    let token = spec["token"].as_str().unwrap_or_default();
    if token.is_empty() {
        let message = "token is required for TokenReview in authentication";
        return Err(ApiError::bad_request(message));
    }
    let asked = spec["audiences"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut audiences: Vec<String> = asked.map(str::to_owned).collect();
    if audiences.is_empty() {
        audiences = turn.core.credentials.audiences();
    }
    let judged = turn.core.credentials.judge(&turn.core.store, token, &audiences, turn.now);
    Ok(match judged {
        Ok(judged) => json!({
            "authenticated": true,
            "user": judged.user.to_json(),
            "audiences": judged.audiences,
        }),
        Err(why) => json!({"user": {}, "error": why}),
    })
}
