//! What an endpoint proves who it is with, and how it follows a certificate that is renewed.

use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
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
use watchkeeper_client::Client;
use watchkeeper_controller::Clock;

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
    Files {
        certificate: PathBuf,
        key: PathBuf,
    },
    #[cfg(feature = "webhooks")]
    Made(Made),
    #[cfg(feature = "webhooks")]
    Rotated(crate::webhook::Rotation),
}

/// A certificate and its key, in PEM.
#[cfg(feature = "webhooks")]
#[derive(Clone)]
struct Made {
    certificate: String,
    key: String,
}

/// Never the key.
#[cfg(feature = "webhooks")]
impl fmt::Debug for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Made")
    }
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

    /// Certificates that the program makes by itself, and keeps in a secret.
    #[cfg(feature = "webhooks")]
    pub const fn rotated(rotation: crate::webhook::Rotation) -> Self {
        Self(Source::Rotated(rotation))
    }

    #[cfg(feature = "webhooks")]
    pub(crate) const fn made(certificate: String, key: String) -> Self {
        Self(Source::Made(Made { certificate, key }))
    }

    /// What the program needs to be allowed for it.
    #[cfg(feature = "webhooks")]
    pub(crate) fn needs(&self) -> Vec<watchkeeper_client::access::Need> {
        match &self.0 {
            Source::Rotated(rotation) => rotation.needs(),
            Source::SelfSigned | Source::Files { .. } | Source::Made(_) => Vec::new(),
        }
    }

    /// What connections are secured with, what keeps it up to date, and what is shown. `edge` is where rotations
    /// keep their keys.
    ///
    /// # Errors
    /// There is no certificate, or its key does not fit.
    pub(super) async fn open(
        self,
        reads: Option<Arc<CertificateReads>>,
        edge: &Edge,
    ) -> Result<Opened> {
        let _ = edge;
        let (current, files) = match self.0 {
            Source::SelfSigned => (Current::new(self_signed()?), None),
            Source::Files { certificate, key } => {
                let files = Files { certificate, key, reads };
                let (texts, current) = files.read().await.map_err(Error::other)?;
                (Current::new(current), Some((files, texts)))
            }
            #[cfg(feature = "webhooks")]
            Source::Made(Made { certificate, key }) => {
                let made = parsed(certificate.as_bytes(), key.as_bytes()).map_err(Error::other)?;
                (Current::new(made), None)
            }
            #[cfg(feature = "webhooks")]
            Source::Rotated(rotation) => {
                let current = Arc::new(Current::default());
                let (client, clock) = (edge.client.clone(), edge.clock.clone());
                let shown = Arc::clone(&current);
                let show = move |certificate: &str, key: &str| shown.show(certificate, key);
                let keeping = rotation.run(client, clock, show);
                let acceptor = acceptor(&current)?;
                return Ok(Opened { acceptor, keeping: Some(Box::pin(keeping)), current });
            }
        };
        let current = Arc::new(current);
        let keeping = files.map(|(files, texts)| -> Keeping {
            let current = Arc::clone(&current);
            Box::pin(Renewal { files, texts, current }.run())
        });
        Ok(Opened { acceptor: acceptor(&current)?, keeping, current })
    }
}

/// What is beside an endpoint: the server that keeps what it keeps, and what time it is.
pub(super) struct Edge {
    #[cfg_attr(not(feature = "webhooks"), expect(dead_code, reason = "for rotations"))]
    pub(super) client: Client,
    #[cfg_attr(not(feature = "webhooks"), expect(dead_code, reason = "for rotations"))]
    pub(super) clock: Clock,
}

/// What connections are secured with.
pub(super) struct Opened {
    pub(super) acceptor: TlsAcceptor,
    /// What keeps the certificate up to date.
    pub(super) keeping: Option<Keeping>,
    pub(super) current: Arc<Current>,
}

pub(super) type Keeping = Pin<Box<dyn Future<Output = ()> + Send>>;

fn acceptor(current: &Arc<Current>) -> Result<TlsAcceptor> {
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::other(error.to_string()))?;
    let resolver: Arc<dyn ResolvesServerCert> = Arc::clone(current) as _;
    let mut config = config.with_no_client_auth().with_cert_resolver(resolver);
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// The certificate and the key of now; none before the first was made.
#[derive(Default)]
pub(crate) struct Current(Mutex<Option<Arc<CertifiedKey>>>);

impl Current {
    fn new(certified: CertifiedKey) -> Self {
        Self(Mutex::new(Some(Arc::new(certified))))
    }

    pub(crate) fn get(&self) -> Option<Arc<CertifiedKey>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, certified: CertifiedKey) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(certified));
    }

    /// From now on these are shown, in PEM.
    #[cfg(feature = "webhooks")]
    fn show(&self, certificate: &str, key: &str) -> Result<()> {
        let made = parsed(certificate.as_bytes(), key.as_bytes()).map_err(Error::other)?;
        if self.get().is_none_or(|shown| shown.cert != made.cert) {
            self.set(made);
        }
        Ok(())
    }
}

impl ResolvesServerCert for Current {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.get()
    }
}

/// Never the key.
impl fmt::Debug for Current {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Current")
    }
}

/// Reads the files again, from time to time.
struct Renewal {
    files: Files,
    texts: Texts,
    current: Arc<Current>,
}

impl Renewal {
    async fn run(mut self) {
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
                self.current.set(renewed);
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
        let certified = pair(&texts.0, &texts.1, &[certificate, key].map(|path| path.display()))?;
        Ok((texts, certified))
    }
}

/// A certificate and its key that stand in two texts, in PEM; `places` are where, for errors.
fn pair(
    certificate: &[u8],
    key: &[u8],
    places: &[impl fmt::Display; 2],
) -> Result<CertifiedKey, String> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(certificate).collect();
    let chain = chain.ok().filter(|chain| !chain.is_empty());
    let chain = chain.ok_or_else(|| format!("there is no PEM certificate in {}", places[0]))?;
    let private = PrivateKeyDer::from_pem_slice(key)
        .map_err(|_| format!("there is no PEM private key in {}", places[1]))?;
    certified(chain, private).map_err(|error| format!("{} and its key: {error}", places[0]))
}

#[cfg(feature = "webhooks")]
fn parsed(certificate: &[u8], key: &[u8]) -> Result<CertifiedKey, String> {
    pair(certificate, key, &["what was made", "what was made"])
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
