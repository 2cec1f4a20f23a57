//! A call over the network: one POST over TLS that trusts the bundle of its configuration alone.
//!
//! What fails is told in the words of Go's HTTP client, as clients of a kube-apiserver see them.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;

use bytes::Bytes;
use http::{Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::crypto::ring;
use rustls::{CertificateError, ClientConfig};
use rustls_pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::admission::{CallError, OutgoingCall};
use crate::error::quoted;
use crate::request::body::LIMIT;

mod bundle;

use bundle::Bundle;

/// Makes the call; `place` is where the service is, when one is meant.
pub(super) async fn post(
    call: &OutgoingCall,
    place: Option<SocketAddr>,
) -> Result<Bytes, CallError> {
    let failed = |why: String| CallError(format!("Post {}: {why}", quoted(&call.address())));
    let (status, body) = exchange(call, place).await.map_err(failed)?;
    if status.is_success() { Ok(body) } else { Err(CallError(refused(status, &body))) }
}

async fn exchange(
    call: &OutgoingCall,
    place: Option<SocketAddr>,
) -> Result<(StatusCode, Bytes), String> {
    let address: Uri = call.address().parse().map_err(|error| format!("parse: {error}"))?;
    if address.scheme_str() != Some("https") {
        let scheme = quoted(address.scheme_str().unwrap_or_default());
        return Err(format!("unsupported protocol scheme {scheme}"));
    }
    let host = address.host().unwrap_or_default().to_owned();
    let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    let places = match place {
        Some(place) => vec![place],
        None => look_up(&bare, address.port_u16().unwrap_or(443)).await?,
    };
    let stream = connect(&places).await?;
    let stream = secured(stream, &call_name(call, bare), &call.ca_bundle).await?;
    let target = address.path_and_query().map_or("/", |target| target.as_str()).to_owned();
    let request = Request::builder()
        .method(Method::POST)
        .uri(target)
        .header(header::HOST, address.authority().map_or("", |authority| authority.as_str()))
        .header(header::USER_AGENT, "kube-apiserver-admission")
        .header(header::ACCEPT, "application/json, */*")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Full::new(call.body.clone()))
        .map_err(|error| error.to_string())?;
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|error| error.to_string())?;
    let answer = async {
        let answer = sender.send_request(request).await.map_err(|error| error.to_string())?;
        let status = answer.status();
        let body = Limited::new(answer.into_body(), LIMIT).collect().await;
        Ok((status, body.map_err(|error| error.to_string())?.to_bytes()))
    };
    let (mut answer, connection) = (pin!(answer), pin!(connection));
    tokio::select! {
        biased;
        answer = &mut answer => answer,
        // What has come is still read after the other side has closed.
        _ = connection => answer.await,
    }
}

/// A service is known by its name, wherever it is.
fn call_name(call: &OutgoingCall, host: String) -> String {
    match &call.service {
        Some((namespace, name, _)) => format!("{name}.{namespace}.svc"),
        None => host,
    }
}

async fn look_up(host: &str, port: u16) -> Result<Vec<SocketAddr>, String> {
    let unknown = || format!("dial tcp: lookup {host}: no such host");
    let found = tokio::net::lookup_host((host, port)).await.map_err(|_| unknown())?;
    let found: Vec<SocketAddr> = found.collect();
    if found.is_empty() { Err(unknown()) } else { Ok(found) }
}

/// Connects to the first place where somebody listens: a name may stand for several, of which only
/// some are served. What is told is why the first one fails.
async fn connect(places: &[SocketAddr]) -> Result<TcpStream, String> {
    let mut first = None;
    for place in places {
        match TcpStream::connect(place).await {
            Ok(stream) => return Ok(stream),
            Err(error) => {
                first.get_or_insert_with(|| unconnected(*place, &error));
            }
        }
    }
    Err(first.unwrap_or_else(|| "dial tcp: no address".to_owned()))
}

fn unconnected(place: SocketAddr, error: &io::Error) -> String {
    let why = match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        io::ErrorKind::TimedOut => "connection timed out".to_owned(),
        io::ErrorKind::HostUnreachable => "no route to host".to_owned(),
        _ => error.to_string(),
    };
    format!("dial tcp {place}: connect: {why}")
}

async fn secured(
    stream: TcpStream,
    name: &str,
    ca_bundle: &[u8],
) -> Result<TlsStream<TcpStream>, String> {
    let provider = Arc::new(ring::default_provider());
    let bundle = Bundle::new(ca_bundle, Arc::clone(&provider));
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(bundle))
        .with_no_client_auth();
    let server = ServerName::try_from(name.to_owned()).map_err(|error| error.to_string())?;
    let connector = TlsConnector::from(Arc::new(config));
    connector.connect(server, stream).await.map_err(|error| untrusted(name, &error))
}

