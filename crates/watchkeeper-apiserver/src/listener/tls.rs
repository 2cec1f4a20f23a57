//! What is agreed over TLS: who the server is, and who the client is if it says so.

#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::sync::Arc;

use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{CryptoProvider, ring};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    DigitallySignedStruct, DistinguishedName, RootCertStore, ServerConfig, SignatureScheme,
};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::certificate;
use super::peer::Peer;

/// What a server proves over TLS who it is with.
#[derive(Clone)]
pub struct Identity {
    /// Its certificate in DER, then those that lead to one that clients know.
    pub certificates: Vec<Vec<u8>>,
    /// The key of the first one in DER: PKCS#8, PKCS#1 or SEC1.
    pub key: Vec<u8>,
}

/// Without the key.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({} certificates)", self.certificates.len())
    }
}

/// How a server speaks TLS: by an [`Identity`] alone, or knowing clients by their certificates as well.
#[derive(Clone, Debug)]
pub struct Tls {
    identity: Identity,
    authorities: Option<Vec<Vec<u8>>>,
}

impl From<Identity> for Tls {
    fn from(identity: Identity) -> Self {
        Self { identity, authorities: None }
    }
}

impl Tls {
    /// Knows clients by certificates that lead to one of these authorities, each in DER
    /// (`--client-ca-file`): the common name is the user, the organizations are its groups. Who shows a
    /// certificate that leads elsewhere, or whose time is over, gets 401; who shows none may have a token
    /// (`apiserver/pkg/authentication/request/x509`).
    ///
    /// ```
    /// use watchkeeper_apiserver::{ApiServer, Identity, Tls, serve_tls};
    ///
    /// # async fn serve(
    /// #     listener: tokio::net::TcpListener, identity: Identity, authority: Vec<u8>,
    /// # ) -> std::io::Result<()> {
    /// let server = ApiServer::builder().rbac().build();
    /// let tls = Tls::from(identity).client_authorities(vec![authority]);
    /// serve_tls(listener, server, tls, std::future::pending()).await
    /// # }
    /// ```
    #[must_use]
    pub fn client_authorities(mut self, authorities: Vec<Vec<u8>>) -> Self {
        self.authorities = Some(authorities);
        self
    }

    pub(super) fn acceptor(self) -> io::Result<Acceptor> {
        let key = PrivateKeyDer::try_from(self.identity.key).map_err(invalid)?;
        let chain = self.identity.certificates.into_iter().map(CertificateDer::from).collect();
        let provider = Arc::new(ring::default_provider());
        let clients = self.authorities.map(|authorities| verifier(authorities, &provider));
        let clients = clients.transpose()?;
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(invalid)?;
        let config = match &clients {
            None => config.with_no_client_auth(),
            Some(clients) => config.with_client_cert_verifier(Arc::new(Anybody(clients.clone()))),
        };
        let mut config = config.with_single_cert(chain, key).map_err(invalid)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Acceptor { tls: TlsAcceptor::from(Arc::new(config)), clients })
    }
}

fn invalid<E>(error: E) -> io::Error
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

fn verifier(
    authorities: Vec<Vec<u8>>,
    provider: &Arc<CryptoProvider>,
) -> io::Result<Arc<dyn ClientCertVerifier>> {
    let mut roots = RootCertStore::empty();
    for authority in authorities {
        roots.add(CertificateDer::from(authority)).map_err(invalid)?;
    }
    let builder =
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider));
    builder.allow_unauthenticated().build().map_err(invalid)
}

/// Agrees on connections.
#[derive(Clone)]
pub(super) struct Acceptor {
    tls: TlsAcceptor,
    clients: Option<Arc<dyn ClientCertVerifier>>,
}

impl Acceptor {
    /// The connection and who is at its other end, unless nothing can be agreed on.
    pub(super) async fn accept(&self, stream: TcpStream) -> Option<(TlsStream<TcpStream>, Peer)> {
        let stream = self.tls.accept(stream).await.ok()?;
        let peer = match (&self.clients, stream.get_ref().1.peer_certificates()) {
            (Some(clients), Some([own, others @ ..])) => judge(&**clients, own, others),
            _ => Peer::Silent,
        };
        Some((stream, peer))
    }
}

/// Whom a certificate is of, if an authority vouches for it now.
fn judge(
    clients: &dyn ClientCertVerifier,
    own: &CertificateDer<'_>,
    others: &[CertificateDer<'_>],
) -> Peer {
    match clients.verify_client_cert(own, others, UnixTime::now()) {
        Ok(_) => certificate::peer(own),
        Err(_) => Peer::Untrusted,
    }
}

/// Takes whatever certificate a client has the key of: it is judged once the connection is there, so
/// that who shows a wrong one is told 401 instead of nothing, as upstream does (`tls.RequestClientCert`).
#[derive(Debug)]
struct Anybody(Arc<dyn ClientCertVerifier>);

impl ClientCertVerifier for Anybody {
    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.0.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
