//! Who held the lease when, and whether anybody else wrote then; of an audit log and nothing else.
//!
//! All times are the server's. A term begins when the server has answered the write that took the lease, and is
//! over when it receives the write that gives the lease up or takes it. A write has to be within a term of its
//! writer from when it was received to when it was answered: so it is stored within it.

use std::collections::BTreeMap;

use super::audit::{Record, Write};

/// The time in which somebody held the lease.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub(super) actor: String,
    /// When the write was answered that took the lease.
    pub(super) begun: i64,
    /// How long the lease lasts.
    lease: i64,
    /// When each write was received that took or renewed it.
    renewed: Vec<i64>,
    /// When the write was received that ended it.
    pub(super) over: Option<i64>,
    pub(super) end: End,
    /// When each write of the work was received.
    pub(super) written: Vec<i64>,
    /// When the last one was answered.
    answered: i64,
}

/// How a term ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It has not.
    Open,
    /// The lease was given up.
    Released,
    /// Somebody else took the lease.
    Taken,
}

/// What is asked of the writers.
pub(super) struct Rules<'a> {
    /// How long after a renewal was received a writer may still be heard, whose lease lasts so long.
    pub(super) reach: &'a dyn Fn(&str, i64) -> i64,
}

/// Something that must not be, and who did it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wrong {
    pub(super) actor: String,
    pub(super) what: String,
    /// It is a write while another one held the lease.
    pub(super) is_overlap: bool,
    /// The server does not say that it carried it out, nor that it did not.
    pub(super) is_doubtful: bool,
}

/// What the log says.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Verdict {
    pub(super) terms: Vec<Term>,
    pub(super) wrong: Vec<Wrong>,
    /// The longest time between a renewal and a write of the work, for each writer.
    pub(super) stalest: BTreeMap<String, i64>,
}

impl Verdict {
    /// The shortest time from a leader's last answer to the lease in other hands, where it ended so.
    pub(super) fn closest(&self, end: End) -> Option<i64> {
        let taken = self.terms.windows(2).filter(|pair| pair[0].end == end);
        let apart = |pair: &[Term]| Some(pair[1].renewed.first()? - pair[0].answered);
        taken.filter(|pair| !pair[0].written.is_empty()).filter_map(apart).min()
    }

    /// Who gave the lease up, who had it next, and how long it was nobody's.
    pub(super) fn gaps(&self) -> impl Iterator<Item = (&str, &str, i64)> {
        let given = self.terms.windows(2).filter(|pair| pair[0].end == End::Released);
        given.filter_map(|pair| {
            let gap = pair[1].renewed.first()? - pair[0].over?;
            Some((&*pair[0].actor, &*pair[1].actor, gap))
        })
    }

    /// Whether this one led and worked, and then another one.
    pub(super) fn handed_over(&self, actor: &str) -> bool {
        let worked = self.terms.iter().filter(|term| !term.written.is_empty());
        let mut worked = worked.skip_while(|term| term.actor != actor);
        worked.next().is_some() && worked.any(|term| term.actor != actor)
    }
}

/// Judges writes, which are in the order in which they were received.
pub(super) fn judge(writes: &[Write], rules: &Rules<'_>) -> Verdict {
    let mut verdict = Verdict::default();
    Leases::default().read(writes, &mut verdict);
    for write in writes.iter().filter(|write| write.lease.is_none()) {
        work(write, rules, &mut verdict);
    }
    verdict
}

/// The lease so far.
#[derive(Default)]
struct Leases {
    last: Option<Record>,
    /// Whose identity it is that a record names.
    actors: BTreeMap<String, String>,
}

impl Leases {
    fn read(&mut self, writes: &[Write], verdict: &mut Verdict) {
        for write in writes {
            let Some(record) = &write.lease else { continue };
            if write.is_accepted() {
                self.accepted(write, record, verdict);
            } else if write.code != 409 && !write.is_doubtful() {
                verdict.complain(write, format!("the server answered {}", write.code));
            }
        }
    }

    /// Takes in what the server has stored. Each write names the version it is made of, so those that are stored
    /// are received one after the other.
    fn accepted(&mut self, write: &Write, record: &Record, verdict: &mut Verdict) {
        let before = self.last.replace(record.clone());
        if let Err(what) = well_formed(before.as_ref(), record) {
            verdict.complain(write, what);
        }
        let holder = before.map(|before| before.holder).unwrap_or_default();
        if record.holder.is_empty() {
            verdict.end(write, End::Released);
            return;
        }
        let actor = self.actors.entry(record.holder.clone()).or_insert_with(|| write.actor.clone());
        if *actor != write.actor {
            verdict.complain(write, format!("it is {actor} that is {}", record.holder));
        }
        if record.holder == holder {
            verdict.renew(write);
            return;
        }
        if !holder.is_empty() {
            verdict.taken_early(write);
            verdict.end(write, End::Taken);
        }
        verdict.terms.push(Term {
            actor: write.actor.clone(),
            begun: write.answered,
            lease: record.micros(),
            renewed: vec![write.received],
            over: None,
            end: End::Open,
            written: Vec::new(),
            answered: write.answered,
        });
    }
}

