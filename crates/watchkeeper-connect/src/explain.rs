//! Answers, and what went wrong below HTTP: as a sentence with a mend, and as an [`io::Error`] that the client
//! can judge.

use std::error::Error as StdError;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use http::{Response, Uri};
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper_util::client::legacy::Error as HyperError;
use rustls::{AlertDescription, CertificateError};
use watchkeeper_client::BoxError;

use crate::connector::Refusal;
use crate::gzip::Gunzip;
use crate::pool::Turn;
use crate::say::{Failure, Names};
use crate::tls::KNOWN_KEYS;

#[cfg(test)]
mod tests;

/// A failed exchange with `server`. Where it does not take our certificate, the sentence names the user whose it
/// is, and which was `shown`; else the cluster whose address it is.
pub(crate) fn explain(
    error: HyperError,
    server: &Uri,
    names: &Names,
    shown: Option<String>,
) -> BoxError {
    let refused = Refusal::of(&error).map(|refusal| tls(&refusal));
    if !error.is_connect() && refused.is_none() {
        return lost(error.into());
    }
    let ours = is_about_ours(&error);
    let what = refused.unwrap_or_else(|| why_no_connection(&error));
    let server = server.to_string();
    let server = server.trim_end_matches('/');
    let sentence = if ours {
        let shown = shown.unwrap_or_else(|| "none".to_owned());
        format!("cannot connect to {server} ({}): {what} (shown: {shown})", names.user)
    } else {
        format!("cannot connect to {server} ({}): {what}", names.cluster)
    };
    Failure(sentence).into()
}

/// Why there is no connection, with the mend.
pub(crate) fn why_no_connection(error: &(dyn StdError + 'static)) -> String {
    let said = cause::<Failure>(error).map(ToString::to_string);
    said.or_else(|| cause::<rustls::Error>(error).map(tls))
        .or_else(|| cause::<io::Error>(error).map(tcp))
        .unwrap_or_else(|| format!("{}; is the address right?", last_words(error)))
}

/// Whether no connection came about because one side does not take the other's certificate.
pub(crate) fn is_about_certificates(error: &HyperError) -> bool {
    use rustls::Error::{AlertReceived, InvalidCertificate};
    let why = cause::<rustls::Error>(error);
    let refused = matches!(why, Some(InvalidCertificate(_) | AlertReceived(_)));
    (error.is_connect() && refused) || Refusal::of(error).is_some()
}

/// Whether it is the server that does not take ours.
pub(crate) fn is_about_ours(error: &HyperError) -> bool {
    let alert = matches!(cause::<rustls::Error>(error), Some(rustls::Error::AlertReceived(_)));
    (error.is_connect() && alert) || Refusal::of(error).is_some()
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
        AlertReceived(alert @ AlertDescription::HandshakeFailure) => {
            format!(
                "it refused the TLS handshake ({alert:?}); is the client certificate one that it knows, and its own \
                 one of a kind that is known here ({KNOWN_KEYS})?"
            )
        }
        AlertReceived(alert) => {
            format!(
                "it refused the TLS handshake ({alert:?}); is the client certificate one that it knows?"
            )
        }
        other => format!("no TLS connection: {other}; does it speak TLS on this port?"),
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
        CertificateError::UnsupportedSignatureAlgorithmContext { .. }
        | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => {
            format!("its certificate is signed with a key of a kind that is not known here; known are {KNOWN_KEYS}")
        }
        other => format!("its certificate is not accepted ({other}); have it renewed"),
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

/// An answer's body, unpacked, whose errors the client can judge.
#[derive(Debug)]
pub(crate) struct Answer {
    body: Incoming,
    /// Until all is unpacked.
    gunzip: Option<Gunzip>,
    is_gzip: bool,
    _turn: Turn,
}

impl Answer {
    pub(crate) fn new(answer: Response<Incoming>, turn: Turn) -> Response<Self> {
        let (mut head, body) = answer.into_parts();
        let encoding = head.headers.get(CONTENT_ENCODING);
        let is_gzip = encoding.is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"gzip"));
        if is_gzip {
            head.headers.remove(CONTENT_ENCODING);
            head.headers.remove(CONTENT_LENGTH);
        }
        let gunzip = is_gzip.then(Gunzip::new);
        Response::from_parts(head, Self { body, gunzip, is_gzip, _turn: turn })
    }
}

/// What was packed wrongly; what is cut is a broken connection.
fn unpacked<T>(result: io::Result<T>) -> Result<T, BoxError> {
    result.map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => error.into(),
        _ => format!("the answer is no gzip, though it says so: {error}").into(),
    })
}

impl Body for Answer {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = &mut *self;
        loop {
            if let Some(gunzip) = &mut this.gunzip
                && let Some(bytes) = unpacked(gunzip.pull())?
            {
                return Poll::Ready(Some(Ok(Frame::data(bytes))));
            }
            if this.is_gzip && this.gunzip.is_none() {
                return Poll::Ready(None);
            }
            let frame = ready!(Pin::new(&mut this.body).poll_frame(cx));
            let Some(gunzip) = &mut this.gunzip else {
                return Poll::Ready(frame.map(|frame| frame.map_err(|error| lost(error.into()))));
            };
            match frame {
                Some(Ok(frame)) => {
                    if let Ok(packed) = frame.into_data() {
                        gunzip.push(packed);
                    }
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(lost(error.into())))),
                None => {
                    let last = unpacked(gunzip.finish());
                    this.gunzip = None;
                    return Poll::Ready(last.transpose().map(|last| last.map(Frame::data)));
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        if self.is_gzip { self.gunzip.is_none() } else { self.body.is_end_stream() }
    }

    fn size_hint(&self) -> SizeHint {
        if self.is_gzip { SizeHint::default() } else { self.body.size_hint() }
    }
}
