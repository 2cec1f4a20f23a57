//! `cargo xtask bench queue`: keys that go through work queues, and what a queued one holds.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::build;
use super::page::{self, Chapter, at_least, at_most, median, table, times};
use super::plot::{Panel, Plot};
use super::talk::{Talk, numbers};
use crate::{Outcome, process, step};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How often each queue is measured
    #[arg(long, default_value_t = ROUNDS)]
    pub(super) rounds: usize,
}

impl Default for Args {
    fn default() -> Self {
        Self { rounds: ROUNDS }
    }
}

const ROUNDS: usize = 5;

const WHO: [&str; 4] = ["ours", "kube-rs", "client-go", "controller-runtime"];
const OURS: usize = 0;
const KUBE: usize = 1;
const GO: usize = 2;
const RUNTIME: usize = 3;

const ALL: &[usize] = &[OURS, KUBE, GO, RUNTIME];
const GO_TOO: &[usize] = &[OURS, GO, RUNTIME];
const ALONE: &[usize] = &[OURS];

/// Which of the two numbers that are answered counts: one thread is told by what it used, several by how
/// long they took.
const WALL: usize = 0;
const CPU: usize = 1;

/// A row of the first table.
struct Row {
    /// The word for what is measured.
    what: &'static str,
    label: &'static str,
    /// Who is asked.
    who: &'static [usize],
    /// The word for what the others do that is set beside it.
    beside: Option<&'static str>,
    by: usize,
    /// Million keys a second.
    goal: Option<f64>,
}

const fn row(what: &'static str, label: &'static str, who: &'static [usize]) -> Row {
    Row { what, label, who, beside: Some(what), by: CPU, goal: None }
}

/// A form that only ours has, set beside what the others do instead.
const fn own(what: &'static str, label: &'static str, beside: Option<&'static str>) -> Row {
    Row { beside, ..row(what, label, ALONE) }
}

const ROWS: &[Row] = &[
    Row { goal: Some(12.0), ..row("cycle", "add, get, done", ALL) },
    row("names", "the same, texts as keys", ALL),
    row("mixed", "the same, three priorities", &[OURS, RUNTIME]),
    own("jobs", "add, next, `Job::done`", Some("cycle")),
    own("kept", "the same, kept places", Some("cycle")),
    own("batch", "32 at once", Some("cycle")),
    own("state", "the state alone, by key", None),
    Row { goal: Some(40.0), ..own("slot", "the state alone, by slot", None) },
    row("known", "add, of keys that are queued", ALL),
    row("million", "a million keys in, then out", ALL),
    row("timers", "a million added for later", ALL),
    row("soon", "a million for the next 10 ms, and out", ALL),
    Row { by: WALL, ..row("contended", "4 who add, 4 who take", GO_TOO) },
    Row { by: WALL, ..own("contended-batch", "the same, 32 at once", Some("contended")) },
];

/// A row of the second table: keys that are queued, and bytes that each may hold.
struct Queued {
    /// The word for how they are queued.
    how: &'static str,
    count: u32,
    label: &'static str,
    goal: Option<f64>,
}

const fn queued(how: &'static str, count: u32, label: &'static str) -> Queued {
    Queued { how, count, label, goal: None }
}

const QUEUED: &[Queued] = &[
    Queued { goal: Some(100.0), ..queued("ready", 1_000_000, "1,000,000 ready, numbers") },
    Queued { goal: Some(100.0), ..queued("names", 1_000_000, "1,000,000 ready, texts") },
    queued("ready", 1_100_000, "1,100,000 ready, numbers"),
    queued("later", 100_000, "100,000 for later"),
];

