//! A certificate authority of one's own, and what it vouches for.

use std::fmt;
use std::time::Duration;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use watchkeeper_api::{ByteString, Error, Result, Time};

use crate::endpoints::Tls;

/// From when until when a certificate is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Validity {
    pub(super) from: Time,
    pub(super) until: Time,
}

/// A certificate and its key, in PEM.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) certificate: String,
    pub(super) key: String,
}

/// A new authority. Its name is made of its validity, so that its certificate need not be read again.
///
/// # Errors
/// The operating system has no random numbers.
pub(super) fn authority(validity: Validity) -> Result<Pair> {
    let key = KeyPair::generate().map_err(cannot)?;
    let certificate = authority_params(validity).self_signed(&key).map_err(cannot)?;
    Ok(Pair { certificate: certificate.pem(), key: key.serialize_pem() })
}

/// A new key, and a certificate for a server of these names, by the authority of that validity and key.
///
/// # Errors
/// The operating system has no random numbers; a name is none; the key of the authority cannot be read.
pub(super) fn serving(
    authority: Validity,
    authority_key: &str,
    names: &[String],
    validity: Validity,
) -> Result<Pair> {
    let issuer = KeyPair::from_pem(authority_key).map_err(cannot)?;
    let issuer = Issuer::new(authority_params(authority), issuer);
    let key = KeyPair::generate().map_err(cannot)?;
    let mut params = CertificateParams::new(names).map_err(cannot)?;
    params.distinguished_name.push(DnType::CommonName, "webhooks");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.use_authority_key_identifier_extension = true;
    lasting(&mut params, validity);
    let certificate = params.signed_by(&key, &issuer).map_err(cannot)?;
    Ok(Pair { certificate: certificate.pem(), key: key.serialize_pem() })
}

fn authority_params(validity: Validity) -> CertificateParams {
    let mut params = CertificateParams::default();
    let name = format!("webhooks since {}", validity.from);
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature, KeyUsagePurpose::KeyCertSign];
    lasting(&mut params, validity);
    params
}

fn lasting(params: &mut CertificateParams, Validity { from, until }: Validity) {
    let moment = |time: Time| {
        let since_1970 = Duration::from_secs(u64::try_from(time.unix()).unwrap_or(0));
        rcgen::date_time_ymd(1970, 1, 1) + since_1970
    };
    (params.not_before, params.not_after) = (moment(from), moment(until));
}

fn cannot(error: rcgen::Error) -> Error {
    Error::other(format!("no certificate can be made: {error}"))
}

/// A certificate for webhooks of a test, or of a program on the desk of who writes it: made anew, by an authority
/// whose key is thrown away.
///
/// ```
/// use watchkeeper_api::admissionregistration::v1::WebhookClientConfig;
/// use watchkeeper_manager::webhook::{SelfMade, Webhooks, WebhookServer};
///
/// # fn main() -> watchkeeper_api::Result<()> {
/// let made = SelfMade::certificate(["localhost", "10.0.0.7"])?;
/// let server = WebhookServer::new(":9443", made.tls(), Webhooks::new());
/// let config = WebhookClientConfig {
///     url: Some("https://10.0.0.7:9443/validate-apps-v1-deployment".into()),
///     ca_bundle: made.ca_bundle(),
///     ..WebhookClientConfig::default()
/// };
/// # drop((server, config));
/// # Ok(())
/// # }
/// ```
pub struct SelfMade {
    authority: String,
    serving: Pair,
}

impl SelfMade {
    /// A certificate for these names and addresses, good from 1970 to 2100.
    ///
    /// # Errors
    /// The operating system has no random numbers, or a name is none.
    pub fn certificate<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Result<Self> {
        let names: Vec<String> = names.into_iter().map(N::into).collect();
        let validity = Validity { from: Time::from_unix(0), until: Time::from_unix(4_102_444_800) };
        let made = authority(validity)?;
        let serving = serving(validity, &made.key, &names, validity)?;
        Ok(Self { authority: made.certificate, serving })
    }

    /// What webhooks are served with.
    pub fn tls(&self) -> Tls {
        Tls::made(self.serving.certificate.clone(), self.serving.key.clone())
    }

    /// What the API server is to trust: the `caBundle` of a configuration.
    #[must_use]
    pub fn ca_bundle(&self) -> ByteString {
        self.authority.as_str().into()
    }
}

/// Without the key.
impl fmt::Debug for SelfMade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SelfMade").finish_non_exhaustive()
    }
}

/// Without the key.
impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pair").finish_non_exhaustive()
    }
}
