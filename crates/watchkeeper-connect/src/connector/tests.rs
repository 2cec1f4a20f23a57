//! What a connection asks of the operating system.

use std::sync::Arc;
use std::time::Duration;

use hyper_util::rt::TokioIo;
use socket2::SockRef;
use tokio::net::TcpListener;
use tower_service::Service;

use super::Connector;
use crate::tls::{Trust, client_config};

/// HTTP/1.1 knows no ping: a peer that vanished under a watch, an exec or a tunnel is noticed by the system,
/// 25 seconds after the last byte.
#[tokio::test]
async fn a_peer_that_vanishes_is_noticed_by_tcp_where_http_cannot_ask() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let tls = client_config(&Trust::Anybody, None).unwrap();
    let mut connector = Connector::new(Arc::new(tls), None, None);
    let address = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let stream = connector.tcp.call(address).await.map(TokioIo::into_inner).unwrap();
    let socket = SockRef::from(&stream);
    assert!(socket.keepalive().unwrap());
    let (idle, every) = (socket.tcp_keepalive_time(), socket.tcp_keepalive_interval());
    let asked = every.unwrap() * socket.tcp_keepalive_retries().unwrap();
    assert_eq!(idle.unwrap() + asked, Duration::from_secs(25));
    #[cfg(target_os = "linux")]
    assert_eq!(socket.tcp_user_timeout().unwrap(), Some(Duration::from_secs(25)));
    assert!(socket.tcp_nodelay().unwrap());
}
