//! `cargo xtask conformance helm`: helm on the embedded server says what it says on a real one, with the
//! controllers and nodes of each: a chart of every kind of part is installed, looked at, tested, upgraded, refused,
//! rolled back and uninstalled (`conformance/helm`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use super::serving::Serving;
use crate::kubectl::words;
use crate::process::{Lifetime, Server};
use crate::{Outcome, go, pinned, process, programs, real, step, workspace};

mod mask;

/// Where helm is pinned, and the chart.
const MODULE: &str = "conformance/helm";

/// The actors beside the real controllers.
const ACTORS: &str = "scheduler,node,kubelet";

/// The arguments of `cargo xtask conformance helm`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// Runs with the servers up already
    #[arg(long, hide = true)]
    inside: bool,
}

impl Args {
    /// On servers that are started for it.
    pub(crate) fn of(cache: real::Cache) -> Self {
        Self { cache, inside: false }
    }
}

/// Runs the script on both servers.
///
/// # Errors
/// The commands that say something else, or end otherwise.
pub(crate) fn run(args: &Args) -> Outcome {
    if args.inside {
        return on_the_real_server();
    }
    pinned::tell(MODULE, "helm.sh/helm/v3")?;
    let bin = args.cache.programs()?;
    step::timed("go build helm", || build(&bin))?;
    let program = programs::command_of_ours()?;
    programs::example("watchkeeper-cluster", "actors")?;
    let folder = workspace::target().join("helm");
    let _last = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let serving = Serving::start(&program, &bin, &folder, "all")?;
    let told = step::timed("on ours", || told(&bin, serving.kubeconfig(), &folder.join("ours")));
    drop(serving);
    write(&ours(), &told?)?;
    let options = real::Options::with_controllers();
    real::run_inside_on(&args.cache, &options, &["conformance", "helm"])
}

fn ours() -> PathBuf {
    workspace::target().join("helm/ours.txt")
}

fn write(path: &Path, text: &str) -> Outcome<()> {
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn module() -> PathBuf {
    workspace::root().join(MODULE)
}

/// Builds helm beside the real programs, unless that is done.
fn build(bin: &Path) -> Outcome<()> {
    let module = module();
    let read =
        |name: &str| fs::read_to_string(module.join(name)).map_err(|e| format!("{name}: {e}"));
    let (stamp, file) = (read("go.mod")? + &read("go.sum")?, bin.join("helm.stamp"));
    if fs::read_to_string(&file).is_ok_and(|old| old == stamp) && bin.join("helm").exists() {
        return Ok(());
    }
    go::download(&module)?;
    // As helm's own releases are told which Kubernetes they take for granted without a server.
    let version = "-s -w -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor=1 \
                   -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=36";
    let mut build = go::build(&module);
    build.args(["-ldflags", version, "-o"]).arg(bin.join("helm"));
    process::succeed(build.arg("helm.sh/helm/v3/cmd/helm"))?;
    write(&file, &stamp)
}

fn on_the_real_server() -> Outcome {
    let folder = real::own_folder()?;
    let mut actors = Command::new(programs::built("debug", "examples/actors"));
    actors.arg("--kubeconfig").arg(real::path_of("KUBECONFIG")?).args(["--actors", ACTORS]);
    let mut actors = Server::start(actors, &folder.join("actors.log"), Lifetime::Ours)?;
    let bin = real::path_of("REAL_KUBECTL")?;
    let bin = bin.parent().ok_or("REAL_KUBECTL is no path")?;
    let kubeconfig = real::path_of("KUBECONFIG")?;
    let told = step::timed("on the real server", || told(bin, &kubeconfig, &folder.join("helm")));
    actors.stop();
    let theirs = told?;
    write(&workspace::target().join("helm/real.txt"), &theirs)?;
    let ours = fs::read_to_string(ours()).map_err(|e| format!("{}: {e}", ours().display()))?;
    compare(&ours, &theirs)
}

/// What begins the part of a transcript that a command wrote.
const BEGIN: &str = "\n$ ";

fn compare(ours: &str, theirs: &str) -> Outcome {
    let (all, real): (Vec<&str>, Vec<&str>) =
        (ours.split(BEGIN).collect(), theirs.split(BEGIN).collect());
    let differ = all.iter().zip(&real).filter(|(ours, theirs)| ours != theirs);
    let differ: Vec<String> =
        differ.map(|(ours, theirs)| format!("ours: $ {ours}\nreal: $ {theirs}")).collect();
    let number = all.len() - 1;
    if differ.is_empty() && all.len() == real.len() {
        eprintln!("{number} commands: helm says the same on both servers");
        return Ok(ExitCode::SUCCESS);
    }
    Err(format!("{} of {number} commands:\n{}", differ.len(), differ.join("\n")))
}

/// What all commands wrote, with what may differ left out.
///
/// # Errors
/// A command that should succeed and fails, or the other way round.
fn told(bin: &Path, kubeconfig: &Path, home: &Path) -> Outcome<String> {
    let script = module().join("script.txt");
    let script = fs::read_to_string(&script).map_err(|e| format!("{}: {e}", script.display()))?;
    let mut transcript = String::new();
    for line in script.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (fails, typed) = line.strip_prefix("! ").map_or((false, line), |typed| (true, typed));
        let (success, answer) = typed_in(typed, bin, kubeconfig, home)?;
        if success == fails {
            let wanted = if fails { "fail" } else { "succeed" };
            return Err(format!("{typed}: it should {wanted}\n{answer}"));
        }
        transcript += &format!("{BEGIN}{typed}\n{}", mask::masked(&answer));
    }
    Ok(transcript)
}

fn typed_in(line: &str, bin: &Path, kubeconfig: &Path, home: &Path) -> Outcome<(bool, String)> {
    let words = words(line);
    let (program, arguments) = words.split_first().ok_or("an empty line")?;
    let mut command = Command::new(bin.join(program));
    command
        .current_dir(module())
        .args(arguments)
        .stdin(Stdio::null())
        .env("KUBECONFIG", kubeconfig);
    for (name, folder) in [("CACHE", "cache"), ("CONFIG", "config"), ("DATA", "data")] {
        command.env(format!("HELM_{name}_HOME"), home.join(folder));
    }
    command.env("KUBECACHEDIR", home.join("kube")).env("KUBERC", "off");
    let output = command.output().map_err(|e| format!("cannot run {program}: {e}"))?;
    let mut answer = String::from_utf8_lossy(&output.stdout).into_owned();
    answer.push_str(&String::from_utf8_lossy(&output.stderr));
    Ok((output.status.success(), answer))
}
