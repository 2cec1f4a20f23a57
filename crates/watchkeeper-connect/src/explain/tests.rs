//! Each cause has its mend.

use std::sync::Arc;
use std::time::Duration;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier as _;
use rustls_pki_types::{ServerName, UnixTime};

use super::*;
use crate::tls::certificates;

#[derive(Debug)]
struct Outer(BoxError);

impl std::fmt::Display for Outer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("client error (Connect)")
    }
}

impl StdError for Outer {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(self.0.as_ref())
    }
}

#[test]
fn a_cause_is_found_inside_of_an_io_error() {
    let inner = rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer);
    let error = Outer(io::Error::new(io::ErrorKind::InvalidData, inner).into());
    let found = cause::<rustls::Error>(&error).map(tls).unwrap();
    assert!(found.contains("signed by nobody that is trusted"), "{found}");
}

#[test]
fn each_certificate_error_has_its_mend() {
    for (why, mend) in [
        (CertificateError::Expired, "renew it"),
        (CertificateError::NotValidYet, "clock"),
        (CertificateError::NotValidForName, "tls-server-name"),
        (CertificateError::UnknownIssuer, "certificate-authority"),
    ] {
        assert!(certificate(&why).contains(mend), "{why:?}");
    }
}

/// A certificate for `server`, on P-256, signed by an authority on P-521, which Go knows.
const OF_P521: [&str; 2] = [
    "-----BEGIN CERTIFICATE-----\n\
     MIIB/zCCAWCgAwIBAgIUQ8KrX6AC95LigyxBx9OGMDHeZX8wCgYIKoZIzj0EAwQw\n\
     EDEOMAwGA1UEAwwFUC01MjEwIBcNMjYxMTIzMDIwMjM1WhgPMjEyNjEwMzAwMjAy\n\
     MzVaMBAxDjAMBgNVBAMMBVAtNTIxMIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQB\n\
     +DeIaiuftWROti5ABC+4t4oHlOrS4yG9wFWmZF8yU2BuoOWerYz5fiZKbSjxektR\n\
     NbnLb4rKa1jrB0pK3IaqkFUA3AC3SZtTwR9kWL77G7xe5pdh5A7hQ4I0siAz3AwQ\n\
     5m444vLtk3YDMvHDfBuzmcDXzmVqQRcJz8PTBawVGWZqN3GjUzBRMB0GA1UdDgQW\n\
     BBSYXaIdrGD5pP3uxq7ZEiKl4YJJYTAfBgNVHSMEGDAWgBSYXaIdrGD5pP3uxq7Z\n\
     EiKl4YJJYTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMEA4GMADCBiAJCAeV6\n\
     n7ve4mCPryxa+Jt0/N4We2XwtN6K9yhrsOMgY/13MO4f7XVFXkdBNSoASBffSNEu\n\
     mQTUMPVA6u0OtvDv0XVCAkIAsEouiDmQzq7/s6g/Hc8FU9k2gHF2z1ykcvmPBnbB\n\
     AqNyvOxDRu8G4HWb1ScuuAZ0/P8imolqZ+KAaCYYDsu3TrE=\n\
     -----END CERTIFICATE-----\n",
    "-----BEGIN CERTIFICATE-----\n\
     MIIByTCCASugAwIBAgIUIBta3WlgEyoBD4SbULYzC1QBRhMwCgYIKoZIzj0EAwQw\n\
     EDEOMAwGA1UEAwwFUC01MjEwIBcNMjYxMTIzMDIwMjM2WhgPMjEyNjEwMzAwMjAy\n\
     MzZaMBExDzANBgNVBAMMBnNlcnZlcjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA\n\
     BJu5DJZ+HLttLLtsSUpMBUBFSJTTejVKkrjvxoWe6xmzpSl2XH7YrpmfXmSVtyq3\n\
     7hmtIq9W7nXpK18ljzvkiYWjYDBeMBEGA1UdEQQKMAiCBnNlcnZlcjAJBgNVHRME\n\
     AjAAMB0GA1UdDgQWBBT8SaZhIo6etXn7urmmwEW0m2LkDjAfBgNVHSMEGDAWgBSY\n\
     XaIdrGD5pP3uxq7ZEiKl4YJJYTAKBggqhkjOPQQDBAOBiwAwgYcCQgET3MMEScCc\n\
     UjEoSN7K/8ha5DPU1tZ6pBBkFG/D2mp80/py5T1Sx7fRcMQLDBxp46o19tgSlh6n\n\
     U+R7SPvSwI+Z/gJBdTWSklKbwaYmMR9mO+CwTNluKLrxBQzGKug8DJDSdClC0Uol\n\
     ef4DVKU5O8Y9Qg8VvsoiN7gCWuCxuQbe6AFHCg0=\n\
     -----END CERTIFICATE-----\n",
];

#[test]
fn keys_of_a_kind_that_is_not_known_are_told() {
    let [authority, server] = OF_P521.map(|pem| certificates(pem.as_bytes()).unwrap().remove(0));
    let mut roots = rustls::RootCertStore::empty();
    roots.add(authority).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier =
        WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
    let now = UnixTime::since_unix_epoch(Duration::from_secs(1_800_000_000));
    let name = ServerName::try_from("server").unwrap();
    let error = verifier.verify_server_cert(&server, &[], &name, &[], now).unwrap_err();
    let text = tls(&error);
    assert!(text.ends_with("known are RSA, ECDSA on P-256 and P-384, Ed25519"), "{text}");
}

#[test]
fn a_lost_connection_can_be_told_by_its_kind() {
    let error = lost("connection closed before message completed".into());
    assert_eq!(cause::<io::Error>(error.as_ref()).unwrap().kind(), io::ErrorKind::ConnectionReset);
}
