//! `cargo xtask long`: what is too long for CI.
//!
//! Every step is run, whatever becomes of the others, and leaves a row for `docs/long-runs.md`.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::builder::PossibleValuesParser;

use crate::{
    Outcome, conformance, docs, facts, fuzz, groups, guide, history, kubectl, mutants, process,
    real, sample_real, step, workspace,
};

/// The arguments of `cargo xtask long`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many seeds the sample's whole story is run with
    #[arg(long, default_value_t = 300)]
    seeds: u32,
    /// How many cases each property test draws
    #[arg(long, default_value_t = 2_000)]
    cases: u32,
    /// How often the models interrupt a thread
    #[arg(long, default_value_t = 4)]
    preemptions: u8,
    /// How many changes random histories have on the real kube-apiserver
    #[arg(long, default_value_t = 100_000)]
    changes: u64,
    /// How many requests made up by a seed a real kube-apiserver and the embedded server are compared with
    #[arg(long, default_value_t = 100_000)]
    generated: u64,
    /// How often a served cluster that is kept on a disk is killed
    #[arg(long, default_value_t = 3_000)]
    kills: u64,
    /// How many seconds each parser is fed by its fuzzer
    #[arg(long, default_value_t = 120)]
    fuzz: u64,
    /// A folder of definitions of other projects, in files that end in .yaml; without it that step is left out
    #[arg(long, value_name = "DIR")]
    crds: Option<PathBuf>,
    /// Only this step; may be given several times
    #[arg(long, value_name = "STEP", value_parser = PossibleValuesParser::new(STEPS.map(|step| step.0)))]
    only: Vec<String>,
    /// Add the rows to docs/long-runs.md, beside printing them
    #[arg(long)]
    record: bool,
    #[command(flatten)]
    cache: real::Cache,
}

/// What does a step, and says what it did.
type Step = fn(&Args, &mut String) -> Outcome<()>;

const STEPS: [(&str, Step); 27] = [
    ("story", story),
    ("each-write", |_, what| each_write(what)),
    ("mistakes", mistakes),
    ("million", million),
    ("histories", histories),
    ("kills", kills),
    ("properties", properties),
    ("models", models),
    ("election", |_, what| election(what)),
    ("leaders", leaders),
    ("streams", streams),
    ("mutants", |_, what| mutants::all(what)),
    ("fuzz", fuzzed),
    ("miri", |_, what| miri(what)),
    ("miri-of-the-store", |_, what| miri_of_the_store(what)),
    ("facts", unchanged),
    ("kubectls", kubectls),
    ("kubectls-compared", kubectls_compared),
    ("servers", servers),
    ("generated", generated),
    ("guide", followed),
    ("groups", |_, what| each_group(what)),
    ("docs", |_, what| pages(what)),
    ("helm", helm),
    ("envtest", envtest),
    ("crds", crds),
    ("definitions", definitions),
];

/// Runs every long check, or those that are named.
///
/// # Errors
/// Names those that failed.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut log = Log::new(args.record)?;
    let wanted = |name: &str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    for (name, step) in STEPS.into_iter().filter(|(name, _)| wanted(name)) {
        let wants_crds = matches!(name, "crds" | "definitions");
        if wants_crds && args.crds.is_none() && args.only.is_empty() {
            eprintln!("{name}: LEFT OUT: --crds names no folder of definitions");
            continue;
        }
        log.step(name, |what| step(args, what))?;
    }
    log.end()
}

fn story(args: &Args, what: &mut String) -> Outcome<()> {
    let seeds = args.seeds;
    *what = format!(
        "stories of the sample and of the actors in paused time, {seeds} seeds: {seeds} histories, one final state"
    );
    for package in ["sample-controller", "watchkeeper-cluster"] {
        let mut test = cargo(&["test", "--package", package, "--test", "it"]);
        test.args(["--", "determinism", "faults"]);
        process::succeed(test.env("WATCHKEEPER_SEEDS", seeds.to_string()))?;
    }
    Ok(())
}

fn each_write(what: &mut String) -> Outcome<()> {
    "each write of the actors alone meets each fault; the lease of two replicas of the actors, the sample and the pod watcher is lost at each request, and wherever a reconcile waits: one end".clone_into(what);
    let packages = [
        ("watchkeeper-cluster", "each_write"),
        ("watchkeeper-cluster", "leader_loss"),
        ("pod-watcher", "whichever"),
        ("pod-watcher", "leader_loss"),
        ("sample-controller", "leader_loss"),
    ];
    for (package, tests) in packages {
        let mut test = cargo(&["test", "--package", package, "--test", "it", "--", tests]);
        process::succeed(test.env("WATCHKEEPER_EACH_FAULT", "1"))?;
    }
    Ok(())
}

