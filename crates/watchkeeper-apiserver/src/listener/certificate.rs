//! Whom a certificate is of (`CommonNameUserConversion` of `apiserver/pkg/authentication/request/x509`).

use std::fmt::Write as _;

use super::peer::Peer;
use crate::user::User;

mod der;
#[cfg(test)]
mod tests;

use der::Der;

/// `2.5.4.3`, the common name.
const NAME: &[u8] = &[0x55, 4, 3];
/// `2.5.4.10`, the organization.
const GROUP: &[u8] = &[0x55, 4, 10];
/// `1.3.6.1.4.1.57683.2`, which Kubernetes has for the uid of a user.
const UID: &[u8] = &[0x2b, 6, 1, 4, 1, 0x83, 0xc2, 0x53, 2];
/// What else is known of a user: which credential it was.
const CREDENTIAL: &str = "authentication.kubernetes.io/credential-id";

/// Who has this certificate (DER), once it is known to be good: nobody without a common name, and
/// nobody to be trusted where the uid is not one.
pub(super) fn peer(certificate: &[u8]) -> Peer {
    let Some(attributes) = attributes(certificate) else { return Peer::Untrusted };
    let all = |oid: &[u8]| -> Vec<String> {
        let of = attributes.iter().filter(|(own, _)| *own == oid);
        of.map(|(_, text)| text.clone()).collect()
    };
    // The last one counts, as in Go's `pkix.Name`.
    let Some(name) = all(NAME).pop().filter(|name| !name.is_empty()) else { return Peer::Silent };
    let mut uids = all(UID);
    let uid = uids.pop().unwrap_or_default();
    if !uids.is_empty() || (uid.is_empty() && attributes.iter().any(|(oid, _)| *oid == UID)) {
        return Peer::Untrusted;
    }
    let mut user = User { uid, groups: all(GROUP), ..User::new(name) };
    user.extra.insert(CREDENTIAL.to_owned(), vec![fingerprint(certificate)]);
    Peer::Known(user)
}

/// The attributes of the subject that are text, in order.
fn attributes(certificate: &[u8]) -> Option<Vec<(&[u8], String)>> {
    let mut subject = subject(certificate)?;
    let mut attributes = Vec::new();
    while !subject.is_empty() {
        let mut set = subject.enter(der::SET)?;
        while !set.is_empty() {
            let mut pair = set.enter(der::SEQUENCE)?;
            let oid = pair.value(der::OBJECT_IDENTIFIER)?;
            if let Some(text) = pair.text() {
                attributes.push((oid, text));
            }
        }
    }
    Some(attributes)
}

/// RFC 5280, 4.1.
fn subject(certificate: &[u8]) -> Option<Der<'_>> {
    let mut body = Der::new(certificate).enter(der::SEQUENCE)?.enter(der::SEQUENCE)?;
    // Certificates of the first version do not say so.
    body.skip_if(der::VERSION)?;
    // The number, how it is signed, by whom, and for how long.
    for _ in 0..4 {
        body.skip()?;
    }
    body.enter(der::SEQUENCE)
}

fn fingerprint(certificate: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, certificate);
    digest.as_ref().iter().fold("X509SHA256=".to_owned(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
