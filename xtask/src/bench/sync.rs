//! `cargo xtask bench sync`: informers that take in all pods of a server and then follow them.

use std::path::PathBuf;
use std::process::Command;

use super::page::{self, Chapter, at_least, at_most, median, ratio, table, times};
use super::plot::{Panel, Plot};
use super::talk::Talk;
use super::{SETS, build};
use crate::{Outcome, step};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Pods that the server has; some are measured with three times as many, too
    #[arg(long, default_value_t = PODS)]
    pods: usize,
    /// Changes that follow
    #[arg(long, default_value_t = CHANGES)]
    changes: usize,
    /// How often each client is measured
    #[arg(long, default_value_t = ROUNDS)]
    pub(super) rounds: usize,
}

impl Default for Args {
    fn default() -> Self {
        Self { pods: PODS, changes: CHANGES, rounds: ROUNDS }
    }
}

const PODS: usize = 50_000;
const CHANGES: usize = 10_000;
const ROUNDS: usize = 3;

/// A client, and beside which of ours it is set.
struct Row {
    program: usize,
    what: &'static str,
    label: &'static str,
    /// The row of ours that reads the same.
    beside: usize,
    /// How many times our CPU time it shall need: to take in all pods, and for each change.
    goals: Option<[f64; 2]>,
    /// Bytes that a pod may hold, in each set.
    holds: Option<[f64; 2]>,
}

const OURS: usize = 0;
const KUBE: usize = 1;
const GO: usize = 2;

const fn row(program: usize, what: &'static str, label: &'static str, beside: usize) -> Row {
    Row { program, what, label, beside, goals: None, holds: None }
}

/// A row of ours whose pods may hold so many bytes, in each set.
const fn holding(what: &'static str, label: &'static str, beside: usize, holds: [f64; 2]) -> Row {
    Row { holds: Some(holds), ..row(OURS, what, label, beside) }
}

/// Bytes of a whole pod.
const WHOLE: [f64; 2] = [3500.0, 5500.0];
/// Bytes of a projection.
const PROJECTED: [f64; 2] = [1700.0; 2];
/// Bytes of a packed pod.
const PACKED: [f64; 2] = [1000.0; 2];

const ROWS: &[Row] = &[
    holding("json", "ours, JSON", 0, WHOLE),
    holding("projection", "ours, JSON, a projection", 0, PROJECTED),
    holding("packed", "ours, JSON, packed", 0, PACKED),
    Row { goals: Some([7.0, 6.0]), ..row(KUBE, "streamed", "kube-rs", 0) },
    row(KUBE, "streamed-stripped", "kube-rs, without managedFields", 0),
    Row { goals: Some([40.0, 40.0]), ..row(GO, "json", "client-go, JSON", 0) },
    holding("protobuf", "ours, protobuf", 6, WHOLE),
    holding("protobuf-projection", "ours, protobuf, a projection", 6, PROJECTED),
    Row { goals: Some([12.0, 10.0]), ..row(GO, "protobuf", "client-go, protobuf", 6) },
    holding("paged", "ours, JSON, listed in pages", 9, WHOLE),
    row(KUBE, "paged", "kube-rs, listed in pages", 9),
    holding("protobuf-paged", "ours, protobuf, listed in pages", 11, WHOLE),
    row(GO, "protobuf-paged", "client-go, protobuf, listed in pages", 11),
];

/// The rows that are measured with three times as many pods, too: ours.
const THRICE: [usize; 3] = [0, 6, 2];
/// And those of others, once: a run of client-go in JSON alone takes a minute, and kube-rs holds 10 GB.
const OTHERS_THRICE: [usize; 3] = [3, 5, 8];
/// Bytes that a process with three times the usual pods may hold.
const THRICE_HOLDS: f64 = 500e6;

