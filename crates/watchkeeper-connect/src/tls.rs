//! TLS: whom to trust, and who we are.

mod validity;

use std::sync::Arc;

use rustls::client::WantsClientCert;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::{ClientConfig, ConfigBuilder, DigitallySignedStruct, RootCertStore, SignatureScheme};
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
pub(crate) use validity::Validity;

/// The keys that certificates may have.
pub(crate) const KNOWN_KEYS: &str = "RSA, ECDSA on P-256 and P-384, Ed25519";

/// Whose certificates a server may have.
#[derive(Clone, Debug)]
pub(crate) enum Trust {
    /// Those signed by one of these.
    Roots(Vec<CertificateDer<'static>>),
    /// Those that the machine trusts.
    Machine,
    /// Any. Somebody in between can read and change everything.
    Anybody,
}

/// A client certificate and its key.
#[derive(Debug)]
pub(crate) struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Clone for Identity {
    fn clone(&self) -> Self {
        Self { chain: self.chain.clone(), key: self.key.clone_key() }
    }
}

impl Identity {
    pub(crate) fn from_pem(certificate: &[u8], key: &[u8]) -> Result<Self, String> {
        let chain = certificates(certificate)
            .map_err(|what| format!("a client certificate that is none: {what}"))?;
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| {
            "a client key that is no PEM private key; write one there, not encrypted".to_owned()
        })?;
        Ok(Self { chain, key })
    }

    /// Whether the certificate is the same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.chain == other.chain
    }

    /// From when until when the certificate is good, as far as it can be read.
    pub(crate) fn validity(&self) -> Option<Validity> {
        Validity::of(self.chain.first()?)
    }
}

/// The certificates of a PEM text; at least one.
pub(crate) fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match all {
        Ok(all) if all.is_empty() => {
            Err("there is no PEM certificate in it; write one there".to_owned())
        }
        Ok(all) => Ok(all),
        Err(error) => Err(format!("it is malformed ({error}); write it anew")),
    }
}

/// The same, of those who may sign certificates.
pub(crate) fn authorities(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let all = certificates(pem)?;
    store(all.iter().cloned())?;
    Ok(all)
}

/// The TLS settings of a connection, on which HTTP/2 is offered first.
pub(crate) fn client_config(
    trust: &Trust,
    identity: Option<&Identity>,
) -> Result<ClientConfig, String> {
    let builder = verified(trust, false)?;
    let mut config = match identity {
        None => builder.with_no_client_auth(),
        Some(Identity { chain, key }) => {
            builder.with_client_auth_cert(chain.clone(), key.clone_key()).map_err(|error| {
                let known = match error {
                    rustls::Error::General(_) => format!("; keys are {KNOWN_KEYS}"),
                    _ => String::new(),
                };
                format!(
                    "the client certificate and key do not fit: {error}{known}; give the key that the certificate \
                     was made for"
                )
            })?
        }
    };
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// Those of a connection to a proxy: who may be the server may be the proxy (as with Go), and whoever the
/// machine trusts. It is not shown who we are.
pub(crate) fn proxy_config(trust: &Trust) -> Result<ClientConfig, String> {
    let mut config = verified(trust, true)?.with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn verified(
    trust: &Trust,
    and_machine: bool,
) -> Result<ConfigBuilder<ClientConfig, WantsClientCert>, String> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let machine = |store: &mut RootCertStore| {
        store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    };
    Ok(match trust {
        Trust::Anybody => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(BelievesAnybody(provider))),
        Trust::Roots(roots) => {
            let mut store = store(roots.iter().cloned())?;
            if and_machine {
                machine(&mut store);
            }
            builder.with_root_certificates(store)
        }
        Trust::Machine => {
            let mut store = RootCertStore::empty();
            machine(&mut store);
            builder.with_root_certificates(store)
        }
    })
}

fn store(roots: impl Iterator<Item = CertificateDer<'static>>) -> Result<RootCertStore, String> {
    let mut store = RootCertStore::empty();
    for root in roots {
        store.add(root).map_err(|error| format!("it is malformed ({error}); write it anew"))?;
    }
    Ok(store)
}

/// `insecure-skip-tls-verify`: signatures are checked, as they keep the protocol whole; names, dates and
/// issuers are not.
#[derive(Debug)]
struct BelievesAnybody(Arc<CryptoProvider>);

impl ServerCertVerifier for BelievesAnybody {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
