//! What the server counts, under upstream's names and labels (`apiserver/pkg/endpoints/metrics`), for
//! `/metrics`.
//!
//! Of what comes over the wire only what is served becomes a label: what there is not is counted together.

mod labels;
mod text;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use http::request::Parts;

use crate::access::Attributes;
use crate::clock::Now;
use crate::registry::Registry;
use crate::step::{Core, Output, Ticket};

use labels::Labels;

/// Upper ends of the buckets of durations, in milliseconds.
const BUCKETS: [u64; 23] = [
    5, 25, 50, 100, 200, 400, 600, 800, 1_000, 1_250, 1_500, 2_000, 3_000, 4_000, 5_000, 6_000,
    8_000, 10_000, 15_000, 20_000, 30_000, 45_000, 60_000,
];

/// The counters of a server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Requests that are not answered.
    open: BTreeMap<Ticket, (Labels, Now)>,
    /// Watches, and the events that each was told.
    streams: BTreeMap<Ticket, (Labels, u64)>,
    /// What has ended.
    ended: BTreeMap<Labels, Ended>,
}

/// Requests with the same labels that have ended.
#[derive(Debug, Default)]
struct Ended {
    /// How many, by the code of the answer.
    codes: BTreeMap<u16, u64>,
    /// Of those that are no watches.
    durations: Histogram,
    /// What watches were told.
    events: u64,
}

/// How long requests took.
#[derive(Clone, Copy, Debug, Default)]
struct Histogram {
    /// How many were as fast as each bucket asks.
    buckets: [u64; BUCKETS.len()],
    count: u64,
    sum: Duration,
}

impl Histogram {
    fn observe(&mut self, took: Duration) {
        for (count, end) in self.buckets.iter_mut().zip(BUCKETS) {
            *count += u64::from(took <= Duration::from_millis(end));
        }
        self.count += 1;
        self.sum = self.sum.saturating_add(took);
    }
}

impl Metrics {
    /// Takes up a request of somebody who may make it.
    pub(crate) fn open(
        &mut self,
        ticket: Ticket,
        registry: &Registry,
        head: &Parts,
        asked: &Attributes,
        now: Now,
    ) {
        self.open.insert(ticket, (Labels::of(registry, head, asked), now));
    }

    /// Counts a request that is one too many (`RecordDroppedRequest`).
    pub(crate) fn dropped(&mut self, registry: &Registry, head: &Parts, asked: &Attributes) {
        let labels = Labels::of_dropped(registry, head, asked);
        self.ended.entry(labels).or_default().count(429);
    }

    /// Counts what comes out of a step.
    pub(crate) fn note(&mut self, outputs: &[Output], now: Now) {
        for output in outputs {
            match output {
                Output::Reply(ticket, response) => self.answered(*ticket, response, now),
                Output::List(ticket, response) => self.answered(*ticket, response, now),
                Output::Start(ticket, _) => {
                    if let Some((labels, _)) = self.open.remove(ticket) {
                        self.streams.insert(*ticket, (labels, 0));
                    }
                }
                Output::Frame(tickets, _) => {
                    for ticket in tickets {
                        if let Some((_, events)) = self.streams.get_mut(ticket) {
                            *events += 1;
                        }
                    }
                }
                Output::Connect(ticket, _) => {
                    if let Some((labels, _)) = self.open.remove(ticket) {
                        self.ended.entry(labels).or_default().count(200);
                    }
                }
                Output::End(ticket) | Output::Hangup(ticket) => self.forget(*ticket),
                Output::Commit(_) | Output::Call(..) | Output::Wake(..) => {}
            }
        }
    }

    fn answered<B>(&mut self, ticket: Ticket, response: &http::Response<B>, now: Now) {
        if let Some((labels, since)) = self.open.remove(&ticket) {
            let ended = self.ended.entry(labels).or_default();
            ended.durations.observe(now.since(since));
            ended.count(response.status().as_u16());
        }
    }

    /// The client has left, or its watch has ended: those are counted at their end.
    pub(crate) fn forget(&mut self, ticket: Ticket) {
        self.open.remove(&ticket);
        if let Some((labels, events)) = self.streams.remove(&ticket) {
            let ended = self.ended.entry(labels).or_default();
            ended.events += events;
            ended.count(200);
        }
    }
}

impl Ended {
    fn count(&mut self, code: u16) {
        *self.codes.entry(code).or_default() += 1;
    }
}

/// What `/metrics` says.
pub(crate) fn answer(core: &Core) -> String {
    text::written(core)
}
