//! Which connections a call goes by.

use super::*;
use crate::certs::Trusted;
use crate::tls::Identity;

fn inner() -> Inner {
    Inner {
        server: Uri::from_static("http://127.0.0.1:1"),
        certs: Certs::open(Trusted::Anybody, None).unwrap(),
        server_name: None,
        proxy: None,
        compression: true,
        auth: Auth::None,
        headers: HeaderMap::new(),
        names: Names::all("a test"),
        pools: Mutex::default(),
    }
}

async fn of_run(inner: &Inner, run: u64) -> Presented {
    let pair = rcgen::generate_simple_self_signed(["me".to_owned()]).unwrap();
    let (certificate, key) = (pair.cert.pem(), pair.signing_key.serialize_pem());
    let identity = Identity::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
    let credentials = Credentials { header: None, identity: Some(identity), run };
    Presented { credentials, material: inner.certs.current().await, own: false }
}

/// A call that took its credentials before they were renewed and connects after must not close the connections
/// of the new ones.
#[tokio::test]
async fn late_credentials_do_not_push_out_the_newer_ones() {
    let inner = inner();
    let (old, new) = (of_run(&inner, 1).await, of_run(&inner, 2).await);
    let (first, _turn) = inner.pool(&old, Use::Calls).unwrap();
    let (second, _turn) = inner.pool(&new, Use::Calls).unwrap();
    assert!(!Arc::ptr_eq(&first, &second));
    let (late, _turn) = inner.pool(&old, Use::Calls).unwrap();
    assert!(Arc::ptr_eq(&late, &second));
    let (next, _turn) = inner.pool(&new, Use::Calls).unwrap();
    assert!(Arc::ptr_eq(&next, &second));
}

#[tokio::test]
async fn watches_have_connections_of_their_own() {
    let inner = inner();
    let with = of_run(&inner, 1).await;
    let (calls, _turn) = inner.pool(&with, Use::Calls).unwrap();
    let (watches, _turn) = inner.pool(&with, Use::Watches).unwrap();
    assert!(!Arc::ptr_eq(&calls, &watches));
    for (query, purpose) in [
        ("/api/v1/pods?limit=1&watch=true", Use::Watches),
        ("/api/v1/pods?watch=1", Use::Watches),
        ("/api/v1/pods?watch=false&labelSelector=watch", Use::Calls),
        ("/api/v1/pods", Use::Calls),
    ] {
        let request = Request::builder().uri(query).body(()).unwrap();
        assert_eq!(Use::of(&request), purpose, "{query}");
    }
}