/// Wall and CPU nanoseconds of a thousand keys in each round: of what, of whom.
type Seen = BTreeMap<(&'static str, usize), Vec<[u64; 2]>>;
/// Bytes of the heap and of resident memory of each row, of each queue.
type Held = Vec<[[u64; 2]; 4]>;

pub(super) fn run(args: &Args) -> Outcome<()> {
    let programs = step::timed("built", build)?;
    let seen = step::timed("measured in turn", || measure(&programs, args))?;
    let held = step::timed("held", || hold(&programs))?;
    page::write(&chapter(args, &seen, &held))
}

/// The programs, each with the arguments that make it a queue.
fn build() -> Outcome<[(PathBuf, &'static [&'static str]); 4]> {
    let (ours, kube, go) = (build::rust("queue")?, build::rust("kube-rs")?, build::go()?);
    Ok([
        (ours.join("bench-queue"), &[]),
        (kube.join("queue"), &[]),
        (go.clone(), &["queue", WHO[GO]]),
        (go, &["queue", WHO[RUNTIME]]),
    ])
}

fn measure(programs: &[(PathBuf, &[&str]); 4], args: &Args) -> Outcome<Seen> {
    let mut talks = Vec::new();
    for (program, of) in programs {
        let mut command = build::command(program);
        command.args(*of);
        talks.push(Talk::start(command)?);
    }
    let mut seen = Seen::new();
    // The first round warms up.
    for round in 0..=args.rounds {
        for row in ROWS {
            for who in row.who {
                talks[*who].say(row.what)?;
                let numbers = talks[*who].hear_numbers()?;
                if round > 0 {
                    seen.entry((row.what, *who)).or_default().push(numbers);
                }
            }
        }
    }
    Ok(seen)
}

/// Each in a process of its own.
fn hold(programs: &[(PathBuf, &[&str]); 4]) -> Outcome<Held> {
    let mut held = vec![[[0; 2]; 4]; QUEUED.len()];
    for (Queued { how, count, .. }, held) in QUEUED.iter().zip(&mut held) {
        for ((program, of), held) in programs.iter().zip(held) {
            let mut command = build::command(program);
            command.args(*of).args(["held", how, &count.to_string()]);
            let text = process::output(&mut command)?;
            let text = String::from_utf8_lossy(&text);
            *held = numbers(&text).ok_or_else(|| format!("{how} was answered by {text:?}"))?;
        }
    }
    Ok(held)
}

/// Nanoseconds of a thousand keys, round by round; none where it was not asked.
fn nanos(seen: &Seen, what: &'static str, who: usize, by: usize) -> Vec<f64> {
    let rounds = seen.get(&(what, who)).map_or(&[][..], Vec::as_slice);
    rounds.iter().map(|numbers| numbers[by] as f64).collect()
}

/// Million keys a second: the median; not a number where it was not asked.
fn millions(seen: &Seen, what: &'static str, who: usize, by: usize) -> f64 {
    1e6 / median(nanos(seen, what, who, by))
}

/// What the others do beside a row, if they have it.
fn theirs(seen: &Seen, row: &Row, who: usize) -> f64 {
    row.beside.map_or(f64::NAN, |what| millions(seen, what, who, row.by))
}

/// How many times as many keys ours does: the median of the ratios in the same round.
fn more(seen: &Seen, row: &Row, who: usize) -> f64 {
    let theirs = row.beside.map_or(Vec::new(), |what| nanos(seen, what, who, row.by));
    let pairs = theirs.into_iter().zip(nanos(seen, row.what, OURS, row.by));
    median(pairs.map(|(theirs, ours)| theirs / ours))
}

