//! `cargo xtask bench decode`: how long a pod takes to read and write, and what a kept one holds.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::page::{self, Chapter, at_most, median, ratio, table, times};
use super::plot::{Panel, Plot};
use super::talk::{Talk, numbers};
use super::{SETS, build};
use crate::{Outcome, process, step};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Pods of a set that are decoded in turn
    #[arg(long, default_value_t = COUNT)]
    count: usize,
    /// Pods that are kept, to see what one holds
    #[arg(long, default_value_t = KEPT_PODS)]
    kept: usize,
    /// How often each is measured
    #[arg(long, default_value_t = ROUNDS)]
    pub(super) rounds: usize,
}

impl Default for Args {
    fn default() -> Self {
        Self { count: COUNT, kept: KEPT_PODS, rounds: ROUNDS }
    }
}

const COUNT: usize = 2_000;
const KEPT_PODS: usize = 8_000;
const ROUNDS: usize = 9;

const OURS: usize = 0;
const KUBE: usize = 1;
const GO: usize = 2;
/// Ours, with a cache.
const CACHE: usize = 3;

/// What is measured: by which program, its word for it, ours, and the goal as a ratio to the floor.
type Row = (usize, &'static str, &'static str, Option<f64>);
/// What is kept: as above, and the goals in bytes for each set.
type KeptRow = (usize, &'static str, &'static str, [Option<u64>; 2]);

const ROWS: &[Row] = &[
    (OURS, "floor", "`serde_json` skips it: the floor", None),
    (OURS, "json", "ours, JSON", Some(1.2)),
    (OURS, "protobuf", "ours, protobuf", Some(0.5)),
    (OURS, "projection", "ours, JSON, a projection", Some(0.9)),
    (OURS, "metadata", "ours, JSON, metadata only", Some(0.6)),
    (OURS, "encode", "ours, encoded as JSON", Some(0.8)),
    (OURS, "protobuf-encode", "ours, encoded as protobuf", Some(0.8)),
    (KUBE, "json", "k8s-openapi (kube-rs), JSON", None),
    (GO, "json", "client-go, JSON", None),
    (GO, "protobuf", "client-go, protobuf", None),
];

const KEPT: &[KeptRow] = &[
    (OURS, "json", "ours, JSON", [Some(3_500), Some(5_500)]),
    (OURS, "protobuf", "ours, protobuf", [Some(3_500), Some(5_500)]),
    (OURS, "projection", "ours, a projection", [Some(1_700), None]),
    (OURS, "metadata", "ours, metadata only", [None, None]),
    (CACHE, "packed", "ours, packed in a store", [Some(1_000), Some(1_000)]),
    (KUBE, "json", "k8s-openapi (kube-rs)", [None, None]),
    (KUBE, "stripped", "k8s-openapi, without managedFields", [None, None]),
    (GO, "json", "client-go, without managedFields", [None, None]),
];

/// CPU nanoseconds a pod: of each row, for each set, in each round.
type Times = Vec<[Vec<u64>; 2]>;
/// Bytes a pod of the heap (zero: not told) and of resident memory: of each row, for each set.
type Kept = Vec<[[u64; 2]; 2]>;

struct Programs {
    pods: PathBuf,
    of: [PathBuf; 4],
}

pub(super) fn run(args: &Args) -> Outcome<()> {
    let data = build::folder().join("data");
    std::fs::create_dir_all(&data).map_err(|e| format!("{}: {e}", data.display()))?;
    let programs = step::timed("built", build)?;
    let written = args.count.max(args.kept).to_string();
    process::succeed(Command::new(&programs.pods).arg(&data).arg(written))?;
    let count = args.count.to_string();
    step::timed("our protobuf compared with Go's", || {
        process::succeed(Command::new(&programs.of[GO]).arg(&data).args([&count, "check"]))
    })?;
    let times = step::timed("measured in turn", || measure(&programs, &data, args))?;
    let kept = step::timed("kept", || keep(&programs, &data, args))?;
    page::write(&chapter(args, &times, &kept))
}

fn build() -> Outcome<Programs> {
    let (ours, kube, go) = (build::rust("decode")?, build::rust("kube-rs")?, build::go()?);
    let packed = build::rust("cache")?.join("bench-packed");
    let of = [ours.join("decode"), kube.join("decode"), go, packed];
    Ok(Programs { pods: ours.join("pods"), of })
}

/// Each row for each set, in turn, so that what else the machine does falls on all.
fn measure(programs: &Programs, data: &Path, args: &Args) -> Outcome<Times> {
    let mut asked = Vec::new();
    for program in &programs.of[..CACHE] {
        let mut command = build::command(program);
        command.arg(data).arg(args.count.to_string());
        asked.push(Talk::start(command)?);
    }
    let mut times = vec![[Vec::new(), Vec::new()]; ROWS.len()];
    // The first round warms up.
    for round in 0..=args.rounds {
        for (row, (program, what, ..)) in ROWS.iter().enumerate() {
            for (set, name) in SETS.iter().enumerate() {
                let program = &mut asked[*program];
                program.say(&format!("{name} {what}"))?;
                let [_wall, cpu] = program.hear_numbers()?;
                if round > 0 {
                    times[row][set].push(cpu);
                }
            }
        }
    }
    Ok(times)
}

