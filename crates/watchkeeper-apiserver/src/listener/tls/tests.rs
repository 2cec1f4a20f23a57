//! What clients are told of whose certificates are known.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, KeyPair};

use super::*;

#[test]
fn clients_may_show_a_certificate_and_are_told_whose() {
    let key = KeyPair::generate().expect("a key");
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "clients");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = params.self_signed(&key).expect("a certificate").der().to_vec();
    let provider = Arc::new(ring::default_provider());
    let anybody = Anybody(verifier(vec![authority], &provider).expect("an authority"));
    let [hint] = anybody.root_hint_subjects() else { panic!("one authority") };
    let hint: &[u8] = hint.as_ref();
    assert!(hint.ends_with(b"clients"), "{hint:?}");
    assert!(!anybody.client_auth_mandatory());
    assert!(anybody.supported_verify_schemes().contains(&SignatureScheme::ED25519));
}
