//! `cargo xtask conformance leaders`: replicas of the sample controller on a real kube-apiserver, killed and
//! paused while they lead, and a Go program with client-go's election beside them (docs/design/leader.md).
//!
//! Whether two ever worked at once is judged from the server's audit log and nothing else (`judge`).

use std::process::ExitCode;
use std::time::Duration;
use std::{fmt, fs, process};

use audit::Write;
use judge::{End, Rules, Verdict, Wrong, seconds};
use replica::{LEASE, QUICK, SHARED, Side};
use rounds::Played;
use stage::Stage;

use crate::{Outcome, real, step};

mod audit;
mod judge;
mod replica;
mod rounds;
mod stage;

/// The arguments of `cargo xtask conformance leaders`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cache: real::Cache,
    /// How often a leader is killed
    #[arg(long, default_value_t = 10)]
    kills: u32,
    /// How often a leader is paused until another one works
    #[arg(long, default_value_t = 2)]
    pauses: u32,
    /// How often a leader is paused for about as long as its lease
    #[arg(long, default_value_t = 2)]
    naps: u32,
    /// How often the lease goes from ours to client-go's and back, twice each
    #[arg(long, default_value_t = 2)]
    turns: u32,
    /// The dice; others each time unless it is said
    #[arg(long)]
    seed: Option<u64>,
    /// Runs with the servers up already
    #[arg(long, hide = true)]
    inside: bool,
}

impl Args {
    /// For `cargo xtask long`.
    pub(crate) const fn long(cache: real::Cache) -> Self {
        Self { cache, kills: 100, pauses: 25, naps: 25, turns: 10, seed: None, inside: false }
    }
}

/// What is done to the leaders.
impl fmt::Display for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, pauses, naps, turns, .. } = self;
        write!(
            f,
            "{kills} killed, {pauses} paused beyond their lease and {naps} for about as long, "
        )?;
        write!(f, "{turns} times from ours to client-go's and back by a kill and in order")
    }
}

/// Runs the rounds, and judges.
///
/// # Errors
/// What the audit log shows that must not be, or that nobody led any more.
pub(crate) fn run(args: &Args) -> Outcome {
    let seed = args.seed.unwrap_or_else(|| u64::from(process::id()));
    if args.inside {
        return inside(args, seed);
    }
    let numbers = [
        ("--kills", u64::from(args.kills)),
        ("--pauses", u64::from(args.pauses)),
        ("--naps", u64::from(args.naps)),
        ("--turns", u64::from(args.turns)),
        ("--seed", seed),
    ];
    let flags: Vec<String> = numbers.iter().map(|(flag, n)| format!("{flag}={n}")).collect();
    let mut chore = vec!["conformance", "leaders"];
    chore.extend(flags.iter().map(String::as_str));
    real::run_inside_on(&args.cache, &real::Options::with_writes(), &chore)
}

fn inside(args: &Args, seed: u64) -> Outcome {
    eprintln!("seed {seed}");
    let mut stage = step::timed("sample and actors", || Stage::open(seed, QUICK))?;
    let mut played = Played::default();
    step::timed("replicas of ours", || ours(args, &mut stage, &mut played))?;
    step::timed("ours and client-go's", || {
        stage.recast(SHARED, [Side::Ours, Side::Go])?;
        (0..args.turns).try_for_each(|_| played.turn(&mut stage))
    })?;
    step::timed("a leader without a fence", || unfenced(&mut stage, &mut played))?;
    stage.close();
    let verdict = judged(&writes()?);
    tell(&verdict, &played, &stage);
    check(&verdict, &played)?;
    replica::read_each_other(&real::own_folder()?)?;
    Ok(ExitCode::SUCCESS)
}

/// Kills, pauses and naps, in turns.
fn ours(args: &Args, stage: &mut Stage, played: &mut Played) -> Outcome<()> {
    stage.recast(QUICK, [Side::Ours, Side::Ours])?;
    let (mut kills, mut pauses, mut naps) = (args.kills, args.pauses, args.naps);
    while kills + pauses + naps > 0 {
        let drawn = stage.dice.below(u64::from(kills + pauses + naps));
        if drawn < u64::from(kills) {
            kills -= 1;
            played.kill(stage)?;
        } else if drawn < u64::from(kills + pauses) {
            pauses -= 1;
            played.pause(stage)?;
        } else {
            naps -= 1;
            played.nap(stage)?;
        }
    }
    Ok(())
}

/// How often a leader without a fence is paused before it is not believed any more that it would be noticed.
const TRIES: usize = 5;

