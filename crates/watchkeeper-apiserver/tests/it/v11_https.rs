//! V11: webhooks over HTTPS.

use std::net::SocketAddr;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rcgen::{CertificateParams, DnType, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpSocket};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::support::*;
use crate::v11_webhooks::*;

/// A webhook on a socket. Dropping it closes it.
pub(crate) struct Remote {
    pub(crate) place: SocketAddr,
    /// Its certificate, as a configuration wants it.
    pub(crate) bundle: String,
    _tasks: JoinSet<()>,
}

/// Answers reviews over TLS, as who `names` says.
pub(crate) async fn remote(names: &[&str], code: u16, response: Value) -> Remote {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
    remote_with(&made.cert, &made.signing_key, code, response).await
}

/// The same, with a certificate of one's own, which is the bundle, too.
async fn remote_with(
    certificate: &rcgen::Certificate,
    key: &KeyPair,
    code: u16,
    response: Value,
) -> Remote {
    let bundle = STANDARD.encode(certificate.pem());
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .expect("a key that fits");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let place = listener.local_addr().expect("an address");
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(stream) = acceptor.accept(stream).await else { continue };
            let response = response.clone();
            let service = service_fn(move |request| answer(request, code, response.clone()));
            let connection = hyper::server::conn::http1::Builder::new();
            let _ = connection.serve_connection(TokioIo::new(stream), service).await;
        }
    });
    Remote { place, bundle, _tasks: tasks }
}

async fn answer(
    request: http::Request<Incoming>,
    code: u16,
    mut response: Value,
) -> Result<http::Response<Full<Bytes>>, hyper::Error> {
    let path = request.uri().path().to_owned();
    let body = request.into_body().collect().await?.to_bytes();
    let review: Value = serde_json::from_slice(&body).expect("a review");
    assert_eq!(path, path.replace("//", "/"), "client-go joins what it asks for");
    response["uid"] = review["request"]["uid"].clone();
    if review["kind"] == "ConversionReview" {
        let version = review["request"]["desiredAPIVersion"].as_str().expect("a version");
        let objects = review["request"]["objects"].as_array().expect("objects");
        let converted = objects.iter().map(|object| {
            let mut new = crate::v10_conversion::convert(object, version).expect("an object");
            new["apiVersion"] = version.into();
            new
        });
        response["convertedObjects"] = converted.collect();
    }
    let review = json!({
        "kind": review["kind"], "apiVersion": review["apiVersion"], "response": response,
    });
    let says = review["response"]["says"].as_str().unwrap_or("out of order");
    let text = if code == 200 { review.to_string() } else { says.to_owned() };
    Ok(http::Response::builder().status(code).body(Full::from(text)).expect("an answer"))
}

/// What is said of a webhook at an address.
async fn line(url: &str, bundle: &str) -> String {
    let client = client();
    let config = json!({"clientConfig": {"url": url, "caBundle": bundle}});
    configure(&client, VALIDATING, "a", &[hook("a", &config)]).await;
    let answer = client.post(CONFIG_MAPS, &map("x")).await;
    if answer.code == 201 { "201".to_owned() } else { answer.line() }
}

fn failed(why: &str) -> String {
    format!(
        "500 InternalError: Internal error occurred: failed calling webhook \"a.hooks.test\": \
         failed to call webhook: {why}"
    )
}

#[tokio::test]
async fn v11_1_a_webhook_on_a_socket_is_asked_over_tls() {
    let yes = remote(&["localhost"], 200, json!({"allowed": true})).await;
    let url = |remote: &Remote| format!("https://localhost:{}/check", remote.place.port());
    assert_eq!(line(&url(&yes), &yes.bundle).await, "201");
    let no =
        remote(&["localhost"], 200, json!({"allowed": false, "status": {"message": "no"}})).await;
    let denied = "400 : admission webhook \"a.hooks.test\" denied the request: no";
    assert_eq!(line(&url(&no), &no.bundle).await, denied);
}

/// A certificate of somebody else for these names, good until a year.
fn vouched_for(names: &[&str], until: i32) -> (rcgen::Certificate, KeyPair) {
    let [authority, own] = [(); 2].map(|()| KeyPair::generate().expect("a key"));
    let mut other = CertificateParams::default();
    other.distinguished_name.push(DnType::CommonName, "an authority");
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names).expect("names");
    params.not_before = rcgen::date_time_ymd(2000, 1, 1);
    params.not_after = rcgen::date_time_ymd(until, 1, 1);
    let issuer = Issuer::new(other, authority);
    (params.signed_by(&own, &issuer).expect("a certificate"), own)
}

