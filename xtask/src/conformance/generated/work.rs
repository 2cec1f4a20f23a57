//! Sending cases to both servers, some at a time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use watchkeeper_generator::{Answer, Case, Difference, Digest, Request, Told, differences, masked};

use super::compare::Deviation;
use super::report::Report;
use super::wire::Wire;
use crate::{Outcome, step};

/// How long upstream may take to serve what has been defined.
const SERVED: Duration = Duration::from_secs(20);

/// What became of a case.
pub(super) enum Verdict {
    /// With the digest of what both say.
    Equal(Digest),
    /// Different, as the deviation of this index says.
    Listed(usize),
    Wrong(Wrong),
}

/// A case that is answered differently.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    /// Which of its requests is the first one.
    pub(super) request: usize,
    pub(super) answers: [Answer; 2],
    pub(super) differences: Vec<Difference>,
}

/// A server, and what it last said of the object of the case.
struct Side {
    wire: Wire,
    told: Told,
}

impl Side {
    fn to(address: &str) -> Self {
        Self { wire: Wire::to(address.to_owned()), told: Told::default() }
    }

    fn ask(&mut self, request: &Request) -> Outcome<()> {
        let (path, body) = (self.told.fill(&request.path), self.told.fill(&request.body));
        self.wire.ask(request, &path, &body)
    }

    fn hear(&mut self) -> Outcome<Answer> {
        let answer = self.wire.answer()?;
        self.told.hear(&answer);
        Ok(answer)
    }
}

/// Both servers.
struct Sides([Side; 2]);

impl Sides {
    fn to(addresses: &[String; 2]) -> Self {
        Self(addresses.each_ref().map(|address| Side::to(address)))
    }

    /// Asks both at once.
    fn answers(&mut self, request: &Request) -> Outcome<[Answer; 2]> {
        let [real, embedded] = &mut self.0;
        real.ask(request)?;
        embedded.ask(request)?;
        Ok([real.hear()?, embedded.hear()?])
    }

    fn run(&mut self, case: &Case, deviations: &[Deviation]) -> Outcome<Verdict> {
        for side in &mut self.0 {
            side.told = Told::default();
        }
        let verdict = self.compared(case, deviations)?;
        for request in &case.after {
            self.answers(request)?;
        }
        Ok(verdict)
    }

    fn compared(&mut self, case: &Case, deviations: &[Deviation]) -> Outcome<Verdict> {
        let (mut is_good, mut digest) = (true, Digest::default());
        for (index, request) in case.requests.iter().enumerate() {
            if request.waits && !is_good {
                break;
            }
            let answers =
                if request.waits { self.served(request)? } else { self.answers(request)? };
            is_good = answers.iter().all(Answer::is_good);
            let masked = answers.each_ref().map(|answer| masked(answer, &request.body));
            let found = differences(&masked[0], &masked[1]);
            if found.is_empty() {
                digest.add(&masked[0]);
                continue;
            }
            let told = format!("{} {}", request.method, request.path);
            let listed = deviations.iter().position(|one| one.tells(&told, &found));
            return Ok(listed.map_or_else(
                || Verdict::Wrong(Wrong { request: index, answers: masked, differences: found }),
                Verdict::Listed,
            ));
        }
        Ok(Verdict::Equal(digest))
    }

    fn served(&mut self, request: &Request) -> Outcome<[Answer; 2]> {
        let mut last = self.answers(request)?;
        // In the end the last answers count.
        let _late = step::until(SERVED, || {
            if last.iter().all(|answer| ![404, 429].contains(&answer.code)) {
                return Ok(true);
            }
            last = self.answers(request)?;
            Ok(false)
        });
        Ok(last)
    }
}

/// Sends what must succeed on both.
///
/// # Errors
/// The first that does not.
pub(super) fn prepare(addresses: &[String; 2], requests: &[Request]) -> Outcome<()> {
    let mut sides = Sides::to(addresses);
    for request in requests {
        let answers = sides.answers(request)?;
        if let Some(answer) = answers.iter().find(|answer| answer.code != 201) {
            return Err(format!("{request}\n    {}", answer.body));
        }
    }
    Ok(())
}

/// Runs cases, so many at a time.
///
/// # Errors
/// That a server does not answer.
pub(super) fn all(
    addresses: &[String; 2],
    of: impl Fn(u64) -> Case + Sync,
    deviations: &[Deviation],
    numbers: &[u64],
    workers: u64,
    report: &mut Report,
) -> Outcome<()> {
    let (next, report) = (AtomicUsize::new(0), Mutex::new(report));
    let work = || {
        let mut sides = Sides::to(addresses);
        while let Some(number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
            let case = of(*number);
            let failed = |problem| format!("case {number}: {problem}");
            let verdict = sides.run(&case, deviations).map_err(failed)?;
            let mut report = report.lock().map_err(|_| "a worker panicked".to_owned())?;
            report.add(*number, &case, verdict);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers.max(1)).map(|_| scope.spawn(work)).collect();
        let mut ended = workers.into_iter().map(|worker| worker.join());
        ended.try_for_each(|end| end.map_err(|_| "a worker panicked".to_owned())?)
    })
}