fn untrusted(name: &str, error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|error| error.downcast_ref::<rustls::Error>());
    let why = match inner {
        Some(rustls::Error::InvalidCertificate(why)) => why,
        Some(other) => return format!("tls: {other}"),
        None if error.kind() == io::ErrorKind::UnexpectedEof => return "EOF".to_owned(),
        None => return error.to_string(),
    };
    let why = match why {
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "certificate signed by unknown authority".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            format!("certificate is not valid for {name}")
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "certificate has expired or is not yet valid".to_owned()
        }
        other => other.to_string(),
    };
    format!("tls: failed to verify certificate: x509: {why}")
}

/// What client-go makes of an answer that is none (`NewGenericServerResponse`).
fn refused(status: StatusCode, body: &[u8]) -> String {
    match status.as_u16() {
        400 => "the server rejected our request for an unknown reason".to_owned(),
        401 => "the server has asked for the client to provide credentials".to_owned(),
        403 => {
            let shown = String::from_utf8_lossy(body);
            if shown.trim().is_empty() { "forbidden".to_owned() } else { shown.trim().to_owned() }
        }
        404 => "the server could not find the requested resource".to_owned(),
        405 => "the server does not allow this method on the requested resource".to_owned(),
        406 if body.trim_ascii().is_empty() => {
            "the server was unable to respond with a content type that the client supports"
                .to_owned()
        }
        406 | 415 => String::from_utf8_lossy(body).trim().to_owned(),
        409 => "the server reported a conflict".to_owned(),
        422 => "the server rejected our request due to an error in our request".to_owned(),
        429 => "the server has received too many requests and has asked us to try again later"
            .to_owned(),
        503 => "the server is currently unable to handle the request".to_owned(),
        504 => "the server was unable to return a response in the time allotted, but may still be \
                processing the request"
            .to_owned(),
        500.. => {
            let shown = quoted(String::from_utf8_lossy(body).trim());
            format!("an error on the server ({shown}) has prevented the request from succeeding")
        }
        code => format!(
            "the server responded with the status code {code} but did not return more information"
        ),
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::{TcpListener, TcpSocket};

    use super::*;

    #[tokio::test]
    async fn all_places_of_a_name_are_tried() {
        // Held, and so no other test's; nobody listens.
        let closed = [(); 2].map(|()| {
            let socket = TcpSocket::new_v4().expect("a socket");
            socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
            socket
        });
        let [first, second] = [0, 1].map(|at: usize| closed[at].local_addr().expect("its address"));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let open = listener.local_addr().expect("its address");
        let stream = connect(&[first, open]).await.expect("a connection");
        assert_eq!(stream.peer_addr().expect("its address"), open);
        let why = connect(&[first, second]).await.expect_err("nobody listens");
        assert_eq!(why, format!("dial tcp {first}: connect: connection refused"));
    }

    /// In the words of Go's `net` and `crypto/tls`.
    #[test]
    fn why_there_is_no_connection_is_told_as_go_tells_it() {
        let place: SocketAddr = "10.0.0.1:443".parse().expect("an address");
        for (kind, why) in [
            (io::ErrorKind::ConnectionRefused, "connection refused"),
            (io::ErrorKind::TimedOut, "connection timed out"),
            (io::ErrorKind::HostUnreachable, "no route to host"),
        ] {
            let told = unconnected(place, &kind.into());
            assert_eq!(told, format!("dial tcp 10.0.0.1:443: connect: {why}"));
        }
        let certificate = |why| io::Error::other(rustls::Error::InvalidCertificate(why));
        let failed = "tls: failed to verify certificate: x509: ";
        for (error, told) in [
            (io::ErrorKind::UnexpectedEof.into(), "EOF".to_owned()),
            (io::Error::other("odd"), "odd".to_owned()),
            (
                certificate(CertificateError::UnknownIssuer),
                format!("{failed}certificate signed by unknown authority"),
            ),
            (
                certificate(CertificateError::BadSignature),
                format!("{failed}certificate signed by unknown authority"),
            ),
            (
                certificate(CertificateError::NotValidForName),
                format!("{failed}certificate is not valid for web"),
            ),
            (
                certificate(CertificateError::Expired),
                format!("{failed}certificate has expired or is not yet valid"),
            ),
        ] {
            assert_eq!(untrusted("web", &error), told);
        }
    }

    /// `NewGenericServerResponse` of apimachinery.
    #[test]
    fn an_answer_that_is_none_is_told_by_its_code() {
        let late = "the server was unable to return a response in the time allotted, but may still \
                    be processing the request";
        let busy = "the server has received too many requests and has asked us to try again later";
        let broken = "an error on the server (\"why\") has prevented the request from succeeding";
        let nothing =
            "the server responded with the status code 410 but did not return more information";
        for (code, told) in [
            (400, "the server rejected our request for an unknown reason"),
            (401, "the server has asked for the client to provide credentials"),
            // Who may not do what is in what is said.
            (403, "why"),
            (404, "the server could not find the requested resource"),
            (405, "the server does not allow this method on the requested resource"),
            (410, nothing),
            (429, busy),
            (500, broken),
            (502, broken),
            (503, "the server is currently unable to handle the request"),
            (504, late),
        ] {
            let status = StatusCode::from_u16(code).expect("a code");
            assert_eq!(refused(status, b" why\n"), told, "{code}");
        }
    }
}