/// What a client said of one run: nanoseconds and bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) sync_wall: u64,
    pub(super) sync_cpu: u64,
    pub(super) peak: u64,
    pub(super) held: u64,
    /// What the process held at its start.
    pub(super) bare: u64,
    /// The peak of the memory while all pods came again.
    pub(super) relist_peak: u64,
    pub(super) changes_wall: u64,
    pub(super) changes_cpu: u64,
}

/// The runs of each row, for each set.
type Runs = Vec<[Vec<Run>; 2]>;

struct Seen {
    runs: Runs,
    /// Of each of [`THRICE`], with three times as many pods.
    thrice: Runs,
    /// Of each of [`OTHERS_THRICE`], once.
    others_thrice: Runs,
}

struct Programs {
    server: PathBuf,
    of: [PathBuf; 3],
}

pub(super) fn run(args: &Args) -> Outcome<()> {
    let programs = step::timed("built", build)?;
    let all: Vec<usize> = (0..ROWS.len()).collect();
    let runs =
        step::timed("measured in turn", || measure(&programs, args, args.pods, args.rounds, &all))?;
    let pods = 3 * args.pods;
    let thrice = step::timed("with three times the pods", || {
        measure(&programs, args, pods, args.rounds, &THRICE)
    })?;
    let others_thrice = step::timed("the others with as many", || {
        measure(&programs, args, pods, 1, &OTHERS_THRICE)
    })?;
    page::write(&chapter(args, &Seen { runs, thrice, others_thrice }))
}

fn build() -> Outcome<Programs> {
    let (server, ours) = (build::rust("server")?, build::rust("cache")?);
    let of = [ours.join("bench-cache"), build::rust("kube-rs")?.join("sync"), build::go()?];
    Ok(Programs { server: server.join("bench-server"), of })
}

/// Some of the clients against the same server, in turn.
fn measure(
    programs: &Programs,
    args: &Args,
    pods: usize,
    rounds: usize,
    rows: &[usize],
) -> Outcome<Runs> {
    let mut runs = vec![[Vec::new(), Vec::new()]; rows.len()];
    let numbers = [pods.to_string(), args.changes.to_string()];
    for (set, name) in SETS.iter().enumerate() {
        let mut command = Command::new(&programs.server);
        command.arg(name).args(&numbers);
        let mut server = Talk::start(command)?;
        let address = server.hear()?;
        let (url, last) = address.split_once(' ').ok_or("the server has no address")?;
        for round in 1..=rounds {
            let what = format!("{name}, round {round} of {rounds}");
            step::timed(&what, || {
                for (row, runs) in rows.iter().zip(&mut runs) {
                    let Row { program, what, .. } = ROWS[*row];
                    let mut command = build::command(&programs.of[program]);
                    if program == GO {
                        command.arg("sync");
                    }
                    command.arg(url).args(&numbers).args([last, what]);
                    runs[set].push(one(command, &mut server)?);
                }
                Ok(())
            })?;
        }
    }
    Ok(runs)
}

/// A client from its start to the last change.
fn one(client: Command, server: &mut Talk) -> Outcome<Run> {
    let mut client = Talk::start(client)?;
    let [sync_wall, sync_cpu, peak, held, bare] = client.hear_numbers()?;
    // Once the present state, and after the end of the watch once more.
    server.hear()?;
    server.say("expire")?;
    server.hear()?;
    client.say("relisted")?;
    let [relist_peak] = client.hear_numbers()?;
    server.say("changes")?;
    let [changes_wall, changes_cpu] = client.hear_numbers()?;
    Ok(Run { sync_wall, sync_cpu, peak, held, bare, relist_peak, changes_wall, changes_cpu })
}

/// A figure of a run.
type Figure = fn(&Run) -> u64;

/// The median ratio to ours in the same round.
fn beside(runs: &Runs, row: usize, set: usize, figure: Figure) -> f64 {
    let ours = &runs[ROWS[row].beside][set];
    ratio(runs[row][set].iter().map(figure), ours.iter().map(figure))
}

