//! `kube-apiserver`: the embedded server alone, without actors, as envtest has it.

use std::path::Path;

use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use watchkeeper_apiserver::{ApiServer, Clock, Identity, Tls, serve_tls};
use watchkeeper_manager::signals;

use super::flags::{Flags, Known};
use super::{Program, tell};
use crate::Outcome;

mod plugins;
mod settings;
mod token_file;
mod unheeded;

use settings::Settings;

pub(super) const KNOWN: Known = Known(include_str!("kube_apiserver/flags.txt"));
pub(super) const ABOUT: &str = "\
watchkeeper as a kube-apiserver for envtest: the embedded server, which holds its objects itself and
forgets them when it ends. The flags are those of the real one: what cannot be done is refused, and what
has no meaning here is told on standard error.";

/// The release that it is like.
pub(super) fn version() -> &'static str {
    &watchkeeper_schema::builtin::facts().version
}

/// Serves until it is told to stop.
///
/// # Errors
/// What is asked for cannot be had, or what broke down.
pub(super) async fn run(flags: &Flags) -> Outcome {
    let shutdown = signals::shutdown();
    let settings = Settings::of(flags)?;
    tell(Program::KubeApiserver, &settings.unheeded);
    let tls = tls(&settings)?;
    let server = server(&settings)?;
    let cannot = |error: std::io::Error| format!("cannot listen on {}: {error}", settings.address);
    let listener = watchkeeper_apiserver::listen(settings.address).map_err(cannot)?;
    let served = serve_tls(listener, server, tls, shutdown).await;
    served.map_err(|error| format!("it stopped listening: {error}"))
}

fn server(settings: &Settings) -> Outcome<ApiServer> {
    let mut builder = ApiServer::builder()
        .clock(Clock::System)
        .seed(random())
        .drawn_signing_key()
        .service_range(settings.service_range)
        .max_requests_in_flight(settings.reads)
        .max_mutating_requests_in_flight(settings.writes);
    // Without RBAC everybody may do everything, but not who does not say who they are: a token that
    // nobody knows lets them be asked.
    builder = if settings.rbac {
        builder.rbac()
    } else {
        builder.token(format!("{:016x}{:016x}", random(), random()))
    };
    let authorities = settings.client_ca.as_deref().map(certificates).transpose()?;
    builder = builder.control_plane_maps(authorities.unwrap_or_default());
    if let Some(issuer) = &settings.issuer {
        builder = builder.issuer(issuer);
    }
    if settings.anonymous {
        builder = builder.anonymous();
    }
    if settings.service_accounts {
        builder = builder.service_accounts();
    }
    if settings.shard_selectors {
        builder = builder.shard_selectors();
    }
    if let Some(file) = &settings.token_file {
        for (token, user) in token_file::read(file)? {
            builder = builder.user(token, user);
        }
    }
    Ok(builder.build())
}

fn tls(settings: &Settings) -> Outcome<Tls> {
    let certificates = certificates(&settings.certificate)?;
    let cannot = |why: String| format!("no key can be read from {}: {why}", settings.key.display());
    let pem = std::fs::read(&settings.key).map_err(|error| cannot(error.to_string()))?;
    let key = PrivateKeyDer::from_pem_slice(&pem).map_err(|error| cannot(error.to_string()))?;
    let tls = Tls::from(Identity { certificates, key: key.secret_der().to_vec() });
    match &settings.client_ca {
        None => Ok(tls),
        Some(file) => Ok(tls.client_authorities(self::certificates(file)?)),
    }
}

/// The certificates in a file, of which there must be one at least.
fn certificates(file: &Path) -> Outcome<Vec<Vec<u8>>> {
    let cannot = |why: String| format!("no certificate can be read from {}: {why}", file.display());
    let pem = std::fs::read(file).map_err(|error| cannot(error.to_string()))?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    let found = found.map_err(|error| cannot(error.to_string()))?;
    if found.is_empty() {
        return Err(cannot("there is none in it".to_owned()));
    }
    Ok(found.iter().map(|certificate| certificate.to_vec()).collect())
}

/// A number that nobody chose, from the standard library's per-process randomness.
fn random() -> u64 {
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(0)
}
