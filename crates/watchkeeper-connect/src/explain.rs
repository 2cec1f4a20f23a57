//! What went wrong below HTTP, as a sentence with a mend, and as an [`io::Error`] that the client can judge.

use std::error::Error as StdError;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::Uri;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper_util::client::legacy::Error as HyperError;
use rustls::CertificateError;
use watchkeeper_client::BoxError;

use crate::pool::Turn;
use crate::say::Failure;

#[cfg(test)]
mod tests;

/// A failed exchange with `server`, which `origin` told us of.
pub(crate) fn explain(error: HyperError, server: &Uri, origin: &str) -> BoxError {
    if !error.is_connect() {
        return lost(error.into());
    }
    let what = cause::<rustls::Error>(&error)
        .map(tls)
        .or_else(|| cause::<io::Error>(&error).map(tcp))
        .unwrap_or_else(|| last_words(&error));
    let server = server.to_string();
    let sentence = format!("cannot connect to {} ({origin}): {what}", server.trim_end_matches('/'));
    Failure(sentence).into()
}

/// Whether no connection came about because one side does not take the other's certificate.
pub(crate) fn is_about_certificates(error: &HyperError) -> bool {
    use rustls::Error::{AlertReceived, InvalidCertificate};
    let why = cause::<rustls::Error>(error);
    error.is_connect() && matches!(why, Some(InvalidCertificate(_) | AlertReceived(_)))
}

fn tcp(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => {
            "nothing listens there; is the server running, and is the address right?".to_owned()
        }
        io::ErrorKind::TimedOut => {
            "it does not answer; is the address right, and does a firewall or VPN stand in between?"
                .to_owned()
        }
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => {
            format!("it hung up ({error}); does it speak TLS on this port?")
        }
        _ => format!("{error}; is the address right?"),
    }
}

fn tls(error: &rustls::Error) -> String {
    use rustls::Error::{AlertReceived, InvalidCertificate, InvalidMessage};
    match error {
        InvalidCertificate(why) => certificate(why),
        InvalidMessage(_) => {
            "it does not speak TLS; should the address begin with http://?".to_owned()
        }
        AlertReceived(alert) => {
            format!(
                "it refused the TLS handshake ({alert:?}); is the client certificate one that it knows?"
            )
        }
        other => format!("no TLS connection: {other}"),
    }
}

fn certificate(why: &CertificateError) -> String {
    match why {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "its certificate has expired; renew it, or check this machine's clock".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "its certificate is not valid yet; check this machine's clock".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "its certificate is for another name; set tls-server-name to one that it is for".to_owned()
        }
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "its certificate is signed by nobody that is trusted; set certificate-authority to its CA".to_owned()
        }
        other => format!("its certificate is not accepted ({other})"),
    }
}

/// A connection that broke under a request: [`io::ErrorKind::ConnectionReset`], so that reads are sent again.
fn lost(error: BoxError) -> BoxError {
    if cause::<io::Error>(error.as_ref()).is_some() {
        return error;
    }
    io::Error::new(io::ErrorKind::ConnectionReset, error).into()
}

/// The first `E` in the chain of causes, also where an [`io::Error`] hides it.
fn cause<'a, E: StdError + 'static>(error: &'a (dyn StdError + 'static)) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<E>() {
            return Some(found);
        }
        let hidden = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = hidden.map(|hidden| hidden as _).or_else(|| error.source());
    }
    None
}

fn last_words(error: &(dyn StdError + 'static)) -> String {
    let mut last = error;
    while let Some(next) = last.source() {
        last = next;
    }
    last.to_string()
}

/// An answer's body, whose errors the client can judge.
#[derive(Debug)]
pub(crate) struct Answer {
    body: Incoming,
    _turn: Turn,
}

impl Answer {
    pub(crate) const fn new(body: Incoming, turn: Turn) -> Self {
        Self { body, _turn: turn }
    }
}

impl Body for Answer {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        Pin::new(&mut self.body).poll_frame(cx).map_err(|error| lost(error.into()))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
