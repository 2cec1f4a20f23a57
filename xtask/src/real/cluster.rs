//! Starting etcd, kube-apiserver and, when asked, kube-controller-manager.

use super::files;
use crate::process::{Lifetime, Server};
use crate::{Outcome, process, step};
use std::ffi::OsString;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How much of each request the audit log has.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
#[value(rename_all = "PascalCase")]
enum AuditLevel {
    None,
    Metadata,
    #[default]
    Request,
    RequestResponse,
}

impl AuditLevel {
    const fn name(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Metadata => "Metadata",
            Self::Request => "Request",
            Self::RequestResponse => "RequestResponse",
        }
    }
}

/// What to start and how.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Options {
    /// Start kube-controller-manager as well
    #[arg(long)]
    controller_manager: bool,
    /// Pods get the service account of their namespace, which somebody must make
    #[arg(long)]
    service_accounts: bool,
    /// How much of each request the audit log has
    #[arg(long, default_value = "Request")]
    audit_level: AuditLevel,
    /// Audit nothing but writes, when they are received and when they are answered, with what leases say
    #[arg(long, conflicts_with = "audit_level")]
    audit_writes: bool,
    /// A further flag for kube-apiserver, may be repeated
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    apiserver_flag: Vec<String>,
    /// A further flag for kube-controller-manager, may be repeated
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    controller_manager_flag: Vec<String>,
}

impl Options {
    /// kube-controller-manager runs as well.
    pub(crate) fn with_controllers() -> Self {
        Self { controller_manager: true, ..Self::default() }
    }

    /// The plugin `ServiceAccount` is on.
    pub(crate) fn with_service_accounts() -> Self {
        Self { service_accounts: true, ..Self::unaudited() }
    }

    /// The same, with further flags for it.
    pub(crate) fn with_controllers_of(flags: &[&str]) -> Self {
        let controller_manager_flag = flags.iter().map(|flag| (*flag).to_owned()).collect();
        Self { controller_manager_flag, ..Self::with_controllers() }
    }

    /// For many requests: none is written down.
    pub(crate) fn unaudited() -> Self {
        Self { audit_level: AuditLevel::None, ..Self::default() }
    }

    /// The same, without the plugins that make objects wait for a controller that is not there.
    pub(crate) fn alone() -> Self {
        let plugins =
            "--disable-admission-plugins=StorageObjectInUseProtection,TaintNodesByCondition";
        Self { apiserver_flag: vec![plugins.to_owned()], ..Self::unaudited() }
    }

    /// Every write is audited in one file, when it is received and when it is answered.
    pub(crate) fn with_writes() -> Self {
        // In megabytes: a log that is begun anew would lack the beginning.
        let whole = vec!["--audit-log-maxsize=100000".to_owned()];
        Self { audit_writes: true, apiserver_flag: whole, ..Self::default() }
    }

    fn audit_policy(&self) -> String {
        if self.audit_writes {
            return files::AUDIT_WRITES.to_owned();
        }
        files::audit_everything(self.audit_level.name())
    }

    /// The past is forgotten after a second or two.
    pub(crate) fn forgetful() -> Self {
        let flags = vec!["--etcd-compaction-interval=1s".to_owned()];
        Self { apiserver_flag: flags, ..Self::unaudited() }
    }

    /// Every version of every group is served, also those that are off by default.
    pub(crate) fn everything() -> Self {
        let flags = ["--runtime-config=api/all=true", "--feature-gates=AllAlpha=true,AllBeta=true"];
        Self { apiserver_flag: flags.map(str::to_owned).to_vec(), ..Self::default() }
    }
}

/// The running servers.
#[derive(Debug)]
pub(crate) struct Cluster {
    dir: PathBuf,
    servers: Vec<Server>,
}

/// Where the servers listen, and who may do everything.
#[derive(Debug)]
pub(super) struct Ports {
    client: u16,
    peer: u16,
    secure: u16,
    metrics: u16,
    /// The administrator's token.
    pub(super) admin: String,
}

impl Ports {
    /// Where the API server is.
    pub(super) fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.secure)
    }
}

/// How long a server may take to become ready on a busy machine.
const READY: Duration = Duration::from_secs(120);

