//! `cargo xtask bench controllers`: controllers that do nothing, as fast as they can, and how long after a change.

use std::path::{Path, PathBuf};

use super::build;
use super::page::{self, Chapter, at_least, at_most, median, ratio, table, times};
use super::plot::{Panel, Plot};
use super::talk::Talk;
use crate::{Outcome, step};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How many config maps the server has
    #[arg(long, default_value_t = MAPS)]
    maps: u64,
    /// How many of them change one by one
    #[arg(long, default_value_t = CHANGES)]
    changes: u64,
    /// How many microseconds pass between two of those
    #[arg(long, default_value_t = PACE)]
    pace: u64,
    /// How often each controller is measured
    #[arg(long, default_value_t = ROUNDS)]
    rounds: usize,
}

const MAPS: u64 = 23_000;
const CHANGES: u64 = 3000;
const PACE: u64 = 2000;
const ROUNDS: usize = 5;

const OURS: usize = 0;
const KUBE: usize = 1;
const RUNTIME: usize = 2;

/// A controller, and how it is asked.
struct Row {
    program: usize,
    codec: &'static str,
    /// As many threads.
    workers: usize,
    label: &'static str,
    /// The row of ours that it stands beside.
    beside: usize,
}

const fn row(
    program: usize,
    codec: &'static str,
    workers: usize,
    label: &'static str,
    beside: usize,
) -> Row {
    Row { program, codec, workers, label, beside }
}

const ROWS: &[Row] = &[
    row(OURS, "json", 1, "ours, JSON", 0),
    row(OURS, "protobuf", 1, "ours, protobuf", 1),
    row(KUBE, "json", 1, "kube-rs, JSON", 0),
    row(RUNTIME, "json", 1, "controller-runtime, JSON", 0),
    row(RUNTIME, "protobuf", 1, "controller-runtime, protobuf", 1),
    row(OURS, "json", 2, "ours, JSON, two workers", 5),
    row(KUBE, "json", 2, "kube-rs, JSON, two workers", 5),
    row(RUNTIME, "json", 2, "controller-runtime, JSON, two workers", 5),
];

/// How many times as fast ours shall be.
const FASTER: f64 = 5.0;
/// Microseconds from the server's writing of a change to its reconcile, of 99 %, less those to its reading.
const LATENCY: f64 = 20.0;

/// What a process has answered: nanoseconds.
#[derive(Debug)]
struct Run {
    initial_wall: u64,
    initial_cpu: u64,
    burst_wall: u64,
    burst_cpu: u64,
    /// The median, of 99 %, and the most.
    latency: [u64; 3],
}

/// What was seen of each round.
#[derive(Debug)]
struct Seen {
    /// The runs of each row.
    of: Vec<Vec<Run>>,
    /// Latencies of the bare reader.
    bare: Vec<[u64; 3]>,
}

type Figure = fn(&Run) -> u64;

struct Programs {
    server: PathBuf,
    of: [PathBuf; 3],
    bare: PathBuf,
}

pub(super) fn run(args: &Args) -> Outcome<()> {
    let programs = step::timed("built", build)?;
    let mut seen = Seen { of: ROWS.iter().map(|_| Vec::new()).collect(), bare: Vec::new() };
    // The first round warms up.
    for round in 0..=args.rounds {
        step::timed(&format!("round {round} of {}", args.rounds), || {
            for (row, runs) in ROWS.iter().zip(&mut seen.of) {
                let run = one(&programs, row, args).map_err(|e| format!("{}: {e}", row.label))?;
                if round > 0 {
                    runs.push(run);
                }
            }
            let latency = bare(&programs, args).map_err(|e| format!("{BARE}: {e}"))?;
            if round > 0 {
                seen.bare.push(latency);
            }
            Ok(())
        })?;
    }
    page::write(&chapter(args, &seen))
}

fn build() -> Outcome<Programs> {
    let server = build::rust("server")?.join("bench-maps");
    let (ours, kube) = (build::rust("controller")?, build::rust("kube-rs")?);
    let of = [ours.join("bench-controller"), kube.join("controller"), build::go()?];
    Ok(Programs { server, of, bare: ours.join("bare") })
}

