//! `cargo xtask bench store`: stores that are read and written, and informers that are written to beside
//! readers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::build;
use super::page::{self, Chapter, at_least, at_most, median, table, times};
use super::plot::{Panel, Plot};
use super::talk::Talk;
use crate::{Outcome, step};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Objects that a store has
    #[arg(long, default_value_t = OBJECTS)]
    objects: usize,
    /// How often each figure is measured
    #[arg(long = "store-rounds", default_value_t = ROUNDS)]
    pub(super) store_rounds: usize,
}

impl Default for Args {
    fn default() -> Self {
        Self { objects: OBJECTS, store_rounds: ROUNDS }
    }
}

const OBJECTS: usize = 100_000;
const ROUNDS: usize = 5;

/// The programs, in the order of the columns.
const OURS: usize = 0;
const KUBE: usize = 1;
const GO: usize = 2;

/// A line that programs answer by lines of two numbers.
struct Question {
    said: &'static str,
    /// What each line of the answer tells.
    told: &'static [&'static str],
    /// Which programs can tell.
    who: &'static [usize],
}

const fn question(told: &'static [&'static str], who: &'static [usize]) -> Question {
    Question { said: told[0], told, who }
}

const QUESTIONS: &[Question] = &[
    question(&["get"], &[OURS, KUBE, GO]),
    question(&["get written"], &[OURS, KUBE, GO]),
    question(&["index"], &[OURS, KUBE, GO]),
    question(&["index borrowed"], &[OURS]),
    question(&["deliver 1"], &[OURS, KUBE, GO]),
    question(&["deliver 100"], &[OURS, KUBE, GO]),
    // All of one informer: to sync it takes as long as one of these figures.
    Question {
        said: "readers",
        told: &["informer 0", "control 0", "informer 1", "control 1", "informer 10", "control 10"],
        who: &[OURS, GO],
    },
];

/// Two numbers a second of each figure, program and round; nothing where it was not asked.
#[derive(Default)]
struct Seen(BTreeMap<&'static str, [Vec<[u64; 2]>; 3]>);

/// The first of the two numbers, or the second.
const FIRST: usize = 0;
const SECOND: usize = 1;

pub(super) fn run(args: &Args) -> Outcome<()> {
    let programs = step::timed("built", build)?;
    let seen = step::timed("measured in turn", || measure(&programs, args))?;
    page::write(&chapter(args, &seen))
}

fn build() -> Outcome<[PathBuf; 3]> {
    let (ours, kube) = (build::rust("cache")?, build::rust("kube-rs")?);
    Ok([ours.join("bench-store"), kube.join("store"), build::go()?])
}

/// New processes each round: where the objects come to lie in one makes a tenth of a difference, in all of its
/// rounds alike.
fn measure(programs: &[PathBuf; 3], args: &Args) -> Outcome<Seen> {
    let mut seen = Seen::default();
    for round in 1..=args.store_rounds {
        let name = format!("round {round} of {}", args.store_rounds);
        step::timed(&name, || ask(&mut start(programs, args)?, &mut seen))?;
    }
    Ok(seen)
}

/// The programs, each with all of its objects.
fn start(programs: &[PathBuf; 3], args: &Args) -> Outcome<Vec<Talk>> {
    let mut talks = Vec::new();
    for (place, program) in programs.iter().enumerate() {
        // With both processors: what is measured is what threads do to each other.
        let mut command = std::process::Command::new(program);
        if place == GO {
            command.arg("store");
        }
        command.arg(args.objects.to_string());
        let mut talk = Talk::start(command)?;
        // Not counted: once it answers it is ready, and leaves the processors to the others.
        talk.say(QUESTIONS[0].said)?;
        let _ready: [u64; 2] = talk.hear_numbers()?;
        talks.push(talk);
    }
    Ok(talks)
}

/// Each question once, to each program that can tell, in turn.
fn ask(talks: &mut [Talk], seen: &mut Seen) -> Outcome<()> {
    for Question { said, told, who } in QUESTIONS {
        for program in *who {
            talks[*program].say(said)?;
            for told in *told {
                let numbers = talks[*program].hear_numbers()?;
                seen.0.entry(told).or_default()[*program].push(numbers);
            }
        }
    }
    Ok(())
}

impl Seen {
    fn all(&self, what: &str, program: usize, which: usize) -> Vec<f64> {
        let found = self.0.get(what).map_or(&[][..], |programs| &programs[program]);
        found.iter().map(|numbers| numbers[which] as f64).collect()
    }

    /// The median; not a number where it was not asked.
    fn middle(&self, what: &str, program: usize, which: usize) -> f64 {
        median(self.all(what, program, which))
    }

    /// The median ratio of two programs in the same round.
    fn beside(&self, what: &str, ours: usize, other: usize, which: usize) -> f64 {
        let pairs = self.all(what, ours, which).into_iter().zip(self.all(what, other, which));
        median(pairs.map(|(ours, other)| ours / other))
    }

    /// What is left of the changes beside readers of the informer's store, of those beside readers of
    /// another store, in the same round.
    fn left(&self, readers: usize, program: usize) -> f64 {
        let with = self.all(&format!("informer {readers}"), program, FIRST);
        let without = self.all(&format!("control {readers}"), program, FIRST);
        median(with.into_iter().zip(without).map(|(with, without)| with / without))
    }
}

/// A row of the first table.
struct Row {
    what: &'static str,
    which: usize,
    label: &'static str,
    shown: Shown,
    goal: Option<f64>,
}

#[derive(Clone, Copy)]
enum Shown {
    /// Millions a second, the more the better.
    Millions,
    /// Microseconds each, the fewer the better.
    Micros,
}

const fn row(what: &'static str, label: &'static str, shown: Shown, goal: Option<f64>) -> Row {
    Row { what, which: FIRST, label, shown, goal }
}

const ROWS: &[Row] = &[
    row("get", "lookups by key, M/s", Shown::Millions, Some(12.0)),
    row("get written", "the same beside a writer, M/s", Shown::Millions, Some(5.0)),
    Row {
        which: SECOND,
        ..row("get written", "what that writer writes, M/s", Shown::Millions, None)
    },
    row("index", "30 objects of an index, µs", Shown::Micros, Some(0.3)),
    row("index borrowed", "the same, looked at and not kept, µs", Shown::Micros, Some(0.3)),
    row("deliver 1", "calls of one handler, M/s", Shown::Millions, None),
    row("deliver 100", "calls of 100 handlers, M/s", Shown::Millions, None),
];

const READERS: [usize; 3] = [0, 1, 10];

fn chapter(args: &Args, seen: &Seen) -> Chapter<'static> {
    let Args { objects, store_rounds } = args;
    let text = format!(
        "A store of {objects} small pods, 30 to a node, in one process for each client; {store_rounds} rounds in\n\
         which they take turns, with new processes each, each figure for 0.6 s, medians; the ratios are of the\n\
         same rounds. Keys are asked for in no order and are texts of their own. The writer beside the lookups\n\
         writes as fast as it can, on the other core; kube-rs has no index and looks at every object. Its\n\
         handlers are subscribers of a shared store (`store_shared`), which its documentation calls unstable;\n\
         its changes, and those of client-go, are handed over as objects, ours as JSON.\n\n{}\n\
         Changes through an informer, at most ten under way, while readers walk all pods of its store as\n\
         fast as they can. This is client-go's `BenchmarkSharedIndexInformer`; its fake watch hands over\n\
         objects, ours JSON, which is decoded. The control has the same informer and as many readers of\n\
         objects that nobody writes to: what is left of *its* changes is what the readers of the store cost\n\
         beside the processors that they take ({cores} here).\n\n{}",
        store_table(seen),
        informer_table(seen),
        cores = std::thread::available_parallelism().map_or(1, usize::from),
    );
    let rate = |row: &Row| {
        let values = [OURS, GO].map(|program| seen.middle(row.what, program, row.which) / 1e3);
        ((*row.label.rsplit_once(',').map_or(row.label, |(label, _)| label)).to_owned(), values)
    };
    let compared = ROWS.iter().filter(|row| row.what != "index borrowed");
    let left = |readers: usize| {
        (
            format!("{readers} readers"),
            [OURS, GO].map(|program| 100.0 * seen.left(readers, program)),
        )
    };
    let panels = vec![
        Panel { title: "Thousands a second", rows: compared.map(rate).collect() },
        Panel {
            title: "Changes beside readers, % of those beside readers of another store",
            rows: READERS.map(left).into(),
        },
    ];
    let usual = (*objects, *store_rounds) == (OBJECTS, ROUNDS);
    let said = format!(" --objects {objects} --store-rounds {store_rounds}");
    Chapter {
        name: "store",
        page: page::MAIN,
        title: "Stores",
        args: if usual { String::new() } else { said },
        text,
        plot: Plot { title: "Stores", legend: ["ours", "client-go"], panels },
    }
}