impl Cluster {
    /// Nothing runs yet.
    pub(crate) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_path_buf(), servers: Vec::new() }
    }

    /// Starts the servers; they are not ready yet.
    ///
    /// # Errors
    /// When a file cannot be written or a program not be started.
    pub(crate) fn start(
        &mut self,
        bin: &Path,
        options: &Options,
        lifetime: Lifetime,
    ) -> Outcome<()> {
        let ports = self.prepare(bin, options)?;
        self.launch(bin, options, lifetime, &ports)
    }

    /// Writes what the servers read, and chooses where they listen.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn prepare(&self, bin: &Path, options: &Options) -> Outcome<Ports> {
        let dir = &self.dir;
        let [client, peer, secure, metrics] = free_ports()?;
        files::service_account_key(&dir.join("sa.key"), bin)?;
        files::write(&dir.join("audit-policy.yaml"), &options.audit_policy())?;
        let (admin, nobody) = files::tokens(&dir.join("tokens.csv"))?;
        let ports = Ports { client, peer, secure, metrics, admin };
        let (server, authority) = (ports.url(), dir.join("certs/apiserver.crt"));
        let tokens = (ports.admin.clone(), nobody);
        files::kubeconfig(&dir.join("kubeconfig"), &server, &authority, &tokens)?;
        Ok(ports)
    }

    /// Starts the servers with what was prepared.
    ///
    /// # Errors
    /// When a program cannot be started.
    pub(super) fn launch(
        &mut self,
        bin: &Path,
        options: &Options,
        lifetime: Lifetime,
        ports: &Ports,
    ) -> Outcome<()> {
        let dir = &self.dir.clone();
        let etcd = format!("http://127.0.0.1:{}", ports.client);
        let peers = format!("http://127.0.0.1:{}", ports.peer);
        self.add(etcd_command(dir, bin, &etcd, &peers), "etcd.log", lifetime)?;
        let mut apiserver = apiserver_command(dir, bin, &etcd, ports.secure);
        if !options.service_accounts {
            apiserver.arg("--disable-admission-plugins=ServiceAccount");
        }
        apiserver.args(&options.apiserver_flag);
        self.add(apiserver, "kube-apiserver.log", lifetime)?;
        if options.controller_manager {
            step::timed("kube-apiserver ready", || self.wait(bin, &["get", "--raw", "/readyz"]))?;
            let mut manager = manager_command(dir, bin, &dir.join("certs/apiserver.crt"));
            let port = ports.metrics;
            manager.arg(format!("--secure-port={port}")).args(&options.controller_manager_flag);
            self.add(manager, "kube-controller-manager.log", lifetime)?;
        }
        Ok(())
    }

    /// Whether a server says that somebody else has its port.
    pub(crate) fn lost_a_port(&self) -> bool {
        self.servers.iter().any(|server| {
            let log = self.dir.join(format!("{}.log", server.name()));
            let told = std::fs::read(log).unwrap_or_default();
            String::from_utf8_lossy(&told).contains("address already in use")
        })
    }

    fn add(&mut self, command: Command, log: &str, lifetime: Lifetime) -> Outcome<()> {
        self.servers.push(Server::start(command, &self.dir.join(log), lifetime)?);
        Ok(())
    }

    /// Waits until every server does its work.
    ///
    /// # Errors
    /// When one ends or takes too long; the sentence names the logs.
    pub(crate) fn wait_ready(&mut self, bin: &Path, options: &Options) -> Outcome<()> {
        if options.controller_manager {
            let account = ["get", "serviceaccount", "default", "--namespace", "default"];
            return step::timed("kube-controller-manager ready", || self.wait(bin, &account));
        }
        step::timed("kube-apiserver ready", || self.wait(bin, &["get", "--raw", "/readyz"]))
    }

    fn wait(&mut self, bin: &Path, question: &[&str]) -> Outcome<()> {
        let kubeconfig = self.kubeconfig();
        step::until(READY, || {
            self.servers.iter_mut().try_for_each(Server::check)?;
            let mut kubectl = Command::new(bin.join("kubectl"));
            process::answers(kubectl.arg("--kubeconfig").arg(&kubeconfig).args(question))
        })
        .map_err(|problem| format!("{problem}; the logs are in {}", self.dir.display()))
    }

    /// Stops the servers, the last started first.
    pub(crate) fn stop(&mut self) {
        for server in self.servers.iter_mut().rev() {
            server.stop();
        }
    }

    pub(crate) fn servers(&self) -> &[Server] {
        &self.servers
    }

    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.dir.join("kubeconfig")
    }

    pub(crate) fn audit_log(&self) -> PathBuf {
        self.dir.join("audit.log")
    }

    /// What a command that uses the servers finds in its environment.
    pub(crate) fn environment(&self, bin: &Path) -> [(&'static str, OsString); 4] {
        let kubeconfig = self.kubeconfig().into_os_string();
        [
            ("KUBECONFIG", kubeconfig.clone()),
            ("REAL_KUBECONFIG", kubeconfig),
            ("REAL_AUDIT_LOG", self.audit_log().into_os_string()),
            ("REAL_KUBECTL", bin.join("kubectl").into_os_string()),
        ]
    }
}

