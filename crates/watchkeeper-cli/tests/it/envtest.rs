//! The programs of envtest, started and stopped as envtest does it. `cargo xtask conformance envtest` has
//! controller-runtime's own.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ExitStatus};

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use tokio::net::TcpSocket;
use watchkeeper_api::core::v1::{ConfigMap, Namespace, Pod, Service};
use watchkeeper_api::{ByteString, Object as _};
use watchkeeper_client::{Client, ListOptions};
use watchkeeper_connect::{Config, Options};

use crate::*;

/// A folder with the assets in it.
fn assets(name: &str) -> PathBuf {
    let folder = folder(name);
    let made = done(&folder, &["envtest-assets", "assets"]);
    let assets = folder.canonicalize().expect("a folder").join("assets");
    assert_eq!(made.out, format!("export KUBEBUILDER_ASSETS='{}'\n", assets.display()));
    assets
}

/// A free port that is nobody else's while this is held: it is bound, and nobody listens.
struct Port {
    _held: TcpSocket,
    address: SocketAddr,
}

impl Port {
    fn new() -> Self {
        let held = TcpSocket::new_v4().expect("a socket");
        held.set_reuseaddr(true).expect("to be shared with who listens");
        held.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
        let address = held.local_addr().expect("its address");
        Self { _held: held, address }
    }

    /// Waits until the program listens.
    fn reach(&self, running: &mut Running) -> TcpStream {
        loop {
            if let Ok(stream) = TcpStream::connect(self.address) {
                return stream;
            }
            assert_eq!(running.0.try_wait().expect("a program"), None, "it is still there");
            std::thread::yield_now();
        }
    }
}

/// A program that runs; it is killed when a test fails.
struct Running(Child);

impl Running {
    fn start(program: &Path, arguments: &[String]) -> Self {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        Self(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts"))
    }

    /// What it ends with, and what it told.
    fn end(mut self) -> (ExitStatus, String) {
        let status = self.0.wait().expect("an end");
        let mut told = String::new();
        let mut stderr = self.0.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut told).expect("text");
        (status, told)
    }

    /// Tells it to stop, and wants it to end well; what it told.
    fn stop(self) -> String {
        let id = self.0.id().to_string();
        let sent = Command::new("sh").args(["-c", "kill -s TERM $0", &id]).status();
        assert!(sent.expect("a shell").success());
        let (status, told) = self.end();
        assert!(status.success(), "{status}: {told}");
        told
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended already unless a test fails.
        let _gone = self.0.kill();
        let _status = self.0.wait();
    }
}

fn help(program: &Path) -> String {
    let output = Command::new(program).arg("--help").output().expect("it starts");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text")
}

fn flag(name: &str, value: impl std::fmt::Display) -> String {
    format!("--{name}={value}")
}

#[test]
fn assets_are_links_that_are_made_again_and_replace_nothing_of_others() {
    let assets = assets("envtest-assets");
    let folder = assets.parent().expect("a folder");
    let own = Path::new(env!("CARGO_BIN_EXE_watchkeeper")).canonicalize().expect("a program");
    for name in ["etcd", "kube-apiserver"] {
        assert_eq!(assets.join(name).canonicalize().expect("a link"), own);
    }
    done(folder, &["envtest-assets", "assets"]);
    std::fs::remove_file(assets.join("etcd")).expect("a link");
    write(&assets.join("etcd"), "a program of others");
    let told = refused(folder, &["envtest-assets", "assets"]);
    assert!(
        told.ends_with("/etcd is a program of others and stays; name another folder\n"),
        "{told}"
    );
    assert_eq!(read(&assets.join("etcd")), "a program of others");
}

#[test]
fn kubectl_is_among_the_assets_if_there_is_one() {
    let folder = folder("envtest-kubectl");
    write(&folder.join("kubectl"), "#!/bin/sh\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_watchkeeper"));
    command.args(["envtest-assets", "assets"]).current_dir(&folder).stdout(Stdio::null());
    assert!(command.env("PATH", &folder).status().expect("it starts").success());
    assert_eq!(read(&folder.join("assets/kubectl")), "#!/bin/sh\n");
}

