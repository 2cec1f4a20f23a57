//! What is kept in the secret: certificates and keys in its data, and in annotations from when until when they are
//! good.

use watchkeeper_api::core::v1::Secret;
use watchkeeper_api::{ByteString, IStr, Object as _, Time, object};

use super::super::authority::{Pair, Validity};
use super::state::{Kept, Serving};

/// The certificates of the authorities, the newest first.
const AUTHORITIES: &str = "ca.crt";
/// The key of the newest.
const AUTHORITY_KEY: &str = "ca.key";
const CERTIFICATE: &str = "tls.crt";
const KEY: &str = "tls.key";

const AUTHORITY_VALIDITY: &str = "watchkeeper.io/authority-validity";
const SERVING_VALIDITY: &str = "watchkeeper.io/serving-validity";
const NAMES: &str = "watchkeeper.io/names";

/// How many authorities are trusted: the newest, and the one before, which vouched for what is still served.
const TRUSTED: usize = 2;

/// A secret that keeps nothing yet.
pub(super) fn empty(namespace: &str, name: &str) -> Secret {
    object!(Secret { metadata: { name: name, namespace: namespace }, type_: "kubernetes.io/tls" })
}

/// What a secret keeps; none if it is not all there, or was not written by us.
pub(super) fn read(secret: &Secret) -> Option<Kept> {
    let authority = validity(secret.annotation(AUTHORITY_VALIDITY)?)?;
    if text(secret, AUTHORITIES).is_empty() || text(secret, AUTHORITY_KEY).is_empty() {
        return None;
    }
    let serving = || {
        let validity = validity(secret.annotation(SERVING_VALIDITY)?)?;
        let names = secret.annotation(NAMES)?.split(',').map(str::to_owned).collect();
        pair(secret).map(|_| Serving { validity, names })
    };
    Some(Kept { authority, serving: serving() })
}

/// What the API server is to trust.
pub(super) fn bundle(secret: &Secret) -> ByteString {
    secret.data.get(AUTHORITIES).cloned().unwrap_or_default()
}

/// What is served.
pub(super) fn pair(secret: &Secret) -> Option<Pair> {
    let (certificate, key) = (text(secret, CERTIFICATE), text(secret, KEY));
    let is_there = !certificate.is_empty() && !key.is_empty();
    is_there.then(|| Pair { certificate: certificate.to_owned(), key: key.to_owned() })
}

pub(super) fn authority_key(secret: &Secret) -> &str {
    text(secret, AUTHORITY_KEY)
}

/// Trusts a new authority, which vouches for what is served from now on.
pub(super) fn put_authority(secret: &mut Secret, authority: &Pair, valid: Validity) {
    let before = read(secret).map(|_| text(secret, AUTHORITIES).to_owned());
    let before = before.unwrap_or_default();
    let older = certificates(&before).take(TRUSTED - 1);
    let bundle: String = std::iter::once(&*authority.certificate).chain(older).collect();
    secret.data.insert(AUTHORITIES, bundle);
    secret.data.insert(AUTHORITY_KEY, authority.key.as_str());
    // The type of the secret asks for them.
    for name in [CERTIFICATE, KEY] {
        secret.data.slot(name);
    }
    secret.metadata.annotations.insert(AUTHORITY_VALIDITY, shown(valid));
}

/// Serves a new certificate.
pub(super) fn put_serving(secret: &mut Secret, pair: &Pair, serving: &Serving) {
    secret.data.insert(CERTIFICATE, pair.certificate.as_str());
    secret.data.insert(KEY, pair.key.as_str());
    secret.metadata.annotations.insert(SERVING_VALIDITY, shown(serving.validity));
    secret.metadata.annotations.insert(NAMES, serving.names.join(","));
}

/// The certificates of a bundle, one by one.
fn certificates(bundle: &str) -> impl Iterator<Item = &str> {
    bundle.split_inclusive("-----END CERTIFICATE-----\n").filter(|one| one.contains("BEGIN"))
}

fn text<'a>(secret: &'a Secret, name: &str) -> &'a str {
    secret.data.get(name).and_then(ByteString::as_text).unwrap_or_default()
}

fn shown(Validity { from, until }: Validity) -> IStr {
    format!("{from}/{until}").into()
}

fn validity(text: &str) -> Option<Validity> {
    let (from, until) = text.split_once('/')?;
    let (from, until): (Time, Time) = (from.parse().ok()?, until.parse().ok()?);
    (from < until).then_some(Validity { from, until })
}

#[cfg(test)]
mod tests;