fn chapter(args: &Args, seen: &Seen, held: &Held) -> Chapter<'static> {
    let text = format!(
        "Million keys a second. In turn a thousand keys go in and come out; keys are numbers where\n\
         nothing else is said. One thread and CPU time (Go: `GOMAXPROCS=1`, its collector counts), but\n\
         for the contended rows, which have two threads and the time that passes: each of four adds\n\
         100,000 keys of its own, ours as tasks that let others run each 64 keys. {} rounds in which\n\
         the queues take turns; medians, and the ratios are those within a round. Ours has priorities\n\
         on, as controller-runtime's has; client-go's has none. No queue has a name, so none counts\n\
         metrics. Of kube-rs it is the scheduler of its controllers, which has neither priorities nor a\n\
         way to give a key back, for one task; it is told the time at each add, as its controllers do.\n\
         Where others have a million keys for later, controller-runtime's has 100,000, since with a million\n\
         it takes longer than all else together. The state alone is the queue without its lock and has no\n\
         like elsewhere; our other forms stand beside what the others have.\n\n{}\n\
         Bytes that a queued key holds beyond itself: of the heap (Go: after two collections), and in\n\
         brackets of resident memory. With 1,100,000 keys tables that double have just done so.\n\n{}",
        args.rounds,
        rates(seen),
        holdings(held),
    );
    let usual = args.rounds == ROUNDS;
    Chapter {
        name: "queue",
        page: page::MAIN,
        title: "Work queues",
        args: if usual { String::new() } else { format!(" --rounds {}", args.rounds) },
        text,
        plot: plot(seen, held),
    }
}

fn rates(seen: &Seen) -> String {
    let row = |row: &Row| {
        let found = millions(seen, row.what, OURS, row.by);
        let rivals = [KUBE, GO, RUNTIME];
        let figures = rivals.map(|who| theirs(seen, row, who));
        let ratios = rivals.map(|who| more(seen, row, who));
        let cell = |figure: f64| if figure.is_nan() { "–".to_owned() } else { times(figure) };
        let mut cells = vec![row.label.to_owned(), times(found)];
        cells.extend(figures.into_iter().chain(ratios).map(cell));
        cells.push(row.goal.map_or(String::new(), |goal| at_least(goal, found)));
        cells
    };
    let head = [
        "what",
        "ours",
        "kube-rs",
        "client-go",
        "controller-runtime",
        "× kube-rs",
        "× client-go",
        "× controller-runtime",
        "goal",
    ];
    table(&head, &ROWS.iter().map(row).collect::<Vec<_>>())
}

fn holdings(held: &Held) -> String {
    let row = |(queued, held): (&Queued, &[[u64; 2]; 4])| {
        let mut cells = vec![queued.label.to_owned()];
        cells.extend(held.map(|[heap, resident]| format!("{heap} ({resident})")));
        cells.push(queued.goal.map_or(String::new(), |goal| at_most(goal, held[OURS][0] as f64)));
        cells
    };
    let head = ["what", WHO[OURS], WHO[KUBE], WHO[GO], WHO[RUNTIME], "goal"];
    table(&head, &QUEUED.iter().zip(held).map(row).collect::<Vec<_>>())
}

/// A panel for each of the others, with what both can.
fn plot(seen: &Seen, held: &Held) -> Plot {
    let titles = [
        (KUBE, "Million keys a second, beside the scheduler of kube-rs"),
        (GO, "Million keys a second, beside client-go"),
        (RUNTIME, "Million keys a second, beside controller-runtime"),
    ];
    let mut panels: Vec<_> = titles
        .map(|(who, title)| {
            let both = ROWS.iter().filter(|row| row.who.contains(&who));
            let rows = both.map(|row| {
                let values = [millions(seen, row.what, OURS, row.by), theirs(seen, row, who)];
                (row.label.to_owned(), values)
            });
            Panel { title, rows: rows.collect() }
        })
        .into();
    let [ours, rivals @ ..] = held[0].map(|[heap, _]| heap as f64);
    let rows = WHO[KUBE..].iter().zip(rivals);
    let rows = rows.map(|(who, rival)| ((*who).to_owned(), [ours, rival])).collect();
    panels.push(Panel { title: "Bytes that a key holds beyond itself, a million ready", rows });
    Plot { title: "Work queues", legend: ["ours", "the other"], panels }
}

#[cfg(test)]
mod tests;