fn serve(programs: &Programs, args: &Args) -> Outcome<(Talk, String)> {
    let mut server = build::command(&programs.server);
    server.args([args.maps, args.changes, args.pace].map(|number| number.to_string()));
    let mut server = Talk::start(server)?;
    let url = server.hear()?;
    Ok((server, url))
}

/// A controller from its start to the last change, with a server of its own.
fn one(programs: &Programs, row: &Row, args: &Args) -> Outcome<Run> {
    let (mut server, url) = serve(programs, args)?;
    let mut controller = Talk::start(command(&programs.of[row.program], row, &url, args))?;
    let [initial_wall, initial_cpu] = controller.hear_numbers()?;
    server.say("burst")?;
    let [burst_wall, burst_cpu] = controller.hear_numbers()?;
    server.say("paced")?;
    let latency = controller.hear_numbers()?;
    Ok(Run { initial_wall, initial_cpu, burst_wall, burst_cpu, latency })
}

/// What reads the socket and does nothing else, from its start to the last change.
fn bare(programs: &Programs, args: &Args) -> Outcome<[u64; 3]> {
    let (mut server, url) = serve(programs, args)?;
    let mut reader = build::command(&programs.bare);
    reader.arg(url).arg(args.changes.to_string());
    let mut reader = Talk::start(reader)?;
    // It has the present state.
    reader.hear()?;
    server.say("paced")?;
    reader.hear_numbers()
}

fn command(program: &Path, row: &Row, url: &str, args: &Args) -> std::process::Command {
    let mut command = build::command(program);
    if row.program == RUNTIME {
        command.arg("controller");
    }
    let numbers = [args.maps, args.changes, row.workers as u64].map(|number| number.to_string());
    command.arg(url).args(numbers).arg(row.codec);
    command.env("GOMAXPROCS", row.workers.to_string());
    command
}

fn middle(runs: &[Run], figure: Figure) -> f64 {
    median(runs.iter().map(|run| figure(run) as f64))
}

/// How many times as much time as ours: the median of the ratios in the same round.
fn beside(seen: &Seen, row: usize, figure: Figure) -> f64 {
    ratio(seen.of[row].iter().map(figure), seen.of[ROWS[row].beside].iter().map(figure))
}

fn chapter(args: &Args, seen: &Seen) -> Chapter<'static> {
    let Args { maps, changes, pace, rounds } = args;
    let text = format!(
        "A server has {maps} small config maps. A controller, in a process of its own, follows them and \
         looks at its copy of each, which is all that its reconcile does. *At first*: the reconciles of what \
         is there, from the first to the last, in thousands a second; by then all is in the copy. *All \
         change*: the server sends a change of each as fast as it is read, so decoding is in it. *One by one*: \
         {changes} changes, one each {pace} µs; microseconds from the server's writing of the frame \
         to the socket to the reconcile, so a turn of the kernel and of the runtime are in it. A bare reader blocks \
         until it has read the same frames, and finds their times: sooner nobody is. Loopback, HTTP/1.1. One worker and one thread (Go: `GOMAXPROCS=1`), or two of both. {rounds} rounds in which \
         the controllers take turns, medians; the ratios are those of the time that passes, and of the latency \
         of 99 %, to ours with the same codec and as many workers in the same round.\n\n{}",
        rates(args, seen)
    );
    let usual = (*maps, *changes, *pace, *rounds) == (MAPS, CHANGES, PACE, ROUNDS);
    let paced = if *pace == PACE { String::new() } else { format!(" --pace {pace}") };
    let said = format!(" --maps {maps} --changes {changes}{paced} --rounds {rounds}");
    Chapter {
        name: "controllers",
        page: "benchmarks-controllers.md",
        title: "Controllers",
        args: if usual { String::new() } else { said },
        text: format!("{text}\n{}", goals(seen)),
        plot: plot(seen),
    }
}

