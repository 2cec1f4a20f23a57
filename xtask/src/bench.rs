//! `cargo xtask bench`: our figures beside others', in runs that take turns.

use clap::Subcommand;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};

use crate::{Outcome, go, process, step, workspace};

mod report;
#[cfg(test)]
mod tests;

/// The arguments of `cargo xtask bench`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Pods decoded and encoded, by us, k8s-openapi and client-go; writes docs/benchmarks.md
    Decode(Decode),
}

#[derive(Debug, clap::Args)]
struct Decode {
    /// Pods of a set that are decoded in turn
    #[arg(long, default_value_t = 2_000)]
    count: usize,
    /// Pods that are kept, to see what one holds
    #[arg(long, default_value_t = 8_000)]
    kept: usize,
    /// How often each is measured
    #[arg(long, default_value_t = 9)]
    rounds: usize,
}

/// Builds, measures, and writes what was seen.
///
/// # Errors
/// When a program cannot be built, or decodes otherwise than asked.
pub(crate) fn run(args: &Args) -> Outcome {
    let What::Decode(args) = &args.what;
    let folder = workspace::target().join("bench");
    let data = folder.join("data");
    std::fs::create_dir_all(&data).map_err(|e| format!("{}: {e}", data.display()))?;
    let programs = step::timed("built", || build(&folder))?;
    let written = args.count.max(args.kept).to_string();
    process::succeed(Command::new(&programs.pods).arg(&data).arg(written))?;
    let count = args.count.to_string();
    step::timed("our protobuf compared with Go's", || {
        process::succeed(Command::new(&programs.of[GO]).arg(&data).args([&count, "check"]))
    })?;
    let mut seen = Vec::new();
    step::timed("measured in turn", || measure(&programs, &data, args, &mut seen))?;
    step::timed("kept", || keep(&programs, &data, args, &mut seen))?;
    report::write(&seen, args.count, args.rounds)?;
    Ok(ExitCode::SUCCESS)
}

const OURS: usize = 0;
const KUBE: usize = 1;
const GO: usize = 2;

/// What is measured: by which program, its word for it, ours, and the goal as a ratio to the floor.
const ROWS: &[(usize, &str, &str, Option<f64>)] = &[
    (OURS, "floor", "`serde_json` skips it: the floor", None),
    (OURS, "json", "ours, JSON", Some(1.2)),
    (OURS, "protobuf", "ours, protobuf", Some(0.5)),
    (OURS, "projection", "ours, JSON, a projection", Some(0.9)),
    (OURS, "metadata", "ours, JSON, metadata only", Some(0.6)),
    (OURS, "encode", "ours, encoded as JSON", Some(0.8)),
    (OURS, "protobuf-encode", "ours, encoded as protobuf", None),
    (KUBE, "json", "k8s-openapi (kube-rs), JSON", None),
    (GO, "json", "client-go, JSON", None),
    (GO, "protobuf", "client-go, protobuf", None),
];

/// What is kept: as above, and the goals in bytes for each set.
const KEPT: &[(usize, &str, &str, [Option<u64>; 2])] = &[
    (OURS, "json", "ours, JSON", [Some(3_500), Some(5_500)]),
    (OURS, "protobuf", "ours, protobuf", [Some(3_500), Some(5_500)]),
    (OURS, "projection", "ours, a projection", [Some(1_700), None]),
    (OURS, "metadata", "ours, metadata only", [None, None]),
    (KUBE, "json", "k8s-openapi (kube-rs)", [None, None]),
    (KUBE, "stripped", "k8s-openapi (kube-rs), without managedFields", [None, None]),
    (GO, "json", "client-go, without managedFields", [None, None]),
];

const SETS: [&str; 2] = ["alike", "unlike"];

/// What came of one row for one set.
enum Seen {
    /// Nanoseconds of CPU a pod, a round each.
    Time { row: usize, set: usize, rounds: Vec<u64> },
    /// Bytes of the heap (zero: not told) and of resident memory a pod.
    Memory { row: usize, set: usize, heap: u64, resident: u64 },
}