#[tokio::test]
async fn etcd_is_well_until_it_is_told_to_stop() {
    let etcd = assets("envtest-etcd").join("etcd");
    assert!(help(&etcd).lines().any(|line| line.trim_start().starts_with("--unsafe-no-fsync")));
    let (clients, peers) = (Port::new(), Port::new());
    let url = format!("http://{}", clients.address);
    let arguments = [
        flag("advertise-client-urls", &url),
        flag("data-dir", "/tmp/k8s_test_framework_7"),
        flag("listen-client-urls", &url),
        flag("listen-peer-urls", format!("http://{}", peers.address)),
        flag("unsafe-no-fsync", true),
    ];
    let mut running = Running::start(&etcd, &arguments);
    let mut ask = |path: &str| {
        let mut stream = clients.reach(&mut running);
        let request = format!("GET {path} HTTP/1.1\r\nHost: me\r\nUser-Agent: Go\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("asked");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    let health = ask("/health");
    assert!(health.starts_with("HTTP/1.1 200 OK\r\n"), "{health}");
    assert!(health.ends_with("\r\n\r\n{\"health\":\"true\",\"reason\":\"\"}"), "{health}");
    assert!(ask("/v3/kv/range").starts_with("HTTP/1.1 404 "));
    let (status, told) = Running::start(&etcd, &arguments).end();
    assert!(!status.success() && told.starts_with("etcd: cannot listen on http://127"), "{told}");
    // A client that says nothing keeps nobody.
    let silent = clients.reach(&mut running);
    assert!(running.stop().contains("etcd: it holds nothing"));
    drop(silent);
}

/// The folder of certificates as envtest fills it, and who may have some of clients.
struct Certificates {
    folder: PathBuf,
    root_ca: String,
    clients: Issuer<'static, KeyPair>,
}

impl Certificates {
    fn new(folder: &Path) -> Self {
        let (root_ca, servers) = Self::authority();
        let (client_ca, clients) = Self::authority();
        let key = KeyPair::generate().expect("a key");
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let params = CertificateParams::new(names).expect("names");
        let certificate = params.signed_by(&key, &servers).expect("a certificate");
        write(&folder.join("apiserver.crt"), &certificate.pem());
        write(&folder.join("apiserver.key"), &key.serialize_pem());
        write(&folder.join("client-cert-auth-ca.crt"), &client_ca);
        Self { folder: folder.to_owned(), root_ca, clients }
    }

    fn authority() -> (String, Issuer<'static, KeyPair>) {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "envtest-environment");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = params.self_signed(&key).expect("a certificate").pem();
        (pem, Issuer::new(params, key))
    }

    /// A client of a user who is in a group.
    fn user(&self, port: &Port, name: &str, group: &str) -> Client {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.distinguished_name.push(DnType::OrganizationName, group);
        let certificate = params.signed_by(&key, &self.clients).expect("a certificate").pem();
        let data = |pem: String| ByteString::from(pem.into_bytes()).to_base64();
        let text = format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters:\n- name: a\n  cluster: {{ server: \
             \"https://{}\", certificate-authority-data: {} }}\ncontexts:\n- name: a\n  context: {{ cluster: a, \
             user: a }}\nusers:\n- name: a\n  user: {{ client-certificate-data: {}, client-key-data: {} }}\n",
            port.address,
            data(self.root_ca.clone()),
            data(certificate),
            data(key.serialize_pem()),
        );
        let config = Config::from_kubeconfig_text(&text, "the test", &Options::default());
        config.expect("a kubeconfig").client().expect("a client")
    }

    /// What envtest tells a kube-apiserver, and something that suites add.
    fn arguments(&self, port: &Port) -> Vec<String> {
        let file = |name: &str| self.folder.join(name).display().to_string();
        vec![
            flag("allow-privileged", true),
            flag("authorization-mode", "RBAC"),
            flag("bind-address", port.address.ip()),
            flag("cert-dir", self.folder.display()),
            flag("client-ca-file", file("client-cert-auth-ca.crt")),
            flag("disable-admission-plugins", "ServiceAccount"),
            flag("etcd-servers", "http://127.0.0.1:1"),
            flag("secure-port", port.address.port()),
            flag("service-account-issuer", format!("https://{}/", port.address)),
            flag("service-account-key-file", file("sa-signer.crt")),
            flag("service-account-signing-key-file", file("sa-signer.key")),
            flag("service-cluster-ip-range", "10.0.0.0/24"),
            flag("audit-log-path", "-"),
        ]
    }
}

#[tokio::test]
async fn kube_apiserver_knows_users_by_certificates_and_ends_when_told() {
    let assets = assets("envtest-apiserver");
    let program = assets.join("kube-apiserver");
    let help = help(&program);
    let has = |flag: &str| help.lines().any(|line| line.trim_start().starts_with(flag));
    assert!(has("--cert-dir ") && has("--allow-privileged") && !has("--insecure-port"), "{help}");

    let (port, certificates) = (Port::new(), Certificates::new(&assets));
    let mut running = Running::start(&program, &certificates.arguments(&port));
    drop(port.reach(&mut running));
    let root = certificates.user(&port, "root", "system:masters");
    assert_eq!(root.api::<Namespace>().get("default").await.expect("there").name(), "default");
    let own = root.api::<Service>().namespace("default").get("kubernetes").await.expect("there");
    assert_eq!(own.spec.cluster_ip, "10.0.0.1");
    let maps = root.api::<ConfigMap>().namespace("kube-system");
    let trusted = maps.get("extension-apiserver-authentication").await.expect("there");
    let trusted = trusted.data.get("client-ca-file").expect("certificates").to_string();
    assert!(trusted.starts_with("-----BEGIN CERTIFICATE-----\n"), "{trusted}");
    let alice = certificates.user(&port, "alice", "devs");
    let refused = alice.api::<Pod>().list_all(&ListOptions::default()).await.expect_err("403");
    assert!(
        refused.to_string().contains("User \"alice\" cannot list resource \"pods\""),
        "{refused}"
    );
    let told = running.stop();
    let wanted = "kube-apiserver: --audit-log-path is not heeded\n\
                  kube-apiserver: tokens of service accounts are signed with a key of the server's own\n";
    assert_eq!(told, wanted);
}

#[tokio::test]
async fn kube_apiserver_says_in_one_sentence_what_it_cannot_do() {
    let assets = assets("envtest-refused");
    let program = assets.join("kube-apiserver");
    let (port, certificates) = (Port::new(), Certificates::new(&assets));
    let refused = |more: &[&str]| {
        let mut arguments = certificates.arguments(&port);
        arguments.extend(more.iter().map(|&more| more.to_owned()));
        let (status, told) = Running::start(&program, &arguments).end();
        assert!(!status.success(), "{told}");
        told.lines().last().expect("a sentence").to_owned()
    };
    assert_eq!(refused(&["--no-such-flag=x"]), "kube-apiserver: unknown flag: --no-such-flag");
    let told = refused(&["--oidc-issuer-url=https://a.test"]);
    assert!(told.starts_with("kube-apiserver: --oidc-issuer-url is not to be had: "), "{told}");
    let told = refused(&["--cert-dir=/nowhere"]);
    assert!(
        told.starts_with("kube-apiserver: no certificate can be read from /nowhere/"),
        "{told}"
    );
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let number = taken.local_addr().expect("an address").port();
    let told = refused(&[&format!("--secure-port={number}")]);
    assert!(
        told.starts_with(&format!("kube-apiserver: cannot listen on 127.0.0.1:{number}: ")),
        "{told}"
    );
}
