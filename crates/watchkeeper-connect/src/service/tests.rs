//! Which connections a call goes by.

use super::*;
use crate::tls::Identity;

fn inner() -> Inner {
    Inner {
        server: Uri::from_static("http://127.0.0.1:1"),
        trust: Trust::Anybody,
        server_name: None,
        identity: None,
        auth: Auth::None,
        headers: HeaderMap::new(),
        origin: "a test".to_owned(),
        pools: Mutex::default(),
    }
}

fn of_run(run: u64) -> Credentials {
    let pair = rcgen::generate_simple_self_signed(["me".to_owned()]).unwrap();
    let (certificate, key) = (pair.cert.pem(), pair.signing_key.serialize_pem());
    let identity = Identity::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
    Credentials { header: None, identity: Some(identity), run }
}

/// A call that took its credentials before they were renewed and connects after must not close the connections
/// of the new ones.
#[tokio::test]
async fn late_credentials_do_not_push_out_the_newer_ones() {
    let inner = inner();
    let (first, _turn) = inner.pool(&of_run(1)).unwrap();
    let (second, _turn) = inner.pool(&of_run(2)).unwrap();
    assert!(!Arc::ptr_eq(&first, &second));
    let (late, _turn) = inner.pool(&of_run(1)).unwrap();
    assert!(Arc::ptr_eq(&late, &second));
    let (next, _turn) = inner.pool(&of_run(2)).unwrap();
    assert!(Arc::ptr_eq(&next, &second));
}
