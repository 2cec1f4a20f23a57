//! What is kept. What is decided by it is told by the scripts of the floors.

use super::*;

#[test]
fn what_is_in_doubt_as_a_whole_is_kept_once() {
    let mut doubts = Doubts::default();
    let lost = |number| Touched::One(("default", &*format!("x{number}")).into());
    (0..=MOST).for_each(|number| doubts.raise(lost(number), 1));
    let kept: Vec<&Touched> = doubts.of.keys().collect();
    assert_eq!(kept, [&Touched::Many("default".to_owned())]);
}

/// A process that deletes for years keeps no name of it.
#[test]
fn ends_are_remembered_while_something_is_asked() {
    let mut doubts = Doubts::default();
    let (key, ended) = (ObjectKey::from(("default", "a")), Ended { ticket: 2, began: 0 });
    let question = Question::One(key.clone());
    doubts.ended(&key, ended);
    assert!(doubts.ended.is_empty(), "nothing is asked");
    doubts.ask(question.clone(), Duration::ZERO);
    doubts.begin(&question);
    doubts.ended(&key, ended);
    doubts.forget_ends();
    assert_eq!(doubts.end_since(&key, 0).map(|ended| ended.ticket), Some(2));
    let moment = doubts.next_moment();
    assert!(doubts.end_since(&key, moment).is_none(), "it was told before");
    doubts.settle(&question, moment);
    doubts.forget_ends();
    assert!(doubts.ended.is_empty());
}
