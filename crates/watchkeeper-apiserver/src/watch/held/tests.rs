//! What comes when.

use std::time::Duration;

use bytes::Bytes;

use super::{Held, Lag};
use crate::clock::Now;
use crate::hooks::Passage::{self, Delay, Deliver, Late};

fn at(second: u64) -> Now {
    Now(Duration::from_secs(second))
}

fn lag(now: u64, passages: &[Passage]) -> Lag {
    let mut lag = Lag::default();
    passages.iter().for_each(|passage| lag.add(*passage, at(now)));
    lag
}

/// Keeps frames `a`, `b`, … that come a second after another, and tells what comes at each second.
fn told(passages: &[Passage]) -> Vec<String> {
    let (mut held, mut told) = (Held::default(), Vec::new());
    for second in 0..10 {
        let letter = b'a' + u8::try_from(second).unwrap_or_default();
        if let Some(passage) = passages.get(usize::try_from(second).unwrap_or_default()) {
            held.keep(lag(second, &[*passage]), Bytes::from(vec![letter]));
        }
        told.push(held.take_due(at(second)).map(|bytes| char::from(bytes[0])).collect());
    }
    assert_eq!(held.next(), None);
    told
}

const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

#[test]
fn what_is_delayed_keeps_back_what_follows() {
    let told = told(&[Delay(seconds(3)), Deliver, Delay(seconds(1)), Deliver, Delay(seconds(2))]);
    assert_eq!(told, ["", "", "", "abcd", "", "", "e", "", "", ""]);
}

#[test]
fn what_is_late_is_overtaken() {
    let told = told(&[Late(seconds(2)), Deliver, Late(seconds(5)), Deliver]);
    assert_eq!(told, ["", "b", "a", "d", "", "", "", "c", "", ""]);
}

#[test]
fn what_is_late_does_not_overtake_what_lags_behind() {
    let told = told(&[Delay(seconds(4)), Late(seconds(1)), Deliver]);
    assert_eq!(told, ["", "", "", "", "abc", "", "", "", "", ""]);
}

#[test]
fn of_several_hooks_the_longest_counts() {
    let lag = lag(1, &[Delay(seconds(2)), Deliver, Delay(seconds(5)), Late(seconds(3))]);
    assert_eq!(lag, Lag { in_order: at(6), alone: at(4) });
    assert!(!lag.is_none(at(5)) && lag.is_none(at(6)));
}
