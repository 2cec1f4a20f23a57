//! Which parts of an object are secret, by the kind of the object and the names on the way.

use crate::json::{self, Reader};

/// Where `kubectl apply` keeps a copy of the object, with all that is secret in it.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// What is known of a place within an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Nothing around it has secrets.
    Open,
    /// A list of secrets.
    Secrets,
    /// A `Secret`.
    Secret,
    /// What has a token.
    Token,
    /// The data of a secret: names may be told, values not.
    Values,
    /// Not to be told.
    Hidden,
}

impl Scope {
    /// An object of a kind, or a struct, with this name.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "Secret" => Self::Secret,
            "SecretList" => Self::Secrets,
            "TokenRequest" | "TokenRequestStatus" | "TokenReview" | "TokenReviewSpec" => {
                Self::Token
            }
            _ => Self::Open,
        }
    }

    /// Within an object with this text, which may name a kind. Once in a secret, nothing that the
    /// text says leads out of it; nothing is told of what cannot be read.
    pub(crate) fn entering(self, object: &str) -> Self {
        if self != Self::Open || !(object.contains("kind") || object.contains('\\')) {
            return self;
        }
        let mut scope = self;
        let read = Reader::new(object).and_then(|mut reader| {
            reader.members(&mut |r, name| {
                let value = r.raw()?;
                // What is no text names no kind. Of several names any may be the one that counts.
                if name == "kind" && value.starts_with('"') {
                    scope = scope.or(Self::of(&json::from_str::<String>(value)?));
                }
                Ok(())
            })
        });
        if read.is_ok() { scope } else { Self::Hidden }
    }

    /// What is secret in either.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (scope, Self::Open) | (Self::Open, scope) => scope,
            (scope, other) if scope == other => scope,
            _ => Self::Hidden,
        }
    }

    /// At a member of this name.
    pub(crate) fn member(self, name: &str) -> Self {
        match (self, name) {
            (_, LAST_APPLIED) | (Self::Values | Self::Hidden, _) | (Self::Token, "token") => {
                Self::Hidden
            }
            (Self::Secret, "data" | "stringData") => Self::Values,
            (Self::Secrets, "items") => Self::Secret,
            (scope, _) => scope,
        }
    }

    /// Whether a plain value here is not to be told.
    pub(crate) fn hides(self) -> bool {
        matches!(self, Self::Values | Self::Hidden)
    }
}

/// Whether there may be something secret in a text of which nothing else is known.
pub(crate) fn may_hold(json: &str) -> bool {
    // A name with escapes in it is still the name.
    ["Secret", "Token", LAST_APPLIED, "\\"].iter().any(|word| json.contains(word))
}
