//! `cargo xtask real`: etcd, kube-apiserver, kube-controller-manager and kubectl
//! of the pinned release, built by Go out of `conformance/real`.

use crate::process::Lifetime;
use crate::{Outcome, process, step, workspace};
use clap::Subcommand;
pub(crate) use cluster::{Cluster, Options, free_ports, manager_command};
pub(crate) use files::service_account_key;
pub(crate) use release::{OTHERS, kubectl as kubectl_of};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

mod build;
mod cluster;
mod files;
mod release;
mod running;

/// The arguments of `cargo xtask real`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: Cache,
    #[command(subcommand)]
    command: Real,
}

/// Where things are kept from one run to the next.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Cache {
    /// Where the built programs and the state of `up` are kept [default: .cache/real]
    #[arg(long, env = "WATCHKEEPER_REAL", global = true)]
    cache: Option<PathBuf>,
    /// The kube-apiserver of this release in place of the pinned one, as `v1.34.4`; what has controllers has none
    #[arg(long, global = true)]
    release: Option<String>,
}

impl Cache {
    /// The folder as an absolute path, made if it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn folder(&self) -> Outcome<PathBuf> {
        let cache = self.cache.clone().unwrap_or_else(|| workspace::cache().join("real"));
        fs::create_dir_all(&cache).map_err(|e| format!("cannot make {}: {e}", cache.display()))?;
        cache.canonicalize().map_err(|e| format!("{}: {e}", cache.display()))
    }

    /// The same, with the kube-apiserver of another release.
    pub(crate) fn of_release(&self, release: &str) -> Self {
        Self { release: Some(release.to_owned()), ..self.clone() }
    }

    /// The minor version of the API server: 34 of `v1.34.4`.
    ///
    /// # Errors
    /// When the release is none.
    pub(crate) fn minor(&self) -> Outcome<u32> {
        let release = self.release.as_deref().unwrap_or(build::RELEASE);
        let minor = release.strip_prefix("v1.").and_then(|rest| rest.split('.').next());
        let minor = minor.and_then(|minor| minor.parse().ok());
        minor.ok_or_else(|| format!("{release} is no release as v1.34.4 is one"))
    }

    /// The folder of the programs, which are built if they are not there.
    ///
    /// # Errors
    /// When they cannot be built.
    pub(crate) fn programs(&self) -> Outcome<PathBuf> {
        let cache = self.folder()?;
        let bin = cache.join("bin");
        build::all(&bin)?;
        match &self.release {
            Some(release) => self.minor().and_then(|_| release::programs(&cache, &bin, release)),
            None => Ok(bin),
        }
    }
}

#[derive(Debug, Subcommand)]
enum Real {
    /// Build the programs, unless they are built already
    Build,
    /// Start the servers and leave them running
    Up(Options),
    /// Stop what `up` started
    Down,
    /// Start the servers, run a command with KUBECONFIG set, stop them
    Run {
        #[command(flatten)]
        options: Options,
        /// Keep kubeconfig, logs and audit log in this folder
        #[arg(long)]
        dir: Option<PathBuf>,
        /// The command and its arguments
        #[arg(last = true, required = true)]
        command: Vec<String>,
    },
}

