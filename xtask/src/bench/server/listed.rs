//! Lists of many pods over a socket.

use super::Programs;
use super::beside::{Side, Started};
use crate::bench::build;
use crate::bench::talk::Talk;
use crate::{Outcome, kernel};

/// What a list has cost.
#[derive(Debug, Default)]
pub(super) struct Listed {
    /// How many bytes came.
    pub(super) bytes: u64,
    /// Nanoseconds, the shortest of some times.
    pub(super) took: u64,
    /// The same of those bytes as they are, out of memory; none of the real server.
    pub(super) copied: u64,
    /// By how many bytes what is resident grew at most.
    pub(super) growth: u64,
}

/// How often each list is read.
const TIMES: usize = 3;
/// How many make the pods of the real server.
const WRITERS: u64 = 16;
const PODS: &str = "/api/v1/namespaces/default/pods";

pub(super) fn of_ours(programs: &Programs, pods: u64) -> Outcome<Listed> {
    let mut server = build::command(&programs.listed);
    server.arg(pods.to_string());
    let mut server = Talk::start(server)?;
    let mut client = programs.client(&server.hear()?, "")?;
    let [before] = asked(&mut server, "begin")?;
    let (bytes, took) = fastest(&mut client)?;
    let [peak] = asked(&mut server, "peak")?;
    server.say("copies")?;
    let mut copier = programs.client(&server.hear()?, "")?;
    let (same, copied) = fastest(&mut copier)?;
    if bytes != same {
        return Err(format!("{bytes} bytes were listed and {same} copied"));
    }
    Ok(Listed { bytes, took, copied, growth: peak.saturating_sub(before) })
}

pub(super) fn of_the_real(programs: &Programs, pods: u64) -> Outcome<Listed> {
    let started = Started::begin(programs, Side::Real)?;
    let mut client = programs.client(&started.url, &started.token)?;
    client.say(&format!("pods web {WRITERS} {pods}"))?;
    client.hear_numbers::<1>()?;
    let id = *started.ids().last().ok_or("no server")?;
    let before = kernel::resident(id)?;
    kernel::forget_peak(id)?;
    let (bytes, took) = fastest(&mut client)?;
    let growth = kernel::peak(id)?.saturating_sub(before);
    Ok(Listed { bytes, took, copied: 0, growth })
}

/// The bytes that came, and the fewest nanoseconds.
fn fastest(client: &mut Talk) -> Outcome<(u64, u64)> {
    let mut fastest = (0, u64::MAX);
    for _ in 0..TIMES {
        client.say(&format!("list {PODS}"))?;
        let [bytes, took] = client.hear_numbers()?;
        fastest = (bytes, took.min(fastest.1));
    }
    Ok(fastest)
}

fn asked(talk: &mut Talk, line: &str) -> Outcome<[u64; 1]> {
    talk.say(line)?;
    talk.hear_numbers()
}