/// How many megabytes the peak of the sync is over what is held a second later.
fn over_steady(run: &Run) -> f64 {
    (run.peak as f64 - (run.bare + run.held) as f64) / 1e6
}

/// The peak while all pods came again, beside what was held before.
fn relisted(run: &Run) -> f64 {
    run.relist_peak as f64 / (run.bare + run.held) as f64
}

/// The median of a figure, divided.
fn middle(runs: &Runs, row: usize, set: usize, figure: Figure, by: f64) -> f64 {
    median(runs[row][set].iter().map(|run| figure(run) as f64 / by))
}

/// How many times as long three times the pods took, a third of it: the median of the same rounds.
fn thrice_as_long(thrice: &[Run], once: &[Run]) -> f64 {
    let cpu = |runs: &[Run]| runs.iter().map(|run| run.sync_cpu).collect::<Vec<_>>();
    ratio(cpu(thrice), cpu(once).iter().map(|cpu| 3 * cpu))
}

fn chapter(args: &Args, seen: &Seen) -> Chapter<'static> {
    let runs = &seen.runs;
    let Args { pods, changes, rounds } = args;
    let mut text = format!(
        "A server process has {pods} pods ready, the same as above, and sends them as a watch that\n\
         begins with the present state; it ends that watch with a 410 and sends them once more; then it\n\
         sends {changes} changes of pods in no order, as fast as they are read. Loopback, HTTP/1.1, no TLS, no compression. Each client is a process of its\n\
         own with one thread (Go: `GOMAXPROCS=1`), an informer or reflector with its store and one\n\
         handler that counts. {rounds} rounds in which the clients take turns; medians. The ratios are to\n\
         ours with the same codec in the same round: of CPU time until every pod is in the store and\n\
         told, of resident memory a second later (less that at the start; nobody gives memory back\n\
         by a call of its own), and of CPU time for a change. *Over steady* is how many MB the peak of the\n\
         sync is over what is held later, *relist* the peak while all came again beside what was held\n\
         before. client-go drops managedFields by a\n\
         transform, kube-rs where the row says so, ours when decoding. Where it says pages, the present\n\
         state comes as lists of 500 pods instead, as from a server that knows no better.\n"
    );
    for (set, name) in SETS.iter().enumerate() {
        text.push_str(&format!("\n**{name}**\n\n{}", set_table(args, runs, set)));
    }
    text.push_str(&format!(
        "\n**Three times as many**\n\nThe same with {} pods: the CPU time beside three times that of\n\
         {pods} in the same round. Those of others are measured once, since they take and hold so much, and\n\
         have no goals.\n\n{}",
        3 * pods,
        thrice_table(seen)
    ));
    let panel = |title, figure: Figure| Panel {
        title,
        rows: (0..ROWS.len())
            .map(|row| {
                (ROWS[row].label.to_owned(), [0, 1].map(|set| beside(runs, row, set, figure)))
            })
            .collect(),
    };
    let panels = vec![
        panel("CPU time of the sync, beside ours with the same codec", |run| run.sync_cpu),
        panel("Resident memory a second later, beside ours", |run| run.held),
        panel("CPU time a change, beside ours", |run| run.changes_cpu),
    ];
    let usual = (*pods, *changes, *rounds) == (PODS, CHANGES, ROUNDS);
    let said = format!(" --pods {pods} --changes {changes} --rounds {rounds}");
    Chapter {
        name: "sync",
        page: page::MAIN,
        title: "Informers",
        args: if usual { String::new() } else { said },
        text,
        plot: Plot { title: "Informers beside ours", legend: SETS, panels },
    }
}

/// Ratios, each followed by what it is made of.
const HEAD: &[&str] = &[
    "client",
    "sync, × ours",
    "CPU µs a pod",
    "wall s",
    "held, × ours",
    "bytes a pod",
    "peak MB",
    "over steady",
    "relist, × steady",
    "change, × ours",
    "CPU µs",
    "changes a second",
    "goals (sync; change, or ours: bytes a pod; MB over steady; relist)",
];