const HEAD: &[&str] = &[
    "controller",
    "at first, 1000/s",
    "× ours",
    "CPU µs each",
    "all change, 1000/s",
    "× ours",
    "CPU µs each",
    "one by one, µs",
    "99 %",
    "most",
    "99 %, × ours",
];

fn rates(args: &Args, seen: &Seen) -> String {
    let maps = args.maps as f64;
    let row = |row: usize| {
        let runs = &seen.of[row];
        let thousands = |figure: Figure| maps / middle(runs, figure) * 1e6;
        let each = |figure: Figure| middle(runs, figure) / maps / 1e3;
        let micros = |figure: Figure| format!("{:.0}", middle(runs, figure) / 1e3);
        vec![
            ROWS[row].label.to_owned(),
            format!("{:.0}", thousands(|run| run.initial_wall)),
            times(beside(seen, row, |run| run.initial_wall)),
            format!("{:.2}", each(|run| run.initial_cpu)),
            format!("{:.0}", thousands(|run| run.burst_wall)),
            times(beside(seen, row, |run| run.burst_wall)),
            format!("{:.2}", each(|run| run.burst_cpu)),
            micros(|run| run.latency[0]),
            micros(|run| run.latency[1]),
            micros(|run| run.latency[2]),
            times(beside(seen, row, |run| run.latency[1])),
        ]
    };
    table(HEAD, &(0..ROWS.len()).map(row).chain([bare_row(seen)]).collect::<Vec<_>>())
}

const BARE: &str = "a bare reader";

fn bare_row(seen: &Seen) -> Vec<String> {
    let none = std::iter::repeat_n("–".to_owned(), 6);
    let micros = [0, 1, 2].map(|of| format!("{:.0}", bare_middle(seen, of) / 1e3));
    let ours = seen.of[OURS].iter().map(|run| run.latency[1]);
    let times = times(ratio(seen.bare.iter().map(|latency| latency[1]), ours));
    [BARE.to_owned()].into_iter().chain(none).chain(micros).chain([times]).collect()
}

/// Of the bare reader: the median, of 99 %, or the most.
fn bare_middle(seen: &Seen, of: usize) -> f64 {
    median(seen.bare.iter().map(|latency| latency[of] as f64))
}

/// The rows of others with one worker in JSON, which all of them speak.
const RIVALS: [(usize, &str); 2] = [(2, "kube-rs"), (3, "controller-runtime")];

fn goals(seen: &Seen) -> String {
    let faster = |(row, name): (usize, &str)| {
        let found = beside(seen, row, |run| run.initial_wall);
        vec![
            format!("reconciles of what is there, × {name}, JSON"),
            times(found),
            at_least(FASTER, found),
        ]
    };
    let latency = |row: usize| {
        let of = |run: &Run| run.latency[1] as f64;
        let runs = seen.of[row].iter().zip(&seen.bare);
        let found = median(runs.map(|(run, bare)| of(run) - bare[1] as f64)) / 1e3;
        vec![
            format!("{}: µs to 99 % of reconciles, less those of {BARE}", ROWS[row].label),
            times(found),
            at_most(LATENCY, found),
        ]
    };
    let rows: Vec<_> = RIVALS.into_iter().map(faster).chain([0, 1].map(latency)).collect();
    table(&["goal", "seen", "wanted"], &rows)
}

fn plot(seen: &Seen) -> Plot {
    let panel = |title, figures: [Figure; 2]| {
        let rows = (0..ROWS.len()).map(|row| {
            (ROWS[row].label.to_owned(), figures.map(|figure| beside(seen, row, figure)))
        });
        Panel { title, rows: rows.collect() }
    };
    let panels = vec![
        panel(
            "Time of reconciles, beside ours with the same codec: at first, and when all change",
            [|run| run.initial_wall, |run| run.burst_wall],
        ),
        panel(
            "From the frame to the reconcile, beside ours: the median, and 99 %",
            [|run| run.latency[0], |run| run.latency[1]],
        ),
    ];
    let legend = ["at first; the median", "all change; 99 %"];
    Plot { title: "Controllers that do nothing", legend, panels }
}

#[cfg(test)]
mod tests;