/// Shows that the judge sees an overlap where there is one.
fn unfenced(stage: &mut Stage, played: &mut Played) -> Outcome<()> {
    for _ in 0..TRIES {
        played.unfenced(stage)?;
        let mut log = None;
        // In between of two requests.
        step::until(Duration::from_secs(30), || {
            log = writes().ok();
            Ok(log.is_some())
        })?;
        let verdict = judged(&log.unwrap_or_default());
        let (without, _) = split(&verdict, played);
        let mut overlaps = without.iter().filter(|wrong| wrong.is_overlap);
        if let Some(first) = overlaps.next() {
            let count = overlaps.count() + 1;
            eprintln!("without a fence: {count} writes beside another leader; {}", first.what);
            return Ok(());
        }
    }
    Err(format!("no overlap of a leader without a fence was seen in {TRIES} tries"))
}

fn writes() -> Outcome<Vec<Write>> {
    audit::writes(&log()?, LEASE)
}

/// Whether one of the replicas has done anything yet.
fn has_worked(name: &str) -> Outcome<bool> {
    Ok(audit::has_worked(&log()?, LEASE, name))
}

fn log() -> Outcome<String> {
    let path = real::path_of("REAL_AUDIT_LOG")?;
    fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
}

fn judged(writes: &[Write]) -> Verdict {
    // Ours leave a margin of a fifth of a lease that is so short (`LeaderElection::times`), client-go none.
    let reach = |actor: &str, lease: i64| if Side::Ours.has(actor) { lease / 5 * 4 } else { lease };
    judge::judge(writes, &Rules { reach: &reach })
}

/// What those did that had no fence, and what all others did.
fn split<'a>(verdict: &'a Verdict, played: &Played) -> (Vec<&'a Wrong>, Vec<&'a Wrong>) {
    verdict.wrong.iter().partition(|wrong| played.unfenced.contains(&wrong.actor))
}

fn tell(verdict: &Verdict, played: &Played, stage: &Stage) {
    let (killed, paused, stopped) = (&played.killed, &played.paused, &played.stopped);
    let written: usize = verdict.terms.iter().map(|term| term.written.len()).sum();
    eprintln!("{} terms, {written} writes of the work in them", verdict.terms.len());
    eprintln!(
        "{} killed, {} paused, {} naps, {} stopped; {} lost the lease besides",
        killed.len(),
        paused.len(),
        played.napped.len(),
        stopped.len(),
        stage.fallen
    );
    eprintln!("{} writes were not sent by those that woke", played.not_sent);
    let stalest = verdict.stalest.iter().filter(|(actor, _)| Side::Ours.has(actor));
    let stalest = stalest.map(|(_, age)| *age).max().unwrap_or_default();
    eprintln!("our last write of a term came at most {} after a renewal", seconds(stalest));
    for (how, end) in [("ran out", End::Taken), ("was given up", End::Released)] {
        if let Some(closest) = verdict.closest(end) {
            eprintln!(
                "a lease that {how} was taken at least {} after the last answer",
                seconds(closest)
            );
        }
    }
    let gaps: Vec<String> =
        verdict.gaps().map(|(from, to, gap)| format!("{from} to {to} {}", seconds(gap))).collect();
    eprintln!("given up: {}", gaps.join(", "));
}

fn check(verdict: &Verdict, played: &Played) -> Outcome<()> {
    let (_, wrong) = split(verdict, played);
    let woke = |actor| played.paused.contains(actor) || played.napped.contains(actor);
    let (given_up, wrong): (Vec<_>, Vec<_>) =
        wrong.into_iter().partition(|wrong| wrong.is_doubtful && woke(&wrong.actor));
    // The HTTP client had been handed it before the process was paused; the fence took it back on waking.
    for wrong in given_up {
        eprintln!("given up on its way: {}", wrong.what);
    }
    if !wrong.is_empty() {
        let what: Vec<&str> = wrong.iter().map(|wrong| &*wrong.what).collect();
        return Err(format!("{} writes that must not be:\n{}", what.len(), what.join("\n")));
    }
    for name in played.killed.iter().chain(&played.paused).chain(&played.stopped) {
        if !verdict.handed_over(name) {
            return Err(format!("{name} did not work, or nobody did after it"));
        }
    }
    let directions = [(Side::Ours, Side::Go), (Side::Go, Side::Ours)];
    for (from, to) in directions.into_iter().filter(|_| !played.stopped.is_empty()) {
        let gaps = verdict.gaps().filter(|(one, other, _)| from.has(one) && to.has(other));
        let longest = gaps.map(|(.., gap)| gap).max();
        // Without a look at who holds it, one would wait until it has run out.
        if longest.is_none_or(|gap| gap >= 1_000 * i64::try_from(SHARED.lease).unwrap_or(0)) {
            return Err(format!(
                "{from:?} gave the lease up, and {to:?} had it {longest:?} µs later"
            ));
        }
    }
    Ok(())
}
