//! What turns into a failure, and what follows it.

use std::io;

use watchkeeper_api::error::Subject;
use watchkeeper_api::meta::v1::{Status, StatusDetails};
use watchkeeper_api::{Error, object};

use super::*;

fn fails<T>(error: impl Into<Failure>) -> Result<T, Failure> {
    Err(error.into())
}

fn failure(result: Result<(), Failure>) -> Failure {
    result.unwrap_err()
}

#[test]
fn the_question_mark_takes_errors_text_and_boxes() {
    fn reconcile(which: u8) -> Result<(), Failure> {
        match which {
            0 => Err(io::Error::other("disk"))?,
            1 => Err("text")?,
            2 => Err(format!("text {which}"))?,
            3 => Err(BoxError::from("box"))?,
            4 => "x".parse::<u8>().map(drop)?,
            _ => Err(Error::other("ours"))?,
        }
        Ok(())
    }
    let told: Vec<_> = (0..6).map(|which| failure(reconcile(which)).to_string()).collect();
    let expected = ["disk", "text", "text 2", "box", "invalid digit found in string", "ours"];
    assert_eq!(told, expected);
}

#[test]
fn a_failure_is_tried_again_unless_it_says_otherwise() {
    let delay = Duration::from_secs(3);
    assert_eq!(failure(fails("x")).retry(), Retry::Backoff);
    assert_eq!(failure(Err("x").terminal()).retry(), Retry::Never);
    assert_eq!(failure(Err("x").retry_after(delay)).retry(), Retry::After(delay));
    assert_eq!(Failure::new("x").retry_after(delay).retry(), Retry::After(delay));
    assert!(failure(fails::<()>("x").terminal()).is_terminal());
}

#[derive(Debug)]
struct Wrapped(Error);

impl fmt::Display for Wrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("while making tea")
    }
}

impl StdError for Wrapped {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.0)
    }
}

#[test]
fn the_class_and_the_text_of_an_error_survive_wrapping() {
    let failure = Failure::new(Wrapped(conflict()));
    assert!(failure.is_conflict());
    let told = failure.to_string();
    assert!(told.starts_with("while making tea: "), "{told}");
    assert!(!Failure::new("conflict").is_conflict());
}

fn conflict() -> Error {
    let status =
        object!(Status { code: 409, reason: "Conflict", message: "the object has been modified" });
    Error::from_status(Subject::new("update", "pods").of("shop", "web"), status)
}

#[test]
fn the_servers_wish_for_a_pause_counts_if_the_reconciler_has_none() {
    let busy = || {
        let details = object!(StatusDetails { retry_after_seconds: 7 });
        let status = object!(Status { code: 429, reason: "TooManyRequests" });
        let status = Status { details: Some(Box::new(details)), ..status };
        Error::from_status(Subject::new("get", "pods"), status)
    };
    assert_eq!(Failure::from(busy()).retry(), Retry::After(Duration::from_secs(7)));
    let own = Duration::from_secs(1);
    assert_eq!(Failure::from(busy()).retry_after(own).retry(), Retry::After(own));
}

#[test]
fn it_is_no_more_than_it_says() {
    let plain = Failure::new("x");
    assert!(!plain.is_terminal() && !plain.is_behind() && !plain.is_conflict());
    assert_eq!(format!("{plain:?}"), "Failure { why: \"x\", again: Backoff }");
}

#[test]
fn what_follows_is_told_in_words() {
    let told = [Retry::Backoff, Retry::After(Duration::from_secs(3)), Retry::Never];
    let told = told.map(|retry| retry.to_string());
    assert_eq!(told, ["after a backoff", "after 3s", "when something changes"]);
}
