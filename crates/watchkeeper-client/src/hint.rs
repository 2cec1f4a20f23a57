//! What this side of a connection knows about a refusal.

use std::borrow::Cow;
use std::fmt;

/// Put into the extensions of an answer that is an error: what this side knows about it and the server does not,
/// such as where credentials are from that it does not take. The error's message is then the server's, with this
/// behind it; code and reason stay as they are.
///
/// It is told to people and to logs: let no secret be in it. `watchkeeper-connect` puts one into each 401.
///
/// ```
/// use watchkeeper_client::{Client, Hint};
///
/// /// A client that says whose password it is that the server does not take.
/// fn explained(client: Client) -> Client {
///     client.intercept(|request, next| async move {
///         let mut answer = next.send(request).await?;
///         if answer.status() == http::StatusCode::UNAUTHORIZED {
///             answer.extensions_mut().insert(Hint::new("jane's password is in /etc/shop; renew it"));
///         }
///         Ok(answer)
///     })
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint(Cow<'static, str>);

impl Hint {
    /// These words.
    #[must_use]
    pub fn new(words: impl Into<Cow<'static, str>>) -> Self {
        Self(words.into())
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
