//! TLS before a server that speaks none: where clients ask for HTTP/2, and speak it with the server behind.

use std::net::SocketAddr;
use std::sync::Arc;

use rcgen::{CertificateParams, KeyPair};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::NoServerSessionStorage;
use rustls_pki_types::PrivateKeyDer;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use watchkeeper_connect::Config;

use crate::sockets::{Connect, accept};

/// Carries bytes out of TLS.
pub(crate) struct Gate {
    address: SocketAddr,
    certificate: String,
}

impl Gate {
    /// A gate before `target`, one of the tasks.
    pub(crate) async fn before(target: SocketAddr, tasks: &mut JoinSet<()>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (certificate, tls) = acceptor();
        tasks.spawn(accept(listener, move |near| carry(near, target, tls.clone())));
        Self { address, certificate }
    }

    /// How clients come through it.
    pub(crate) fn connect(&self) -> Connect {
        self.connect_to(self.address)
    }

    /// How they come to somebody else, of whom they expect the same certificate.
    pub(crate) fn connect_to(&self, address: SocketAddr) -> Connect {
        let (url, pem) = (format!("https://{address}"), self.certificate.clone());
        Arc::new(move || Config::builder(&*url).ca_pem(&pem).build().unwrap().client().unwrap())
    }
}

/// Until either end is closed; at once, where the far one is not there.
async fn carry(near: TcpStream, target: SocketAddr, tls: TlsAcceptor) {
    let Ok(mut near) = tls.accept(near).await else { return };
    assert_eq!(near.get_ref().1.alpn_protocol(), Some(&b"h2"[..]), "clients ask for HTTP/2");
    let Ok(mut far) = TcpStream::connect(target).await else { return };
    let _closed = copy_bidirectional(&mut near, &mut far).await;
}

/// A certificate that vouches for itself, and who shows it.
fn acceptor() -> (String, TlsAcceptor) {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let secret = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(ring::default_provider().into());
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let mut config = config.with_single_cert(vec![certificate.der().clone()], secret).unwrap();
    // The gate would remember the last 256 sessions, of which none is resumed.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    (certificate.pem(), TlsAcceptor::from(Arc::new(config)))
}
