//! Who is at the other end of a connection, as far as the connection tells.

use http::Extensions;

use crate::access::login::Untrusted;
use crate::user::User;

/// Who is at the other end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Peer {
    /// It does not say.
    Silent,
    /// Somebody with a certificate that nobody vouches for.
    Untrusted,
    /// Somebody with a certificate.
    Known(User),
}

impl Peer {
    /// Notes it where a request is asked who makes it.
    pub(super) fn note(&self, extensions: &mut Extensions) {
        match self {
            Self::Silent => {}
            Self::Untrusted => _ = extensions.insert(Untrusted),
            Self::Known(user) => _ = extensions.insert(user.clone()),
        }
    }
}
