//! A certificate authority of its own, for endpoints over TLS.

use std::net::IpAddr;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, SanType,
};
use watchkeeper_api::{Error, Result};
use watchkeeper_apiserver::Identity;

use super::Endpoint;

/// The names that every kube-apiserver answers to.
const NAMES: [&str; 5] = [
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
];

/// A certificate authority, made anew, whose key is nowhere but here.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> watchkeeper_api::Result<()> {
/// use watchkeeper_cluster::{Authority, Cluster, Endpoint, User};
///
/// let authority = Authority::generate()?;
/// let cluster = Cluster::builder().root_ca(authority.pem()).build();
/// let mut endpoint = Endpoint::bind(0).await?.tls(&authority)?;
/// let kubeconfig = endpoint.kubeconfig_as(&cluster, &User::admin())?;
/// let text = std::fs::read_to_string(kubeconfig).expect("a kubeconfig");
/// assert!(text.contains("https://127.0.0.1:") && text.contains("certificate-authority-data: "));
/// # Ok(())
/// # }
/// ```
pub struct Authority {
    pem: String,
    der: Vec<u8>,
    issuer: Issuer<'static, KeyPair>,
}

/// Without the key.
impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authority").finish_non_exhaustive()
    }
}

impl Authority {
    /// An authority with a new key.
    ///
    /// # Errors
    ///
    /// When the operating system has no random numbers.
    pub fn generate() -> Result<Self> {
        let key = KeyPair::generate().map_err(cannot)?;
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "kubernetes");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature, KeyUsagePurpose::KeyCertSign];
        let certificate = params.self_signed(&key).map_err(cannot)?;
        let (pem, der) = (certificate.pem(), certificate.der().to_vec());
        Ok(Self { pem, der, issuer: Issuer::new(params, key) })
    }

    /// Its certificate (PEM), by which clients know the servers that it vouches for.
    #[must_use]
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// A new key, and a certificate for a server at an address.
    fn identity(&self, ip: IpAddr) -> Result<Identity> {
        let key = KeyPair::generate().map_err(cannot)?;
        let names: Vec<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).map_err(cannot)?;
        params.distinguished_name.push(DnType::CommonName, "kube-apiserver");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.subject_alt_names.extend([[127, 0, 0, 1].into(), ip].map(SanType::IpAddress));
        params.use_authority_key_identifier_extension = true;
        let certificate = params.signed_by(&key, &self.issuer).map_err(cannot)?;
        let certificates = vec![certificate.der().to_vec(), self.der.clone()];
        Ok(Identity { certificates, key: key.serialize_der() })
    }
}

fn cannot(error: rcgen::Error) -> Error {
    Error::other(format!("no certificate can be made: {error}"))
}

impl Endpoint {
    /// Speaks TLS, with a certificate of that authority for the address, for 127.0.0.1 and for the
    /// names of a kube-apiserver in its cluster.
    ///
    /// # Errors
    ///
    /// When the operating system has no random numbers.
    pub fn tls(self, authority: &Authority) -> Result<Self> {
        let identity = authority.identity(self.address().ip())?;
        Ok(self.secured(identity, authority.pem()))
    }
}
