//! Whom the bundle of a configuration vouches for.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, WebPkiSupportedAlgorithms};
use rustls::crypto::{verify_tls12_signature, verify_tls13_signature};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};

/// Trusts what the certificates of a bundle vouch for, and these themselves: a bundle may hold the very
/// certificate that a webhook shows, whoever signed it, as Go has it (`crypto/x509`) and envtest makes it.
#[derive(Debug)]
pub(super) struct Bundle {
    /// None without any authority.
    authorities: Option<Arc<WebPkiServerVerifier>>,
    certificates: Vec<CertificateDer<'static>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Bundle {
    /// The bundle of these certificates (PEM).
    pub(super) fn new(pem: &[u8], provider: Arc<CryptoProvider>) -> Self {
        let certificates: Vec<_> = CertificateDer::pem_slice_iter(pem).flatten().collect();
        let mut roots = RootCertStore::empty();
        // What is no authority is passed over, as Go does.
        let _ = roots.add_parsable_certificates(certificates.iter().cloned());
        let algorithms = provider.signature_verification_algorithms;
        let authorities =
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().ok();
        Self { authorities, certificates, algorithms }
    }
}

const fn unknown() -> Error {
    Error::InvalidCertificate(CertificateError::UnknownIssuer)
}

impl ServerCertVerifier for Bundle {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(authorities) = &self.authorities else { return Err(unknown()) };
        match authorities.verify_server_cert(own, others, name, ocsp, now) {
            // Times and purposes are looked at before issuers, the name after them.
            Err(error) if error == unknown() && self.certificates.contains(own) => {
                verify_server_name(&ParsedCertificate::try_from(own)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            judged => judged,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