impl Verdict {
    fn complain(&mut self, write: &Write, what: String) {
        let Write { actor, what: sent, received, code, .. } = write;
        let what = format!("{actor} {sent} ({}, answered {code}): {what}", seconds(*received));
        let (actor, is_doubtful) = (write.actor.clone(), write.is_doubtful());
        self.wrong.push(Wrong { actor, what, is_overlap: false, is_doubtful });
    }

    fn renew(&mut self, write: &Write) {
        if let Some(term) = self.terms.last_mut() {
            term.renewed.push(write.received);
        }
    }

    fn end(&mut self, write: &Write, end: End) {
        let Some(term) = self.terms.last_mut().filter(|term| term.end == End::Open) else { return };
        (term.over, term.end) = (Some(write.received), end);
        if end == End::Released && term.actor != write.actor {
            let what = format!("gave up the lease of {}", term.actor);
            self.complain(write, what);
        }
    }

    /// A lease may be taken when it has run out.
    fn taken_early(&mut self, write: &Write) {
        let Some(term) = self.terms.last() else { return };
        let after = write.received - term.renewed.last().copied().unwrap_or_default();
        if after < term.lease {
            let what = format!("took the lease {} after it was renewed", seconds(after));
            self.complain(write, what);
        }
    }
}

/// Wants a write of the work to be within a term of its writer, and soon enough after a renewal.
fn work(write: &Write, rules: &Rules<'_>, verdict: &mut Verdict) {
    let is_within = |term: &&mut Term| {
        term.actor == write.actor
            && term.begun <= write.received
            && term.over.is_none_or(|over| write.answered <= over)
    };
    let Some(term) = verdict.terms.iter_mut().find(is_within) else {
        return without(write, verdict);
    };
    term.written.push(write.received);
    term.answered = term.answered.max(write.answered);
    let before = term.renewed.iter().rev().find(|renewed| **renewed <= write.received);
    let age = write.received - before.copied().unwrap_or_default();
    let stalest = verdict.stalest.entry(write.actor.clone()).or_default();
    *stalest = age.max(*stalest);
    if age > (rules.reach)(&write.actor, term.lease) {
        verdict.complain(write, format!("was sent {} after the lease was renewed", seconds(age)));
    }
}

/// Complains of a write without the lease, and tells who had it while the server dealt with the write.
fn without(write: &Write, verdict: &mut Verdict) {
    let is_then = |term: &&Term| {
        term.begun <= write.answered && term.over.is_none_or(|over| over >= write.received)
    };
    let term = verdict.terms.iter().rev().find(is_then);
    let held = term.map_or_else(
        || "nobody held".to_owned(),
        |term| format!("{} held since {}", term.actor, seconds(term.begun)),
    );
    let is_overlap = term.is_some_and(|term| term.actor != write.actor);
    verdict.complain(write, format!("was sent without the lease, which {held}"));
    if let Some(wrong) = verdict.wrong.last_mut() {
        wrong.is_overlap = is_overlap;
    }
}

/// Whether both sides write the record as the other one reads it.
fn well_formed(before: Option<&Record>, record: &Record) -> Result<(), String> {
    for time in [&record.acquired, &record.renewed] {
        // 2006-01-02T15:04:05.000000Z
        let is_micro = time.len() == 27 && time.as_bytes()[19] == b'.' && time.ends_with('Z');
        if !is_micro || time.parse::<watchkeeper_api::MicroTime>().is_err() {
            return Err(format!("{time:?} is no time of a lease"));
        }
    }
    let Some(before) = before else {
        let first = record.transitions == 0;
        return if first { Ok(()) } else { Err(format!("begins with {}", record.transitions)) };
    };
    let renews = record.holder == before.holder;
    let takes = !renews && !record.holder.is_empty();
    let wanted = before.transitions + i64::from(takes);
    if record.transitions != wanted {
        return Err(format!("has {} transitions, not {wanted}", record.transitions));
    }
    if renews == (record.acquired == before.acquired) {
        return Ok(());
    }
    Err(format!("was acquired at {}, before it at {}", record.acquired, before.acquired))
}

/// Microseconds as people read them; of a time, what is below the hour.
pub(super) fn seconds(micros: i64) -> String {
    format!("{:.6} s", (micros % 3_600_000_000) as f64 / 1e6)
}

#[cfg(test)]
mod tests;
