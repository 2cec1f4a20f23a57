//! Paths, queries and addresses.

use std::net::{Ipv4Addr, SocketAddr, TcpListener as StdListener};

use super::*;

async fn asked(target: &str) -> u16 {
    let probes = Probes { health: Arc::default(), ready: Arc::default() };
    let request = http::Request::get(target).body(()).expect("a request");
    Arc::new(probes).answer(request.into_parts().0, Body::empty()).await.status().as_u16()
}

#[tokio::test]
async fn there_are_two_endpoints_and_a_path_for_each_check() {
    for there in ["/healthz", "/healthz/", "/readyz?verbose", "/healthz/ping", "/readyz/p%69ng"] {
        assert_eq!(asked(there).await, 200, "{there}");
    }
    for missing in ["/", "/health", "/healthz/pong", "/healthz/ping/pong", "/metrics", "/%zz"] {
        assert_eq!(asked(missing).await, 404, "{missing}");
    }
}

#[test]
fn what_is_no_code_stands_for_itself() {
    assert_eq!(decoded("a%20b%2f%C3%A4"), "a b/ä");
    for plain in ["", "%", "%2", "a%zz", "100%"] {
        assert_eq!(decoded(plain), plain);
    }
    let read: Vec<_> = pairs("a=1&&b&c=x=y+z").collect();
    let read: Vec<_> = read.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(read, [("a", "1"), ("b", ""), ("c", "x=y z")]);
}

#[tokio::test]
async fn an_address_a_port_or_a_listener_is_a_place_and_nothing_is_nowhere() {
    for nowhere in ["", "0"] {
        assert!(Bind::from(nowhere).listen().await.expect("nothing").is_none());
    }
    let port = async |bind: Bind| {
        let listener = bind.listen().await.expect("a free port").expect("a listener");
        listener.local_addr().expect("an address")
    };
    assert!(port(":0".into()).await.ip().is_unspecified());
    assert_eq!(port("127.0.0.1:0".to_owned().into()).await.ip(), Ipv4Addr::LOCALHOST);
    assert_eq!(port(SocketAddr::from(([127, 0, 0, 1], 0)).into()).await.ip(), Ipv4Addr::LOCALHOST);
    let own = StdListener::bind("127.0.0.1:0").expect("a free port");
    let address = own.local_addr().expect("an address");
    assert_eq!(port(own.into()).await, address);
    for wrong in ["8081", ":x", "nobody.invalid:1"] {
        assert!(Bind::from(wrong).listen().await.is_err(), "{wrong}");
    }
}
