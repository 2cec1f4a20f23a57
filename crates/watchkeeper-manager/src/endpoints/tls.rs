//! What an endpoint proves who it is with, and how it follows a certificate that is renewed.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::time::{Instant, interval_at};
use tokio_rustls::TlsAcceptor;
use watchkeeper_api::{Error, Result};

use crate::sync::Mutex;

/// How often the files are read again, as a certificate is renewed in its place.
const READ_EVERY: Duration = Duration::from_secs(10);

/// What an endpoint proves who it is with.
#[derive(Clone, Debug)]
#[must_use = "an endpoint has to be given it"]
pub struct Tls(Source);

#[derive(Clone, Debug)]
enum Source {
    SelfSigned,
    Files { certificate: PathBuf, key: PathBuf },
}

impl Tls {
    /// A certificate and its key in PEM, such as cert-manager writes into a volume. Both are read again each ten
    /// seconds, so that a renewed certificate is used from then on; one that cannot be read, or does not fit
    /// its key, leaves the one before.
    pub fn files(certificate: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Self {
        Self(Source::Files { certificate: certificate.into(), key: key.into() })
    }

    /// A certificate for `localhost` that nobody else vouches for, made anew: it keeps what is said secret, and
    /// proves nothing.
    pub const fn self_signed() -> Self {
        Self(Source::SelfSigned)
    }

    /// What connections are secured with, and what keeps it up to date.
    ///
    /// # Errors
    /// There is no certificate, or its key does not fit.
    pub(super) async fn open(
        self,
        reads: Option<Arc<CertificateReads>>,
    ) -> Result<(TlsAcceptor, Option<Renewal>)> {
        let (current, renewal) = match self.0 {
            Source::SelfSigned => (self_signed()?, None),
            Source::Files { certificate, key } => {
                let files = Files { certificate, key, reads };
                let (texts, current) = files.read().await.map_err(Error::other)?;
                (current, Some((files, texts)))
            }
        };
        let current = Arc::new(Current(Mutex::new(Arc::new(current))));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::other(error.to_string()))?;
        let resolver: Arc<dyn ResolvesServerCert> = current.clone();
        let mut config = config.with_no_client_auth().with_cert_resolver(resolver);
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let renewal = renewal.map(|(files, texts)| Renewal { files, texts, current });
        Ok((TlsAcceptor::from(Arc::new(config)), renewal))
    }
}

/// The certificate and the key of now.
struct Current(Mutex<Arc<CertifiedKey>>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// Never the key.
impl fmt::Debug for Current {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Current")
    }
}

/// Reads the files again, from time to time.
pub(super) struct Renewal {
    files: Files,
    texts: Texts,
    current: Arc<Current>,
}

impl Renewal {
    pub(super) async fn run(mut self) {
        let mut turn = interval_at(Instant::now() + READ_EVERY, READ_EVERY);
        loop {
            turn.tick().await;
            self.look().await;
        }
    }

    async fn look(&mut self) {
        match self.files.read().await {
            Ok((texts, _)) if texts == self.texts => {}
            Ok((texts, renewed)) => {
                self.texts = texts;
                let Current(current) = &*self.current;
                *current.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(renewed);
                let file = self.files.certificate.display();
                tracing::info!(%file, "an endpoint has another certificate");
            }
            Err(error) => tracing::warn!(error, "an endpoint keeps its certificate"),
        }
    }
}

/// What stands in both files.
type Texts = (Vec<u8>, Vec<u8>);

struct Files {
    certificate: PathBuf,
    key: PathBuf,
    reads: Option<Arc<CertificateReads>>,
}

impl Files {
    async fn read(&self) -> Result<(Texts, CertifiedKey), String> {
        let read = self.try_read().await;
        if let Some(reads) = &self.reads {
            reads.count(read.is_ok());
        }
        read
    }

    async fn try_read(&self) -> Result<(Texts, CertifiedKey), String> {
        let Self { certificate, key, .. } = self;
        let file = async |path: &PathBuf| {
            let text = tokio::fs::read(path).await;
            text.map_err(|error| format!("cannot read {}: {error}", path.display()))
        };
        let texts = (file(certificate).await?, file(key).await?);
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&texts.0).collect();
        let chain = chain.ok().filter(|chain| !chain.is_empty());
        let chain = chain
            .ok_or_else(|| format!("there is no PEM certificate in {}", certificate.display()))?;
        let private = PrivateKeyDer::from_pem_slice(&texts.1)
            .map_err(|_| format!("there is no PEM private key in {}", key.display()))?;
        let certified = certified(chain, private)
            .map_err(|error| format!("{} and its key: {error}", certificate.display()))?;
        Ok((texts, certified))
    }
}

fn self_signed() -> Result<CertifiedKey> {
    let cannot =
        |error: &dyn fmt::Display| Error::other(format!("no certificate can be made: {error}"));
    let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).map_err(|error| cannot(&error))?;
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    certified(vec![made.cert.der().clone()], key.into()).map_err(|error| cannot(&error))
}

fn certified(
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<CertifiedKey, rustls::Error> {
    CertifiedKey::from_der(chain, key, &ring::default_provider())
}

/// How often the files of a certificate were read, and how often in vain.
#[derive(Debug, Default)]
pub(crate) struct CertificateReads {
    all: AtomicU64,
    failed: AtomicU64,
}

impl CertificateReads {
    fn count(&self, well: bool) {
        self.all.fetch_add(1, Ordering::Relaxed);
        self.failed.fetch_add(u64::from(!well), Ordering::Relaxed);
    }

    /// Under the names of controller-runtime's `certwatcher`.
    #[cfg(feature = "prometheus")]
    pub(crate) fn register(registry: &mut prometheus_client::registry::Registry) -> Arc<Self> {
        let reads = Arc::new(Self::default());
        registry.register_collector(Box::new(Arc::clone(&reads)));
        reads
    }
}

#[cfg(feature = "prometheus")]
impl prometheus_client::collector::Collector for CertificateReads {
    fn encode(
        &self,
        mut encoder: prometheus_client::encoding::DescriptorEncoder<'_>,
    ) -> fmt::Result {
        use prometheus_client::encoding::NoLabelSet;
        use prometheus_client::metrics::{MetricType, exemplar::Exemplar};
        let metrics = [
            ("certwatcher_read_certificate", "Reads of a certificate's files", &self.all),
            (
                "certwatcher_read_certificate_errors",
                "Reads of a certificate's files that failed",
                &self.failed,
            ),
        ];
        for (name, help, count) in metrics {
            let none: Option<&Exemplar<NoLabelSet, u64>> = None;
            let count = count.load(Ordering::Relaxed);
            encoder
                .encode_descriptor(name, help, None, MetricType::Counter)?
                .encode_counter(&count, none)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