/// Runs the chore.
///
/// # Errors
/// One sentence: what failed and where to look.
pub(crate) fn run(args: &Args) -> Outcome {
    let cache = args.cache.folder()?;
    let bin = cache.join("bin");
    match &args.command {
        Real::Down => {
            running::down(&cache.join("up"), &bin)?;
            return Ok(ExitCode::SUCCESS);
        }
        Real::Build => _ = args.cache.programs()?,
        Real::Up(options) => up(&cache.join("up"), &args.cache.programs()?, options)?,
        Real::Run { options, dir, command } => {
            let bin = args.cache.programs()?;
            return run_with(&cache, dir.as_deref(), &bin, options, command);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs a command against fresh servers, for the other chores.
///
/// # Errors
/// When the servers or the command cannot be started.
pub(crate) fn run_command_on(cache: &Cache, options: &Options, command: &[String]) -> Outcome {
    run_with(&cache.folder()?, None, &cache.programs()?, options, command)
}

/// A program of the run: `kubectl`, or another one that is built beside it.
///
/// # Errors
/// When there is no run.
pub(crate) fn program(name: &str) -> Outcome<Command> {
    Ok(Command::new(path_of("REAL_KUBECTL")?.with_file_name(name)))
}

/// Runs a chore of ours again, with `--inside`, against fresh servers.
///
/// # Errors
/// When the servers or the chore cannot be started.
pub(crate) fn run_inside(cache: &Cache, chore: &[&str]) -> Outcome {
    run_inside_on(cache, &Options::default(), chore)
}

/// As [`run_inside`], with servers of one's own choice.
///
/// # Errors
/// As [`run_inside`].
pub(crate) fn run_inside_on(cache: &Cache, options: &Options, chore: &[&str]) -> Outcome {
    // This very program, even if cargo has built another in its place meanwhile.
    let mut command = vec!["/proc/self/exe"];
    command.extend(chore);
    command.push("--inside");
    let command: Vec<String> = command.into_iter().map(str::to_owned).collect();
    run_command_on(cache, options, &command)
}

/// The folder of the run, for a chore inside of it: logs in it are kept when the run fails.
///
/// # Errors
/// When there is no run.
pub(crate) fn own_folder() -> Outcome<PathBuf> {
    let kubeconfig = path_of("REAL_KUBECONFIG")?;
    kubeconfig
        .parent()
        .map(Path::to_path_buf)
        .ok_or_else(|| "REAL_KUBECONFIG is no path".to_owned())
}

/// Starts other programs of these names in a folder of their own, with a certificate that was made before.
///
/// # Errors
/// When they do not start.
pub(crate) fn start_beside(
    dir: &Path,
    bin: &Path,
    options: &Options,
    certificates: &Path,
) -> Outcome<Cluster> {
    started_with(dir, bin, options, Lifetime::Ours, |dir| {
        files::copies(certificates, &dir.join("certs"), &["apiserver.crt", "apiserver.key"])
    })
}

/// Servers that are about to be started, by somebody who waits for them in a way of their own.
#[derive(Debug)]
pub(crate) struct Prepared {
    cluster: Cluster,
    bin: PathBuf,
    options: Options,
    ports: cluster::Ports,
}

/// Makes servers ready to be started in a folder of their own.
///
/// # Errors
/// When a file cannot be written.
pub(crate) fn prepare(dir: &Path, bin: &Path, options: Options) -> Outcome<Prepared> {
    files::fresh(dir)?;
    let cluster = Cluster::new(dir);
    let ports = cluster.prepare(bin, &options)?;
    Ok(Prepared { cluster, bin: bin.to_path_buf(), options, ports })
}

impl Prepared {
    /// Where the API server is going to be, and the administrator's token.
    pub(crate) fn place(&self) -> (String, String) {
        (self.ports.url(), self.ports.admin.clone())
    }

    /// Starts the servers; they are not ready yet, and live as long as this process at most.
    ///
    /// # Errors
    /// When a program cannot be started.
    pub(crate) fn launch(self) -> Outcome<Cluster> {
        let Self { mut cluster, bin, options, ports } = self;
        let launched = cluster.launch(&bin, &options, Lifetime::Ours, &ports);
        if launched.is_err() {
            cluster.stop();
        }
        launched.map(|()| cluster)
    }
}

/// A path out of what [`run_command_on`] gives its command.
///
/// # Errors
/// When the variable is not set.
pub(crate) fn path_of(variable: &str) -> Outcome<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).ok_or_else(|| format!("{variable} is not set"))
}

fn up(dir: &Path, bin: &Path, options: &Options) -> Outcome<()> {
    running::down(dir, bin)?;
    let cluster = started(dir, bin, options, Lifetime::Detached)?;
    eprintln!("KUBECONFIG={}", cluster.kubeconfig().display());
    eprintln!("audit log  {}", cluster.audit_log().display());
    Ok(())
}

/// Servers that are ready. Ports are free when they are chosen, and may be taken when they are used, by
/// another run too: then others are chosen.
fn started(dir: &Path, bin: &Path, options: &Options, lifetime: Lifetime) -> Outcome<Cluster> {
    started_with(dir, bin, options, lifetime, |_| Ok(()))
}

/// The same in a folder that is made ready first.
fn started_with(
    dir: &Path,
    bin: &Path,
    options: &Options,
    lifetime: Lifetime,
    ready: impl Fn(&Path) -> Outcome<()>,
) -> Outcome<Cluster> {
    let mut attempt = 1;
    loop {
        files::fresh(dir)?;
        ready(dir)?;
        let mut cluster = Cluster::new(dir);
        let outcome = cluster.start(bin, options, lifetime).and_then(|()| {
            if lifetime == Lifetime::Detached {
                running::remember(dir, &cluster)?;
            }
            cluster.wait_ready(bin, options)
        });
        let Err(problem) = outcome else { return Ok(cluster) };
        cluster.stop();
        if attempt == ATTEMPTS || !cluster.lost_a_port() {
            return Err(problem);
        }
        eprintln!("{problem}: a port was taken; trying others");
        attempt += 1;
    }
}

/// How often ports are chosen.
const ATTEMPTS: u32 = 4;

fn run_with(
    cache: &Path,
    dir: Option<&Path>,
    bin: &Path,
    options: &Options,
    command: &[String],
) -> Outcome {
    files::sweep(cache)?;
    let own = cache.join(format!("{}{}", files::RUN, std::process::id()));
    let dir = dir.map_or(own.as_path(), |dir| dir);
    files::fresh(dir)?;
    let dir = dir.canonicalize().map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut cluster = started(&dir, bin, options, Lifetime::Ours)?;
    let mut child = Command::new(&command[0]);
    child.args(&command[1..]).envs(cluster.environment(bin));
    let outcome = step::timed("command", || process::status(&mut child));
    step::timed("stop", || {
        cluster.stop();
        Ok(())
    })?;
    // The logs of a run that failed are kept until the next run.
    if dir == own && outcome.as_ref().is_ok_and(ExitStatus::success) {
        fs::remove_dir_all(&dir).map_err(|e| format!("cannot remove {}: {e}", dir.display()))?;
    }
    let code = outcome?.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
