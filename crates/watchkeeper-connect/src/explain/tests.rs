//! Each cause has its mend.

use super::*;

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

#[test]
fn a_lost_connection_can_be_told_by_its_kind() {
    let error = lost("connection closed before message completed".into());
    assert_eq!(cause::<io::Error>(error.as_ref()).unwrap().kind(), io::ErrorKind::ConnectionReset);
}