fn mistakes(args: &Args, what: &mut String) -> Outcome<()> {
    "mistakes put into a copy of our informer: random histories find each".clone_into(what);
    succeeded(history::run(&history::Args::of(0, args.cache.clone()).with_mistakes())?)
}

fn million(args: &Args, what: &mut String) -> Outcome<()> {
    "random histories on the embedded server, 1000000 changes, seed 1: every rule is kept"
        .clone_into(what);
    succeeded(history::run(&history::Args::of(1_000_000, args.cache.clone()))?)
}

fn histories(args: &Args, what: &mut String) -> Outcome<()> {
    let changes = args.changes;
    *what = format!(
        "random histories on a real kube-apiserver, {changes} changes, seed 1: every rule is kept"
    );
    let args = history::Args::of(changes, args.cache.clone()).on_the_real_server();
    succeeded(history::run(&args)?)
}

fn kills(args: &Args, what: &mut String) -> Outcome<()> {
    let (kills, seed) = (args.kills, seed()?);
    *what =
        format!("a served cluster on a disk, killed {kills} times while others write, seed {seed}");
    let told = conformance::kill::killed(&conformance::kill::Args::of(kills, seed))?;
    *what += &format!(": {told}");
    Ok(())
}

/// What has printed what failed need not be told that again.
fn succeeded(code: ExitCode) -> Outcome<()> {
    if code == ExitCode::SUCCESS { Ok(()) } else { Err("it ended with a failure".to_owned()) }
}

fn properties(args: &Args, what: &mut String) -> Outcome<()> {
    let seed = seed()?;
    *what = format!("property tests, {} cases each, seed {seed}", args.cases);
    let mut test =
        cargo(&["test", "--package", "watchkeeper-api", "--package", "watchkeeper-queue"]);
    test.args(["--package", "watchkeeper-cache", "--package", "watchkeeper-apiserver", "--lib"]);
    process::succeed(
        test.env("PROPTEST_CASES", args.cases.to_string())
            .env("PROPTEST_RNG_SEED", seed.to_string()),
    )
}

fn models(args: &Args, what: &mut String) -> Outcome<()> {
    let preemptions = args.preemptions.to_string();
    *what = format!("the models of what waits, every schedule with {preemptions} preemptions");
    let mut test = cargo(&["test", "--package", "watchkeeper-models", "--test", "it"]);
    process::succeed(test.env("WATCHKEEPER_PREEMPTIONS", preemptions))
}

/// Far enough that every world of the model has been met.
const TICKS: &str = "1000";

fn election(what: &mut String) -> Outcome<()> {
    "two replicas and a lease: every world; with writes that arrive late, or candidates that cease, \
     ten ticks deep; and what happens to replicas that share objects, two things at once"
        .clone_into(what);
    let mut test = cargo(&["test", "--release", "--package", "watchkeeper-manager", "--lib"]);
    test.args(["--", "leader::state::model", "sharding::state::model"]);
    process::succeed(test.env("WATCHKEEPER_TICKS", TICKS))
}

/// Builds the sample controller and the actors as they are released.
fn release_sample() -> Outcome<()> {
    let mut build = cargo(&["build", "--release", "--locked", "--package", "sample-controller"]);
    build.args(["--package", "pod-watcher"]);
    process::succeed(build.args([
        "--package",
        "watchkeeper-cluster",
        "--bins",
        "--example",
        "actors",
    ]))
}

fn leaders(args: &Args, what: &mut String) -> Outcome<()> {
    let rounds = conformance::leaders::Args::long(args.cache.clone());
    *what = format!(
        "leaders on a real kube-apiserver, {rounds}: no two worked at once, but for one of client-go's that \
         slept, on purpose"
    );
    release_sample()?;
    succeeded(conformance::leaders::run(&rounds)?)
}

fn streams(args: &Args, what: &mut String) -> Outcome<()> {
    let streams = conformance::streams::Args::long(args.cache.clone());
    *what =
        format!("streams through a real kube-apiserver to upstream's kubelet server, {streams}");
    succeeded(conformance::streams::run(&streams)?)
}

fn fuzzed(args: &Args, what: &mut String) -> Outcome<()> {
    *what = format!("every parser fed by its fuzzer, {} s each", args.fuzz);
    succeeded(fuzz::run(&fuzz::Args::all(args.fuzz, args.cache.clone()))?)
}

fn miri(what: &mut String) -> Outcome<()> {
    "the interned string and the vectors, also those of AVX2, under Miri; the threads of the \
     string with 16 seeds"
        .clone_into(what);
    get_miri()?;
    process::succeed(&mut under_miri(API, "miri", &["istr", "json::simd"]))?;
    // Miri says that a processor has what the program was compiled for, and nothing more.
    let mut wide = under_miri(API, "miri-avx2", &["json::simd"]);
    wide.env("RUSTFLAGS", "-Ctarget-feature=+avx2,+bmi1,+bmi2,+lzcnt");
    process::succeed(&mut wide)?;
    // Threads that give back what others free, in another order for each seed.
    let mut threads =
        under_miri(API, "miri", &["istr::tests::threads_that_take_and_drop_the_same_text_agree"]);
    threads.env("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-many-seeds=0..16");
    process::succeed(&mut threads)
}

