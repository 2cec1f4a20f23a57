use proptest::prelude::*;
use rcgen::{CertificateParams, DistinguishedName, DnType, DnValue, KeyPair};

use super::{CREDENTIAL, UID, attributes, peer};
use crate::listener::peer::Peer;
use crate::user::User;

fn of(names: &[(DnType, &str)]) -> Vec<u8> {
    // A name of its own would be the common one's.
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    for (kind, text) in names {
        params.distinguished_name.push(kind.clone(), DnValue::Utf8String((*text).to_owned()));
    }
    let key = KeyPair::generate().expect("a key");
    params.self_signed(&key).expect("a certificate").der().to_vec()
}

fn uid() -> DnType {
    DnType::CustomDnType(vec![1, 3, 6, 1, 4, 1, 57683, 2])
}

#[test]
fn the_common_name_is_the_user_and_the_organization_a_group() {
    let certificate = of(&[
        (DnType::CountryName, "CH"),
        (DnType::OrganizationName, "system:masters"),
        (DnType::CommonName, "grüezi"),
        (uid(), "u-7"),
    ]);
    let Peer::Known(user) = peer(&certificate) else { panic!("somebody") };
    let id = user.extra.get(CREDENTIAL).expect("which credential");
    assert!(id[0].starts_with("X509SHA256=") && id[0].len() == 11 + 64, "{id:?}");
    let mut wanted = User::new("grüezi").in_group("system:masters");
    wanted.uid = "u-7".to_owned();
    wanted.extra = user.extra.clone();
    assert_eq!(user, wanted);
}

#[test]
fn without_a_common_name_a_certificate_says_nothing() {
    assert_eq!(peer(&of(&[(DnType::OrganizationName, "devs")])), Peer::Silent);
    assert_eq!(peer(&of(&[(DnType::CommonName, "")])), Peer::Silent);
}

#[test]
fn a_uid_that_is_none_is_not_trusted() {
    assert_eq!(peer(&of(&[(DnType::CommonName, "alice"), (uid(), "")])), Peer::Untrusted);
    assert_eq!(peer(b"no certificate"), Peer::Untrusted);
}

#[test]
fn the_uid_is_found_by_its_number() {
    let certificate = of(&[(uid(), "u")]);
    assert_eq!(attributes(&certificate).expect("attributes"), [(UID, "u".to_owned())]);
}

proptest! {
    #[test]
    fn a_damaged_certificate_crashes_nobody(at in 0..200_usize, byte: u8, cut in 0..400_usize) {
        let mut certificate = of(&[(DnType::CommonName, "alice"), (uid(), "u")]);
        if let Some(place) = certificate.get_mut(at) {
            *place = byte;
        }
        certificate.truncate(cut);
        let _ = peer(&certificate);
    }
}

/// A value of less than 128 bytes.
fn value(tag: u8, parts: &[Vec<u8>]) -> Vec<u8> {
    let content = parts.concat();
    let mut bytes = vec![tag, u8::try_from(content.len()).expect("a short one")];
    bytes.extend(content);
    bytes
}

#[test]
fn several_organizations_are_groups_in_the_order_of_the_certificate() {
    let attribute = |oid: &[u8], tag, text: &str| {
        value(0x30, &[value(6, &[oid.to_vec()]), value(tag, &[text.into()])])
    };
    // As Go writes them: all of one kind in a set.
    let groups = [attribute(super::GROUP, 0x0c, "devs"), attribute(super::GROUP, 0x13, "ops")];
    let names = [attribute(super::NAME, 0x0c, "first"), attribute(super::NAME, 0x16, "alice")];
    let other = attribute(super::GROUP, 0x02, "7");
    let subject = value(0x30, &[value(0x31, &groups), value(0x31, &names), value(0x31, &[other])]);
    let empty = || value(0x30, &[]);
    // Without a version, as those of the first one are.
    let body = value(0x30, &[value(2, &[vec![1]]), empty(), empty(), empty(), subject]);
    let Peer::Known(user) = peer(&value(0x30, &[body])) else { panic!("somebody") };
    assert_eq!((&*user.name, user.groups), ("alice", vec!["devs".to_owned(), "ops".to_owned()]));
}