fn store_table(seen: &Seen) -> String {
    let row = |row: &Row| {
        let shown = |rate: f64| match row.shown {
            Shown::Millions => rate / 1e6,
            Shown::Micros => 1e6 / rate,
        };
        let figures =
            [OURS, KUBE, GO].map(|program| shown(seen.middle(row.what, program, row.which)));
        let ratios = [KUBE, GO].map(|program| seen.beside(row.what, OURS, program, row.which));
        let cell = |figure: f64| if figure.is_nan() { "–".to_owned() } else { times(figure) };
        let mut cells = vec![row.label.to_owned()];
        cells.extend(figures.into_iter().chain(ratios).map(cell));
        cells.push(row.goal.map_or(String::new(), |goal| match row.shown {
            Shown::Millions => at_least(goal, figures[OURS]),
            Shown::Micros => at_most(goal, figures[OURS]),
        }));
        cells
    };
    let head = ["what", "ours", "kube-rs", "client-go", "× kube-rs", "× client-go", "goal"];
    table(&head, &ROWS.iter().map(row).collect::<Vec<_>>())
}

fn informer_table(seen: &Seen) -> String {
    let rows = [(OURS, "ours"), (GO, "client-go")].into_iter().flat_map(|(program, label)| {
        READERS.map(|readers| {
            let (with, without) = (format!("informer {readers}"), format!("control {readers}"));
            let left = seen.left(readers, program);
            let whole = |what: &str, which| format!("{:.0}", seen.middle(what, program, which));
            vec![
                format!("{label}, {readers} readers"),
                whole(&with, FIRST),
                whole(&without, FIRST),
                times(left),
                whole(&with, SECOND),
                whole(&without, SECOND),
                if program == OURS { at_least(0.8, left) } else { String::new() },
            ]
        })
    });
    let head = [
        "informer",
        "changes a second",
        "of the control",
        "share",
        "walks a second",
        "of the control",
        "goal (share)",
    ];
    table(&head, &rows.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests;