#[tokio::test]
async fn v11_1_a_bundle_may_hold_the_very_certificate_that_is_shown() {
    let said = async |names: &[&str], until: i32| {
        let (certificate, key) = vouched_for(names, until);
        let remote = remote_with(&certificate, &key, 200, json!({"allowed": true})).await;
        // As envtest writes addresses.
        let url = format!("https://localhost:{}//check", remote.place.port());
        (line(&url, &remote.bundle).await, line(&url, "").await)
    };
    let (trusted, untrusted) = said(&["localhost"], 4000).await;
    assert_eq!(trusted, "201");
    assert!(untrusted.ends_with("x509: certificate signed by unknown authority"), "{untrusted}");
    let (other, _) = said(&["elsewhere.test"], 4000).await;
    assert!(other.ends_with("x509: certificate is not valid for localhost"), "{other}");
    let (past, _) = said(&["localhost"], 2001).await;
    assert!(past.ends_with("x509: certificate has expired or is not yet valid"), "{past}");
}

#[tokio::test]
async fn v11_1_who_cannot_be_reached_or_trusted_is_told_in_gos_words() {
    let remote_a = remote(&["localhost"], 200, json!({"allowed": true})).await;
    let other = remote(&["elsewhere.test"], 200, json!({"allowed": true})).await;
    let url = format!("https://localhost:{}/check", remote_a.place.port());
    let post = format!("Post \"{url}?timeout=10s\": ");
    let unknown =
        "tls: failed to verify certificate: x509: certificate signed by unknown authority";
    for bundle in ["", &other.bundle] {
        assert_eq!(line(&url, bundle).await, failed(&format!("{post}{unknown}")));
    }
    let wrong = format!("https://localhost:{}/check", other.place.port());
    let said = line(&wrong, &other.bundle).await;
    assert!(said.contains("x509: certificate is not valid for localhost"), "{said}");
    // Held, and so no other test's; nobody listens.
    let closed = TcpSocket::new_v4().expect("a socket");
    closed.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
    let place = closed.local_addr().expect("an address");
    let said = line(&format!("https://127.0.0.1:{}/x", place.port()), "").await;
    let refused = format!("dial tcp {place}: connect: connection refused");
    let post = format!("Post \"https://127.0.0.1:{}/x?timeout=10s\": ", place.port());
    assert_eq!(said, failed(&format!("{post}{refused}")));
}

#[tokio::test]
async fn v11_1_answers_with_an_error_code_are_no_answers() {
    let said = async |code: u16| {
        let remote = remote(&["localhost"], code, json!({"allowed": true})).await;
        line(&format!("https://localhost:{}/", remote.place.port()), &remote.bundle).await
    };
    let broken =
        "an error on the server (\"out of order\") has prevented the request from succeeding";
    assert_eq!(said(500).await, failed(broken));
    assert_eq!(said(404).await, failed("the server could not find the requested resource"));
    let unable = "the server is currently unable to handle the request";
    assert_eq!(said(503).await, failed(unable));
}

#[tokio::test]
async fn v11_1_a_service_is_where_the_resolver_says_and_goes_by_its_own_name() {
    let client = client();
    let remote = remote(&["guard.ops.svc"], 200, json!({"allowed": false})).await;
    let place = remote.place;
    client.server.resolve_services(move |namespace, name, port| {
        ((namespace, name, port) == ("ops", "guard", 443)).then_some(place)
    });
    let service = json!({"namespace": "ops", "name": "guard", "path": "/check"});
    let config = json!({"clientConfig": {"service": service, "caBundle": remote.bundle}});
    configure(&client, VALIDATING, "a", &[hook("a", &config)]).await;
    assert_eq!(
        client.post(CONFIG_MAPS, &map("x")).await.line(),
        "400 : admission webhook \"a.hooks.test\" denied the request without explanation"
    );
}

/// Of some codes what is said counts, should anything be said.
#[tokio::test]
async fn v11_1_what_is_said_with_an_error_code_is_told_or_the_code_is() {
    let said = async |code: u16, says: &str| {
        let remote = remote(&["localhost"], code, json!({"says": says})).await;
        line(&format!("https://localhost:{}/", remote.place.port()), &remote.bundle).await
    };
    let unable = "the server was unable to respond with a content type that the client supports";
    for (code, says, told) in [
        (403, " \n", "forbidden"),
        (403, " not you\n", "not you"),
        (406, " \n", unable),
        (406, " no JSON\n", "no JSON"),
        (415, " no JSON\n", "no JSON"),
        (409, "x", "the server reported a conflict"),
        (422, "x", "the server rejected our request due to an error in our request"),
    ] {
        assert_eq!(said(code, says).await, failed(told), "{code}");
    }
}