struct Programs {
    pods: PathBuf,
    of: [PathBuf; 3],
}

fn build(folder: &Path) -> Outcome<Programs> {
    let bench = workspace::root().join("bench");
    let mut of = Vec::new();
    for (name, program) in [("decode", "decode"), ("kube-rs", "bench-kube-rs")] {
        let target = folder.join(name);
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--release", "--locked"]).current_dir(bench.join(name));
        process::succeed(cargo.env("CARGO_TARGET_DIR", &target))?;
        of.push(target.join("release").join(program));
    }
    let go_program = folder.join("go-bench");
    let module = bench.join("go");
    go::download(&module)?;
    process::succeed(go::build(&module).arg("-o").arg(&go_program).arg("."))?;
    let [ours, kube]: [PathBuf; 2] = of.try_into().map_err(|_| "two programs".to_owned())?;
    Ok(Programs { pods: ours.with_file_name("pods"), of: [ours, kube, go_program] })
}

/// A program that answers line by line; stopped when it is dropped.
struct Asked {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Asked {
    fn start(program: &Path, data: &Path, count: usize) -> Outcome<Self> {
        let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", program.display());
        let mut command = Command::new(program);
        command.arg(data).arg(count.to_string());
        // Go would use the other core to collect: each has one.
        command.env("GOMAXPROCS", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| failed(&e))?;
        let answers = child.stdout.take().ok_or_else(|| failed(&"no output"))?;
        Ok(Self { child, answers: BufReader::new(answers) })
    }

    /// The second number of the answer: CPU nanoseconds a pod.
    fn ask(&mut self, set: &str, what: &str) -> Outcome<u64> {
        let mut line = String::new();
        let asked = self.child.stdin.as_mut().map(|input| writeln!(input, "{set} {what}"));
        let heard = self.answers.read_line(&mut line);
        let nanoseconds = numbers(&line).map(|[_, cpu]| cpu);
        match (asked, heard, nanoseconds) {
            (Some(Ok(())), Ok(_), Some(nanoseconds)) => Ok(nanoseconds),
            _ => Err(format!("{set} {what} was answered by {line:?}")),
        }
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn numbers(line: &str) -> Option<[u64; 2]> {
    let (first, second) = line.trim().split_once(' ')?;
    Some([first.parse().ok()?, second.parse().ok()?])
}

/// Each row for each set, in turn, so that what else the machine does falls on all.
fn measure(programs: &Programs, data: &Path, args: &Decode, seen: &mut Vec<Seen>) -> Outcome<()> {
    let mut asked = Vec::new();
    for program in &programs.of {
        asked.push(Asked::start(program, data, args.count)?);
    }
    let mut rounds = vec![[Vec::new(), Vec::new()]; ROWS.len()];
    // The first round warms up.
    for round in 0..=args.rounds {
        for (row, (program, what, ..)) in ROWS.iter().enumerate() {
            for (set, name) in SETS.iter().enumerate() {
                let nanoseconds = asked[*program].ask(name, what)?;
                if round > 0 {
                    rounds[row][set].push(nanoseconds);
                }
            }
        }
    }
    for (row, sets) in rounds.into_iter().enumerate() {
        for (set, rounds) in sets.into_iter().enumerate() {
            seen.push(Seen::Time { row, set, rounds });
        }
    }
    Ok(())
}

/// Each row for each set in a process of its own.
fn keep(programs: &Programs, data: &Path, args: &Decode, seen: &mut Vec<Seen>) -> Outcome<()> {
    for (row, (program, what, ..)) in KEPT.iter().enumerate() {
        for (set, name) in SETS.iter().enumerate() {
            let mut command = Command::new(&programs.of[*program]);
            command.arg(data).args([&args.kept.to_string(), *name, what]);
            let output = command.output().map_err(|e| format!("{name} {what}: {e}"))?;
            let text = String::from_utf8_lossy(&output.stdout);
            let [heap, resident] =
                numbers(&text).ok_or_else(|| format!("{name} {what} was answered by {text:?}"))?;
            seen.push(Seen::Memory { row, set, heap, resident });
        }
    }
    Ok(())
}
