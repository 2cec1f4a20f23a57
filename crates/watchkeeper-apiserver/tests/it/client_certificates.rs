//! V12.1: users by their certificates, over TLS.

use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use watchkeeper_apiserver::server::Builder;
use watchkeeper_apiserver::{ApiServer, Clock, Identity, Tls, serve_tls};

/// An authority for clients.
struct Authority {
    der: Vec<u8>,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate and its key.
type Shown = (CertificateDer<'static>, PrivateKeyDer<'static>);

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "clients");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let der = params.self_signed(&key).expect("a certificate").der().to_vec();
        Self { der, issuer: Issuer::new(params, key) }
    }

    fn vouch(&self, name: &str, group: &str, until: i32) -> Shown {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.distinguished_name.push(DnType::OrganizationName, group);
        params.not_before = rcgen::date_time_ymd(2000, 1, 1);
        params.not_after = rcgen::date_time_ymd(until, 1, 1);
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        (certificate.der().clone(), key)
    }
}

/// A server on a socket. Dropping it closes it.
struct Served {
    address: std::net::SocketAddr,
    roots: RootCertStore,
    _tasks: JoinSet<()>,
}

impl Served {
    async fn start(builder: Builder, authority: &Authority) -> Self {
        let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("one");
        let mut roots = RootCertStore::empty();
        roots.add(own.cert.der().clone()).expect("a certificate");
        let certificates = vec![own.cert.der().to_vec()];
        let identity = Identity { certificates, key: own.signing_key.serialize_der() };
        let tls = Tls::from(identity).client_authorities(vec![authority.der.clone()]);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let server = builder.clock(Clock::System).build();
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let never = std::future::pending();
            serve_tls(listener, server, tls, never).await.expect("it serves");
        });
        Self { address, roots, _tasks: tasks }
    }

    /// Code and body of the answer to one request, by a client that shows this certificate.
    async fn ask(&self, shown: Option<Shown>, request: http::Request<Full<Bytes>>) -> (u16, Value) {
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(self.roots.clone());
        let config = match shown {
            None => config.with_no_client_auth(),
            Some((certificate, key)) => {
                config.with_client_auth_cert(vec![certificate], key).expect("a key that fits")
            }
        };
        let stream = TcpStream::connect(self.address).await.expect("a connection");
        let name = ServerName::try_from("localhost").expect("a name");
        let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await;
        let io = TokioIo::new(stream.expect("they agree"));
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(io).await.expect("HTTP/1.1");
        let answer = async {
            let answer = sender.send_request(request).await.expect("an answer");
            let code = answer.status().as_u16();
            let body = answer.into_body().collect().await.expect("a body").to_bytes();
            (code, serde_json::from_slice(&body).unwrap_or_default())
        };
        tokio::select! {
            biased;
            answer = answer => answer,
            ended = connection => panic!("the connection ended: {ended:?}"),
        }
    }

    async fn get(&self, shown: Option<Shown>, path: &str) -> (u16, Value) {
        self.ask(shown, request(path).body(Full::default()).expect("a request")).await
    }
}

fn request(path: &str) -> http::request::Builder {
    http::Request::builder().uri(path).header("host", "localhost")
}

const PODS: &str = "/api/v1/pods";

#[tokio::test]
async fn v12_1_a_certificate_says_who_its_owner_is() {
    let authority = Authority::new();
    let served = Served::start(ApiServer::builder().rbac(), &authority).await;
    let root = authority.vouch("root", "system:masters", 4000);
    assert_eq!(served.get(Some(root), PODS).await.0, 200);
    let (code, body) = served.get(Some(authority.vouch("alice", "devs", 4000)), PODS).await;
    let why = "pods is forbidden: User \"alice\" cannot list resource \"pods\" in API group \"\" \
               at the cluster scope";
    assert_eq!((code, body["message"].as_str()), (403, Some(why)));

    let review = json!({"kind": "SelfSubjectReview", "apiVersion": "authentication.k8s.io/v1"});
    let asked = request("/apis/authentication.k8s.io/v1/selfsubjectreviews").method("POST");
    let asked = asked.header("content-type", "application/json");
    let asked = asked.body(Full::from(review.to_string())).expect("a request");
    let (code, body) = served.ask(Some(authority.vouch("alice", "devs", 4000)), asked).await;
    let info = &body["status"]["userInfo"];
    assert_eq!((code, info["username"].as_str()), (201, Some("alice")), "{body}");
    assert_eq!(info["groups"], json!(["devs", "system:authenticated"]));
    let id = info["extra"]["authentication.kubernetes.io/credential-id"][0].as_str();
    assert!(id.is_some_and(|id| id.starts_with("X509SHA256=")), "{info}");
}

#[tokio::test]
async fn v12_1_a_certificate_of_others_or_of_the_past_is_not_trusted() {
    let authority = Authority::new();
    let server = ApiServer::builder().rbac().anonymous().token("secret");
    let served = Served::start(server, &authority).await;
    let other = Authority::new();
    for shown in [
        other.vouch("root", "system:masters", 4000),
        authority.vouch("root", "system:masters", 2001),
    ] {
        let again = (shown.0.clone(), shown.1.clone_key());
        assert_eq!(served.get(Some(again), "/healthz").await.0, 401);
        let with_token = request(PODS).header("authorization", "Bearer secret");
        let with_token = with_token.body(Full::default()).expect("a request");
        assert_eq!(served.ask(Some(shown), with_token).await.0, 200, "a token may be right");
    }
}

#[tokio::test]
async fn v12_1_who_shows_no_certificate_may_have_a_token_or_is_anonymous() {
    let authority = Authority::new();
    let server = ApiServer::builder().rbac().anonymous().token("secret");
    let served = Served::start(server, &authority).await;
    assert_eq!(served.get(None, "/healthz").await.0, 200);
    assert_eq!(served.get(None, PODS).await.0, 403);
    let with_token = request(PODS).header("authorization", "Bearer secret");
    let with_token = with_token.body(Full::default()).expect("a request");
    assert_eq!(served.ask(None, with_token).await.0, 200);
}

#[tokio::test]
async fn an_authority_that_is_no_certificate_is_refused() {
    let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("one");
    let identity = Identity {
        certificates: vec![own.cert.der().to_vec()],
        key: own.signing_key.serialize_der(),
    };
    let tls = Tls::from(identity).client_authorities(vec![b"no certificate".to_vec()]);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let refused = serve_tls(listener, ApiServer::new(), tls, std::future::pending()).await;
    assert_eq!(refused.expect_err("refused").kind(), std::io::ErrorKind::InvalidInput);
}