fn etcd_command(dir: &Path, bin: &Path, client: &str, peer: &str) -> Command {
    let mut etcd = Command::new(bin.join("etcd"));
    etcd.args(["--name=real", "--log-level=warn", "--unsafe-no-fsync"])
        .arg(flag("--data-dir", &dir.join("etcd")))
        .arg(format!("--listen-client-urls={client}"))
        .arg(format!("--advertise-client-urls={client}"))
        .arg(format!("--listen-peer-urls={peer}"))
        .arg(format!("--initial-advertise-peer-urls={peer}"))
        .arg(format!("--initial-cluster=real={peer}"));
    etcd
}

fn apiserver_command(dir: &Path, bin: &Path, etcd: &str, port: u16) -> Command {
    let key = dir.join("sa.key");
    let mut apiserver = Command::new(bin.join("kube-apiserver"));
    apiserver
        .arg(format!("--etcd-servers={etcd}"))
        .arg(format!("--secure-port={port}"))
        .args(["--bind-address=127.0.0.1", "--authorization-mode=RBAC"])
        .arg(flag("--cert-dir", &dir.join("certs")))
        .arg("--service-account-issuer=https://kubernetes.default.svc.cluster.local")
        .arg(flag("--service-account-key-file", &key))
        .arg(flag("--service-account-signing-key-file", &key))
        .arg(flag("--token-auth-file", &dir.join("tokens.csv")))
        .args(["--service-cluster-ip-range=10.96.0.0/16", "--allow-privileged=true"])
        .arg(flag("--audit-policy-file", &dir.join("audit-policy.yaml")))
        .arg(flag("--audit-log-path", &dir.join("audit.log")));
    apiserver
}

/// kube-controller-manager with the kubeconfig and the key `sa.key` of a folder.
pub(crate) fn manager_command(dir: &Path, bin: &Path, root_ca: &Path) -> Command {
    let mut manager = Command::new(bin.join("kube-controller-manager"));
    manager
        .arg(flag("--kubeconfig", &dir.join("kubeconfig")))
        .arg(flag("--service-account-private-key-file", &dir.join("sa.key")))
        .arg(flag("--root-ca-file", root_ca))
        .arg(flag("--cert-dir", &dir.join("manager-certs")))
        .args(["--bind-address=127.0.0.1", "--leader-elect=false"]);
    manager
}

fn flag(name: &str, path: &Path) -> OsString {
    let mut flag = OsString::from(name);
    flag.push("=");
    flag.push(path);
    flag
}

/// Ports that are free now, all held at once so that no two are the same. They are let go for the servers:
/// whoever starts these must be ready to choose again.
///
/// # Errors
/// When there are none.
pub(crate) fn free_ports<const N: usize>() -> Outcome<[u16; N]> {
    let mut ports = [0; N];
    let mut held = Vec::new();
    for port in &mut ports {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .map_err(|e| format!("no free port on the loopback interface: {e}"))?;
        *port = listener.local_addr().map_err(|e| e.to_string())?.port();
        held.push(listener);
    }
    Ok(ports)
}
