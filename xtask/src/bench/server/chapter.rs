//! What was seen, as a chapter.

use super::beside::{Beside, SIDES, Side, WATCHERS};
use super::listed::Listed;
use super::within::{Crowds, Within};
use super::{Seen, Sizes, USUAL};
use crate::bench::page::{Chapter, at_least, at_most, median, table, times};
use crate::bench::plot::{Panel, Plot};

type Figure = fn(&Beside) -> f64;

pub(super) fn chapter(sizes: &Sizes, seen: &Seen) -> Chapter<'static> {
    let text = format!(
        "{}\n\n{}\n{}\n\n{}\n{}",
        about_both(sizes),
        beside(sizes, seen),
        about_ours(sizes),
        within(sizes, seen),
        goals(sizes, seen)
    );
    Chapter {
        name: "server",
        page: "benchmarks-server.md",
        title: "The API server",
        args: if *sizes == USUAL { String::new() } else { sizes.told() },
        text,
        plot: plot(seen),
    }
}

fn about_both(sizes: &Sizes) -> String {
    let Sizes { rounds, time, changes, both_list, .. } = sizes;
    format!(
        "Ours is `watchkeeper serve --actors none`, the other a kube-apiserver 1.36 with an etcd that does not wait \
         for the disk (`--unsafe-no-fsync`) and without an audit log. One client of one thread asks each, over \
         HTTP/1.1 and connections that stay open. *Ready*: from the start of the program, or of both, to 200 \
         from `/readyz`. *Idle*: resident three seconds later, of both together. *Creates*: small config maps for \
         {time} ms. *Events*: {changes} config maps are made by four writers, and {WATCHERS} watches of one \
         connection each are told. *List*: {both_list} pods of one container, the shortest of three times, and by how much \
         the API server grew meanwhile; of ours without TLS. {rounds} rounds in which the servers take turns, medians \
         (the list once); *×* is the median of the ratios of ours over TLS and the real server in the same round."
    )
}

fn about_ours(sizes: &Sizes) -> String {
    let Sizes { listed, replicas, pods, nodes, clusters, .. } = sizes;
    format!(
        "And what ours does without a socket, a process each: {rounds} rounds, medians, of the first five; the \
         others once. The list of {listed} pods goes over a socket of plain HTTP, its bytes again over another \
         one, out of memory. The Deployment has {replicas} replicas. {pods} pods are made by the actors, from \
         Deployments of 250 replicas, on {nodes} nodes; {clusters} clusters in one process have a node and all \
         actors each.",
        rounds = sizes.rounds
    )
}

/// What both do.
struct Row {
    label: &'static str,
    figure: Figure,
    /// Whether the actors' cluster was asked, too.
    whole: bool,
    /// Whether more is better.
    more: bool,
}

const fn row(label: &'static str, figure: Figure, whole: bool, more: bool) -> Row {
    Row { label, figure, whole, more }
}

const ROWS: &[Row] = &[
    row("ready, ms", |seen| seen.ready * 1e3, true, false),
    row("idle, MB", |seen| seen.idle as f64 / 1e6, true, false),
    row("creates/s, one writer", |seen| seen.creates[0], false, true),
    row("creates/s, 16 writers", |seen| seen.creates[1], false, true),
    row("events/s to 100 watches", |seen| seen.events, false, true),
];

fn rounds(seen: &Seen, side: Side) -> &[Beside] {
    let index = SIDES.iter().position(|one| *one == side).unwrap_or_default();
    &seen.beside[index]
}

fn of(seen: &Seen, side: Side, figure: Figure) -> f64 {
    median(rounds(seen, side).iter().map(figure))
}

/// By how much ours over TLS is better, round by round.
fn better(seen: &Seen, row: &Row) -> f64 {
    let pairs = rounds(seen, Side::Secured).iter().zip(rounds(seen, Side::Real));
    median(pairs.map(|(ours, real)| {
        let ratio = (row.figure)(ours) / (row.figure)(real);
        if row.more { ratio } else { 1.0 / ratio }
    }))
}

const HEAD: &[&str] = &["", "ours", "over TLS", "with actors", "kube-apiserver, etcd", "×"];

fn beside(sizes: &Sizes, seen: &Seen) -> String {
    let mut rows: Vec<Vec<String>> = ROWS
        .iter()
        .map(|row| {
            let cell = |side| shown(of(seen, side, row.figure));
            let whole = if row.whole { cell(Side::Whole) } else { "–".to_owned() };
            let label = row.label.to_owned();
            let ours = [cell(Side::Plain), cell(Side::Secured)];
            let [plain, secured] = ours;
            vec![label, plain, secured, whole, cell(Side::Real), times(better(seen, row))]
        })
        .collect();
    let [ours, real] = &seen.both;
    let list = |label: String, figure: fn(&Listed) -> f64| {
        let none = || "–".to_owned();
        let (ours, real) = (figure(ours), figure(real));
        vec![label, shown(ours), none(), none(), shown(real), times(real / ours)]
    };
    rows.push(list(format!("list of {} pods, ms", sizes.both_list), took));
    rows.push(list("grown by it, MB".to_owned(), growth));
    table(HEAD, &rows)
}

