//! Secrets, written and read back.

use watchkeeper_api::json;

use super::*;

fn valid(from: i64, until: i64) -> Validity {
    Validity { from: Time::from_unix(from), until: Time::from_unix(until) }
}

fn authority(name: &str) -> Pair {
    let certificate = format!("-----BEGIN CERTIFICATE-----\n{name}\n-----END CERTIFICATE-----\n");
    Pair { certificate, key: format!("key of {name}") }
}

#[test]
fn what_is_kept_is_read_back_and_two_authorities_are_trusted() {
    let mut secret = empty("ops", "certs");
    assert_eq!(read(&secret), None);
    for (name, from) in [("a", 0), ("b", 10), ("c", 20)] {
        put_authority(&mut secret, &authority(name), valid(from, from + 100));
    }
    let bundle = bundle(&secret);
    let bundle = bundle.as_text().expect("text");
    assert_eq!(bundle, format!("{}{}", authority("c").certificate, authority("b").certificate));
    assert_eq!(authority_key(&secret), "key of c");
    let kept = Kept { authority: valid(20, 120), serving: None };
    assert_eq!(read(&secret), Some(kept.clone()));

    let names = vec!["a.b.svc".to_owned(), "a".to_owned()];
    let serving = Serving { validity: valid(1, 2), names };
    let served = Pair { certificate: "crt".to_owned(), key: "key".to_owned() };
    put_serving(&mut secret, &served, &serving);
    let secret: Secret = json::from_str(&json::to_string(&secret)).expect("a secret");
    assert_eq!(read(&secret), Some(Kept { serving: Some(serving), ..kept }));
    assert_eq!(pair(&secret), Some(served));
}

#[test]
fn what_somebody_else_wrote_is_made_anew() {
    let mut secret = empty("ops", "certs");
    put_authority(&mut secret, &authority("a"), valid(0, 100));
    for wrong in ["", "x", "1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z/1970-01-01T00:00:00Z"] {
        let mut secret = secret.clone();
        secret.metadata.annotations.insert(AUTHORITY_VALIDITY, wrong);
        assert_eq!(read(&secret), None, "{wrong}");
    }
    let mut without = secret.clone();
    without.data.insert(AUTHORITY_KEY, "");
    assert_eq!(read(&without), None);
    assert!(read(&secret).is_some_and(|kept| kept.serving.is_none()));
}
