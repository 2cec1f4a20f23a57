//! Every write of a run as text, and where two runs part.

use std::sync::{Arc, Mutex};

use watchkeeper::apiserver::Hook;
use watchkeeper::apiserver::hooks::{Aftermath, Write};
use watchkeeper::apiserver::storage::Event;

/// A hook that notes every write; clones share the notes.
#[derive(Clone, Default)]
pub(super) struct Diary(Arc<Mutex<Vec<String>>>);

impl Diary {
    /// The writes so far, each as `ordinal actor verb table key {object}`.
    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().expect("no writer panicked").clone()
    }
}

impl Hook for Diary {
    fn after_commit(&mut self, write: &Write<'_>, event: &Event) -> Aftermath {
        let Write { verb, actor, table, key, ordinal, .. } = write;
        let object = String::from_utf8_lossy(&event.object.tail);
        let line = format!("{ordinal} {actor} {} {table} {key} {object}", verb.name());
        self.0.lock().expect("no writer panicked").push(line);
        Aftermath::Reply
    }
}

/// What both runs wrote last before they parted, and what each wrote first after it; `None` if
/// they did not part.
pub(crate) fn first_difference(first: &[String], second: &[String]) -> Option<String> {
    let same = first.iter().zip(second).take_while(|(a, b)| a == b).count();
    if same == first.len() && same == second.len() {
        return None;
    }
    let before = first[..same].iter().rev().take(3).rev().map(|line| format!("  both   {line}\n"));
    let at = |lines: &[String]| lines.get(same).map_or("(nothing more)", |line| line).to_owned();
    let (first, second) = (at(first), at(second));
    Some(format!(
        "the runs part at write {same}:\n{}  first  {first}\n  second {second}",
        before.collect::<String>()
    ))
}

#[test]
fn the_first_difference_is_told_with_what_led_to_it() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let told = |a: &str, b: &str| first_difference(&lines(a), &lines(b)).unwrap_or_default();
    assert_eq!(told("1\n2", "1\n2"), "");
    assert_eq!(
        told("1\n2\n3", "1\n2\n4"),
        "the runs part at write 2:\n  both   1\n  both   2\n  first  3\n  second 4"
    );
    assert_eq!(
        told("1", "1\n2"),
        "the runs part at write 1:\n  both   1\n  first  (nothing more)\n  second 2"
    );
}