fn set_table(args: &Args, runs: &Runs, set: usize) -> String {
    let row = |row: usize| {
        let figure = |figure: Figure, by: f64| middle(runs, row, set, figure, by);
        let (pods, changes) = (args.pods as f64, args.changes as f64);
        let to_ours: [f64; 3] =
            [|run: &Run| run.sync_cpu, |run: &Run| run.held, |run: &Run| run.changes_cpu]
                .map(|figure: Figure| beside(runs, row, set, figure));
        let [sync, held, change] = to_ours;
        let of_peaks = [over_steady, relisted]
            .map(|of: fn(&Run) -> f64| median(runs[row][set].iter().map(of)));
        let bytes = figure(|run| run.held, pods);
        let goals = match (ROWS[row].goals, ROWS[row].holds) {
            (Some([of_sync, of_change]), _) => {
                vec![at_least(of_sync, sync), at_least(of_change, change)]
            }
            (None, Some(of_bytes)) => {
                let [over, relist] = of_peaks;
                vec![at_most(of_bytes[set], bytes), at_most(16.0, over), at_most(1.1, relist)]
            }
            (None, None) => Vec::new(),
        };
        vec![
            ROWS[row].label.to_owned(),
            times(sync),
            format!("{:.1}", figure(|run| run.sync_cpu, 1e3 * pods)),
            format!("{:.2}", figure(|run| run.sync_wall, 1e9)),
            times(held),
            format!("{bytes:.0}"),
            format!("{:.0}", figure(|run| run.peak, 1e6)),
            format!("{:.1}", of_peaks[0]),
            times(of_peaks[1]),
            times(change),
            format!("{:.1}", figure(|run| run.changes_cpu, 1e3 * changes)),
            format!("{:.0}", changes / figure(|run| run.changes_wall, 1e9)),
            goals.join("; "),
        ]
    };
    let rows: Vec<_> = (0..ROWS.len()).map(row).collect();
    table(HEAD, &rows)
}

fn thrice_table(seen: &Seen) -> String {
    let ours = THRICE.iter().zip(&seen.thrice);
    let others = OTHERS_THRICE.iter().zip(&seen.others_thrice);
    let both = || ours.clone().chain(others.clone());
    let rows: Vec<_> = SETS
        .iter()
        .enumerate()
        .flat_map(|(set, name)| {
            both().map(move |(row, runs)| thrice_row(*row, name, &runs[set], &seen.runs[*row][set]))
        })
        .collect();
    let head = [
        "client",
        "sync, × three times",
        "wall s",
        "peak MB",
        "MB at the relist",
        "relist, × steady",
        "goals (sync; peak MB)",
    ];
    table(&head, &rows)
}

/// A row with three times the pods, beside the runs of the same client with the usual ones.
fn thrice_row(row: usize, set: &str, thrice: &[Run], once: &[Run]) -> Vec<String> {
    let figure = |figure: Figure, by: f64| median(thrice.iter().map(|run| figure(run) as f64 / by));
    let (longer, peak) = (thrice_as_long(thrice, once), figure(|run| run.peak, 1e6));
    let is_ours = ROWS[row].program == OURS;
    let goals = || format!("{}; {}", at_most(1.0, longer), at_most(THRICE_HOLDS / 1e6, peak));
    vec![
        format!("{}, {set}", ROWS[row].label),
        times(longer),
        format!("{:.2}", figure(|run| run.sync_wall, 1e9)),
        format!("{peak:.0}"),
        format!("{:.0}", figure(|run| run.relist_peak, 1e6)),
        times(median(thrice.iter().map(relisted))),
        if is_ours { goals() } else { String::new() },
    ]
}

#[cfg(test)]
mod tests;
