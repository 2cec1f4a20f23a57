//! A manager that is scraped, over sockets. Who may is tested beside its source.

use std::future::pending;
use std::path::PathBuf;
use std::sync::Arc;

use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use watchkeeper_apiserver::{ApiServer, User};
use watchkeeper_client::Client;
use watchkeeper_manager::{Manager, MetricsEndpoint, Tls};

use crate::nowhere;
use crate::probes::{free_port, get, nobody_listens};

#[tokio::test]
async fn metrics_are_scraped_while_the_manager_runs() {
    let (listener, address) = free_port();
    let endpoint = MetricsEndpoint::new(listener, |text| {
        text.push_str("# EOF\n");
        Ok(())
    });
    let manager = Manager::new(&nowhere()).serve_metrics(endpoint);
    let script = async {
        let (status, head, body) = get(address, "/metrics", "").await;
        assert_eq!((status, &*body), (200, "# EOF\n"));
        assert!(
            head.contains("content-type: application/openmetrics-text; version=1.0.0"),
            "{head}"
        );
        assert_eq!(get(address, "/healthz", "").await.0, 404, "probes are elsewhere");
    };
    manager.run(script).await.expect("a clean stop");
    nobody_listens(address).await;
}

/// The reviews are no writes that a fence stops: replicas that do not lead are scraped, too.
#[tokio::test]
async fn a_replica_that_does_not_lead_asks_who_may() {
    let monitor = User::new("prometheus").in_group("system:monitoring");
    let server = ApiServer::builder().rbac().user("m", monitor).build();
    let client = Client::new(server.acting_as(User::admin()));
    let (listener, address) = free_port();
    let endpoint = MetricsEndpoint::new(listener, |_text| Ok(())).authorized();
    let manager = Manager::new(&client).leader_election("l").serve_metrics(endpoint);
    let mut needs: Vec<_> =
        manager.needs().iter().map(|need| need.permission.to_string()).collect();
    needs.retain(|need| need.contains("reviews"));
    let expected = [
        "create subjectaccessreviews.authorization.k8s.io",
        "create tokenreviews.authentication.k8s.io",
    ];
    needs.sort();
    assert_eq!(needs, expected);
    let waits = manager.elector().expect("an election").clone();
    let script = async {
        let statuses = [
            get(address, "/metrics", "").await.0,
            get(address, "/metrics", "authorization: Bearer m\r\n").await.0,
        ];
        assert_eq!(statuses, [401, 200]);
        // A fence that is shut is what a standby has.
        waits.fence().guard(&client).server_version().await.expect("reads pass");
    };
    manager.run(script).await.expect("a clean stop");
}

struct Files {
    certificate: PathBuf,
    key: PathBuf,
    der: CertificateDer<'static>,
}

/// A certificate of this test, in two files.
fn files() -> Files {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("made");
    let name =
        |what| std::env::temp_dir().join(format!("watchkeeper-{}-{what}", std::process::id()));
    let (certificate, key) = (name("scrape.crt"), name("scrape.key"));
    std::fs::write(&certificate, made.cert.pem()).expect("written");
    std::fs::write(&key, made.signing_key.serialize_pem()).expect("written");
    Files { certificate, key, der: made.cert.der().clone() }
}

#[tokio::test]
async fn metrics_are_told_over_tls() {
    let Files { certificate, key, der } = files();
    let (listener, address) = free_port();
    let endpoint = MetricsEndpoint::new(listener, |text| {
        text.push_str("secret\n");
        Ok(())
    });
    let manager = Manager::new(&nowhere())
        .serve_metrics(endpoint.tls(Tls::files(certificate.clone(), key.clone())));
    let script = async {
        let mut roots = RootCertStore::empty();
        roots.add(der).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let connector = TlsConnector::from(Arc::new(config));
        let name = ServerName::try_from("localhost").expect("a name");
        let stream = TcpStream::connect(address).await.expect("a connection");
        let mut stream =
            connector.connect(name, stream).await.expect("the certificate of the files");
        let request = b"GET /metrics HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
        stream.write_all(request).await.expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("an answer");
        assert!(answer.ends_with(b"\r\n\r\nsecret\n"), "{}", String::from_utf8_lossy(&answer));

        // Who speaks no TLS is told nothing.
        let mut plain = TcpStream::connect(address).await.expect("a connection");
        plain.write_all(request).await.expect("sent");
        let mut answer = Vec::new();
        let _ended = plain.read_to_end(&mut answer).await;
        assert!(!String::from_utf8_lossy(&answer).contains("secret"), "{answer:?}");
    };
    manager.run(script).await.expect("a clean stop");
    for file in [certificate, key] {
        std::fs::remove_file(file).expect("removed");
    }
}

#[tokio::test]
async fn a_certificate_that_is_not_there_fails_the_run() {
    let (listener, _) = free_port();
    let tls = Tls::files("/nowhere/tls.crt", "/nowhere/tls.key");
    let endpoint = MetricsEndpoint::new(listener, |_text| Ok(())).tls(tls);
    let manager = Manager::new(&nowhere()).serve_metrics(endpoint);
    let error = manager.run(pending()).await.expect_err("no certificate").to_string();
    assert!(error.starts_with("cannot read /nowhere/tls.crt: "), "{error}");
    let (listener, address) = free_port();
    let endpoint = MetricsEndpoint::new(listener, |_text| Ok(())).tls(Tls::self_signed());
    let script = async { drop(TcpStream::connect(address).await.expect("it listens")) };
    Manager::new(&nowhere()).serve_metrics(endpoint).run(script).await.expect("one of its own");
}