fn took(list: &Listed) -> f64 {
    list.took as f64 / 1e6
}

fn growth(list: &Listed) -> f64 {
    list.growth as f64 / 1e6
}

fn middle(seen: &Seen, figure: fn(&Within) -> f64) -> f64 {
    median(seen.within.iter().map(figure))
}

fn within(sizes: &Sizes, seen: &Seen) -> String {
    let Seen { ours, crowds, .. } = seen;
    let row = |label: String, figure: f64| vec![label, shown(figure)];
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let rows = [
        row("ready, a server, ms".into(), middle(seen, |one| one.ready[0] as f64 / 1e6)),
        row("ready, a cluster, ms".into(), middle(seen, |one| one.ready[1] as f64 / 1e6)),
        row("creates/s".into(), middle(seen, |one| one.writes)),
        row(format!("events/s to {WATCHERS} watches"), middle(seen, |one| one.events)),
        row(
            format!("Deployment of {} replicas available, s", sizes.replicas),
            middle(seen, |one| one.deployment as f64 / 1e9),
        ),
        row("writes that this took".into(), middle(seen, |one| one.deployment_writes as f64)),
        row(format!("list of {} pods, ms", sizes.listed), took(ours)),
        row("its bytes, MB".into(), megabytes(ours.bytes)),
        row("its bytes copied, ms".into(), ours.copied as f64 / 1e6),
        row("grown by it, MB".into(), growth(ours)),
        row(made_by_actors(sizes, crowds), megabytes(crowds.pods)),
        row("made in, s".into(), crowds.pods_took as f64 / 1e9),
        row(format!("{} clusters as built, MB", sizes.clusters), megabytes(crowds.clusters[0])),
        row(format!("{} clusters at work, MB", sizes.clusters), megabytes(crowds.clusters[1])),
    ];
    table(&["", "ours"], &rows)
}

fn made_by_actors(sizes: &Sizes, crowds: &Crowds) -> String {
    format!("{} of {} pods made by actors, MB", crowds.pods_made, sizes.pods)
}

/// How many times as many creates as the real server takes.
const FASTER: f64 = 15.0;

fn goals(sizes: &Sizes, seen: &Seen) -> String {
    let Seen { ours, crowds, .. } = seen;
    let most = |what: String, found: f64, goal: f64| vec![what, shown(found), at_most(goal, found)];
    let least =
        |what: String, found: f64, goal: f64| vec![what, shown(found), at_least(goal, found)];
    let plain = |figure: Figure| of(seen, Side::Plain, figure);
    let rows = [
        most(
            "ready in the process, ms".into(),
            middle(seen, |one| one.ready[0] as f64 / 1e6),
            10.0,
        ),
        most("ready as a program, ms".into(), plain(ROWS[0].figure), 50.0),
        most("idle with all groups, MB".into(), plain(ROWS[1].figure), 15.0),
        least("creates/s in the process".into(), middle(seen, |one| one.writes), 50_000.0),
        least("creates over TLS, one writer, × real".into(), better(seen, &ROWS[2]), FASTER),
        least("creates over TLS, 16 writers, × real".into(), better(seen, &ROWS[3]), FASTER),
        least(
            format!("events/s to {WATCHERS} watches in the process"),
            middle(seen, |one| one.events),
            1e6,
        ),
        most(
            format!("list of {} pods, × its bytes copied", sizes.listed),
            ours.took as f64 / ours.copied as f64,
            2.0,
        ),
        most("grown by it, MB".into(), growth(ours), 16.0),
        most(
            format!("Deployment of {} replicas available, s", sizes.replicas),
            middle(seen, |one| one.deployment as f64 / 1e9),
            1.0,
        ),
        vec![
            made_by_actors(sizes, crowds),
            shown(crowds.pods as f64 / 1e6),
            // Of less than were asked for nothing is told.
            at_most(
                1000.0,
                if crowds.pods_made < sizes.pods {
                    f64::INFINITY
                } else {
                    crowds.pods as f64 / 1e6
                },
            ),
        ],
        most(
            format!("{} clusters at work, MB", sizes.clusters),
            crowds.clusters[1] as f64 / 1e6,
            1000.0,
        ),
    ];
    table(&["goal", "seen", "wanted"], &rows)
}

/// A figure with as many digits as mean something.
pub(super) fn shown(figure: f64) -> String {
    times(figure)
}

fn plot(seen: &Seen) -> Plot {
    let bars = |row: &Row| {
        let both = [Side::Secured, Side::Real].map(|side| of(seen, side, row.figure));
        (row.label.to_owned(), both)
    };
    let panel = |title, more: bool| Panel {
        title,
        rows: ROWS.iter().filter(|row| row.more == more).map(bars).collect(),
    };
    Plot {
        title: "The API server over TLS beside a real one",
        legend: ["ours", "real"],
        panels: vec![
            panel("How much in a second", true),
            panel("Until it is ready, and what it holds", false),
        ],
    }
}