fn miri_of_the_store(what: &mut String) -> Outcome<()> {
    "the store under Miri: table, tree, indices; its readers beside a writer with 8 seeds"
        .clone_into(what);
    get_miri()?;
    // What is only large would take hours, as would a map of two thousand keys that is copied with each step.
    let mut all = under_miri(CACHE, "miri", &["store::"]);
    all.args(["--skip", "was_emptied", "--skip", "thousands", "--skip", "undelta_store"]);
    all.args(["--skip", "its_snapshots_stand_still"]);
    process::succeed(&mut all)?;
    let mut threads = under_miri(CACHE, "miri", &["readers_never_go_back", "does_not_come_back"]);
    threads.env("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-many-seeds=0..8");
    process::succeed(&mut threads)
}

/// Installs it unless it is there.
fn get_miri() -> Outcome<()> {
    let there =
        process::answers(cargo(&["+nightly", "miri", "--version"]).env_remove("RUSTUP_TOOLCHAIN"));
    if there == Ok(true) {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    rustup.args(["toolchain", "install", "nightly", "--profile", "minimal"]);
    process::succeed(rustup.args(["--component", "miri", "--component", "rust-src"]))
}

const API: &str = "watchkeeper-api";
const CACHE: &str = "watchkeeper-cache";

/// The library tests of a package whose names have one of these in them, under Miri, built in a folder of
/// their own.
fn under_miri(package: &str, folder: &str, tests: &[&str]) -> Command {
    let mut test = cargo(&["+nightly", "miri", "test", "--package", package, "--lib"]);
    test.arg("--").args(tests);
    test.env_remove("RUSTUP_TOOLCHAIN").env("CARGO_TARGET_DIR", workspace::target().join(folder));
    test.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("PROPTEST_CASES", "8");
    test
}

fn unchanged(args: &Args, what: &mut String) -> Outcome<()> {
    "the facts, read off the Go types and a running kube-apiserver again: unchanged"
        .clone_into(what);
    succeeded(facts::run(&facts::Args { check: true, cache: args.cache.clone() })?)
}

fn kubectls(args: &Args, what: &mut String) -> Outcome<()> {
    let releases = kubectl::MINORS.join(" and ");
    *what = format!(
        "kubectl {releases} beside the pinned one: the checks on the sample's embedded cluster"
    );
    release_sample()?;
    succeeded(kubectl::run(&kubectl::Args::with_minors(args.cache.clone()))?)
}

fn kubectls_compared(args: &Args, what: &mut String) -> Outcome<()> {
    let releases = kubectl::MINORS.join(" and ");
    *what = format!(
        "kubectl {releases} beside the pinned one: what a person types is answered by the embedded server as by a \
         real kube-apiserver, but for what is listed"
    );
    for release in kubectl::MINORS {
        let args = conformance::kubectl::Args::of_release(release, args.cache.clone());
        step::timed(release, || succeeded(conformance::kubectl::run(&args)?))?;
    }
    Ok(())
}

fn servers(args: &Args, what: &mut String) -> Outcome<()> {
    let releases = real::OTHERS.join(", ");
    *what = format!(
        "other servers than the pinned one, kube-apiserver {releases}: the family of clients tells the same stories \
         on each, and the sample converges"
    );
    release_sample()?;
    for release in real::OTHERS {
        let cache = args.cache.of_release(release);
        step::timed(release, || {
            succeeded(conformance::clients(&cache)?)?;
            succeeded(sample_real::run(&sample_real::Args::of(cache))?)
        })?;
    }
    Ok(())
}

fn generated(args: &Args, what: &mut String) -> Outcome<()> {
    let (cases, seed) = (args.generated, seed()?);
    *what = format!(
        "{cases} objects, patches, schemas and selectors made up, seed {seed}: of a hundred a real kube-apiserver and the \
         embedded server answer 98 alike, or more"
    );
    let args = conformance::generated::Args::of(cases, seed, args.cache.clone());
    succeeded(conformance::generated::run(&args)?)
}

fn followed(args: &Args, what: &mut String) -> Outcome<()> {
    "the first operator's page from an empty folder, with the command installed as it says"
        .clone_into(what);
    succeeded(guide::run(&guide::Args::of(args.cache.clone()))?)
}

fn pages(what: &mut String) -> Outcome<()> {
    "the pages of each crate by itself, as docs.rs builds them: each asks for all that it uses"
        .clone_into(what);
    succeeded(docs::run(&docs::Args {})?)
}

fn each_group(what: &mut String) -> Outcome<()> {
    let groups = groups::names()?;
    *what = format!("each of {} groups of the API by itself: it names what it needs", groups.len());
    groups.iter().try_for_each(|group| {
        let mut check = cargo(&["check", "--quiet", "--locked", "--package", "watchkeeper-api"]);
        process::succeed(check.args(["--no-default-features", "--features", group]))
    })
}

fn helm(args: &Args, what: &mut String) -> Outcome<()> {
    "helm's script of a chart on the embedded server and on a real kube-apiserver: the same words"
        .clone_into(what);
    succeeded(conformance::helm::run(&conformance::helm::Args::of(args.cache.clone()))?)
}

fn envtest(args: &Args, what: &mut String) -> Outcome<()> {
    "controller-runtime's own tests that start an environment, those that take minutes as well, on our programs for envtest"
        .clone_into(what);
    succeeded(conformance::envtest::run(&conformance::envtest::Args::long(args.cache.clone()))?)
}

fn crds(args: &Args, what: &mut String) -> Outcome<()> {
    let dir = args.crds.clone().ok_or("--crds names no folder of definitions")?;
    let (schemas, seed) = (RANDOM_SCHEMAS, seed()?);
    *what = format!("definitions of other projects and {schemas} schemas made up, seed {seed}");
    let args = conformance::crds::Args::of(dir).with_random(schemas, seed);
    let tried = conformance::crds::tried(&args)?;
    *what += &format!(": one crate of them compiles; {tried}");
    Ok(())
}

fn definitions(args: &Args, what: &mut String) -> Outcome<()> {
    let dir = args.crds.clone().ok_or("--crds names no folder of definitions")?;
    let seed = seed()?;
    *what = format!(
        "definitions of other projects, each file on new servers, and {OBJECTS} objects of each version, good and spoiled, \
         seed {seed}: of a hundred a real kube-apiserver and the embedded server answer 98 alike, or more"
    );
    let cache = args.cache.clone();
    let args = conformance::generated::Args::of_definitions(dir, OBJECTS, seed, cache);
    succeeded(conformance::generated::run(&args)?)
}

/// How many objects of each version are drawn, beside the full one and the smallest one.
const OBJECTS: usize = 40;

/// How many schemas are compiled that nobody but us made up.
const RANDOM_SCHEMAS: usize = 300;

/// The rows so far, and what failed.
struct Log {
    record: bool,
    /// Date and commit, as a row begins.
    head: String,
    rows: Vec<String>,
    failed: Vec<String>,
}

impl Log {
    fn new(record: bool) -> Outcome<Self> {
        let root = workspace::root();
        let mut git = Command::new("git");
        let commit = text(git.current_dir(&root).args(["rev-parse", "--short", "HEAD"]))?;
        let mut git = Command::new("git");
        let changes = text(git.current_dir(&root).args(["status", "--porcelain"]))?;
        let changed = if changes.is_empty() { "" } else { " and changes" };
        let date = text(Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
        let head = format!("| {date} | {commit}{changed} |");
        Ok(Self { record, head, rows: Vec::new(), failed: Vec::new() })
    }

    /// Runs one step, which says what it did. Only its row can fail.
    fn step(&mut self, name: &str, step: impl FnOnce(&mut String) -> Outcome<()>) -> Outcome<()> {
        let mut what = String::new();
        let (seconds, outcome) = step::measured(|| step(&mut what));
        if let Err(problem) = outcome {
            eprintln!("{name}: FAILED: {problem}");
            self.failed.push(name.to_owned());
            return Ok(());
        }
        let row = format!("{} {what} | {seconds:.0} s |", self.head);
        eprintln!("{row}");
        if self.record {
            let path = workspace::root().join("docs/long-runs.md");
            let file = OpenOptions::new().append(true).open(&path);
            file.and_then(|mut file| writeln!(file, "{row}"))
                .map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        self.rows.push(row);
        Ok(())
    }

    fn end(self) -> Outcome {
        eprintln!();
        for row in &self.rows {
            eprintln!("{row}");
        }
        if self.failed.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
        Err(format!("failed: {}", self.failed.join(", ")))
    }
}

fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(workspace::root()).args(args);
    // The same folder, also if it was given relative to another one.
    command.env("CARGO_TARGET_DIR", workspace::target()).env("CARGO_NET_RETRY", "10");
    command
}

/// Another one each second, told with what was drawn by it.
fn seed() -> Outcome<u64> {
    let seconds = text(Command::new("date").arg("+%s"))?;
    seconds.parse().map_err(|error| format!("the date is no number: {error}"))
}

fn text(command: &mut Command) -> Outcome<String> {
    Ok(String::from_utf8_lossy(&process::output(command)?).trim().to_owned())
}