/// Each row for each set in a process of its own.
fn keep(programs: &Programs, data: &Path, args: &Args) -> Outcome<Kept> {
    let mut kept = vec![[[0; 2]; 2]; KEPT.len()];
    for (row, (program, what, ..)) in KEPT.iter().enumerate() {
        for (set, name) in SETS.iter().enumerate() {
            let mut command = build::command(&programs.of[*program]);
            command.arg(data).args([&args.kept.to_string(), *name, what]);
            let text = process::output(&mut command)?;
            let text = String::from_utf8_lossy(&text);
            kept[row][set] =
                numbers(&text).ok_or_else(|| format!("{name} {what} was answered by {text:?}"))?;
        }
    }
    Ok(kept)
}

/// The ratio to the floor.
fn to_floor(times: &Times, row: usize, set: usize) -> f64 {
    ratio(times[row][set].iter().copied(), times[0][set].iter().copied())
}

fn chapter(args: &Args, times: &Times, kept: &Kept) -> Chapter<'static> {
    let Args { count, kept: kept_pods, rounds } = args;
    let text = format!(
        "Pods of 9.0 KB of JSON on average (8 to 12), 3.4 KB of it managedFields, which ours leave out: *alike* are\n\
         eight replicas of a workload one after another, as a server lists them; *unlike* have a\n\
         workload each. {count} pods of a set are decoded in turn; each program has a process, and they\n\
         take turns for {rounds} rounds. CPU time, medians. What counts is the ratio to the floor of the\n\
         same round: `serde_json` passing over the same text. A goal that is missed says so. Nothing is\n\
         kept meanwhile, so Go's collector has little to do: what it costs where pods are kept is in the\n\
         chapter on informers.\n\n{}\n\
         What a kept pod holds, each in a process of its own; the pages of the decoder's tables are in\n\
         it. Bytes of the heap are those asked for (of Go: in use after two collections). A packed one is in\n\
         a store with its key and its place, and zstd's dictionary, which is C, is among what is resident.\n\n{}",
        times_table(times),
        kept_table(kept)
    );
    let bar =
        |row: usize, label: &str| (label.to_owned(), [0, 1].map(|set| to_floor(times, row, set)));
    let rows = ROWS.iter().enumerate().map(|(row, (.., label, _))| bar(row, label)).collect();
    let resident = KEPT.iter().zip(kept).map(|((.., label, _), kept)| {
        ((*label).to_owned(), kept.map(|[_, resident]| resident as f64 / 1000.0))
    });
    let panels = vec![
        Panel { title: "CPU time a pod, as a ratio to the floor", rows },
        Panel { title: "Resident memory a kept pod, KB", rows: resident.collect() },
    ];
    let usual = (*count, *kept_pods, *rounds) == (COUNT, KEPT_PODS, ROUNDS);
    let said = format!(" --count {count} --kept {kept_pods} --rounds {rounds}");
    Chapter {
        name: "decode",
        page: page::MAIN,
        title: "Codecs",
        args: if usual { String::new() } else { said },
        text,
        plot: Plot { title: "Pods, decoded and kept", legend: SETS, panels },
    }
}

fn times_table(times: &Times) -> String {
    let row = |(row, (.., label, goal)): (usize, &Row)| {
        let mut cells = vec![(*label).to_owned()];
        for set in [0, 1] {
            let micros = median(times[row][set].iter().map(|time| *time as f64 / 1e3));
            cells.extend([times_of(times, row, set), format!("{micros:.1}")]);
        }
        let ratio = to_floor(times, row, 0);
        cells.push(goal.map_or(String::new(), |goal| at_most(goal, ratio)));
        cells
    };
    let rows: Vec<_> = ROWS.iter().enumerate().map(row).collect();
    table(&["what", "alike, × floor", "µs", "unlike, × floor", "µs", "goal (alike)"], &rows)
}

fn times_of(all: &Times, row: usize, set: usize) -> String {
    times(to_floor(all, row, set))
}

fn kept_table(kept: &Kept) -> String {
    let row = |((.., label, goals), kept): (&KeptRow, &[[u64; 2]; 2])| {
        let shown = |bytes: u64| if bytes == 0 { "–".to_owned() } else { bytes.to_string() };
        let mut cells = vec![(*label).to_owned()];
        cells.extend(kept.as_flattened().iter().map(|bytes| shown(*bytes)));
        let goals = goals
            .iter()
            .zip(kept)
            .filter_map(|(goal, [heap, _])| Some(at_most((*goal)? as f64, *heap as f64)));
        cells.push(goals.collect::<Vec<_>>().join("; "));
        cells
    };
    let rows: Vec<_> = KEPT.iter().zip(kept).map(row).collect();
    let head = ["what", "alike, heap", "resident", "unlike, heap", "resident", "goals (heap)"];
    table(&head, &rows)
}

#[cfg(test)]
mod tests;
