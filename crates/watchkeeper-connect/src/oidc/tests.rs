//! When tokens expire, and what is asked.

use super::*;

pub(super) fn token(claims: &str) -> String {
    format!("e30.{}.sig", URL_SAFE_NO_PAD.encode(claims))
}

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

#[test]
fn a_token_tells_when_it_expires() {
    let hundred = token(r#"{"exp":100}"#);
    assert!(!has_expired(&hundred, at(89)) && has_expired(&hundred, at(90)), "ten seconds before");
    assert!(has_expired(&token(r#"{"exp":100.5}"#), at(100)));
    for lasting in ["opaque", "a.b.c", &token("{}"), &token(r#"{"exp":1e300}"#)] {
        assert!(!has_expired(lasting, at(1 << 40)), "{lasting}");
    }
}

#[test]
fn what_is_missing_is_told() {
    let wrong = |config: &[(&str, &str)]| {
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let config = config.iter().map(owned).collect();
        let provider = AuthProvider { name: "oidc".to_owned(), config, place: None };
        Oidc::new(&provider).err().unwrap()
    };
    let issuer = ("idp-issuer-url", "https://idp");
    let client = ("client-id", "kube");
    assert!(wrong(&[client]).ends_with("has no idp-issuer-url; set it"));
    assert!(wrong(&[issuer]).ends_with("has no client-id; set it"));
    assert!(wrong(&[("idp-issuer-url", "idp"), client]).contains("is no http or https URL"));
    assert!(wrong(&[issuer, client]).ends_with("log in first"));
    let secret = wrong(&[("idp-issuer-url", "ftp://me:hunter2@idp"), client]);
    assert!(secret.starts_with("its idp-issuer-url \"ftp://idp\" is no http"), "{secret}");
    let ca = ("idp-certificate-authority-data", "hunter2!");
    let error = wrong(&[issuer, client, ca]);
    assert!(
        error.contains("is not base64; encode the PEM text so") && !error.contains("hunter2"),
        "{error}"
    );
}

#[test]
fn forms_are_escaped() {
    assert_eq!(issuer::escaped("a b&c=d/é"), "a%20b%26c%3Dd%2F%C3%A9");
}
