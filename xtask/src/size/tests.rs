//! How figures look, and what is too large.

use super::{MOST, Memory, megabytes, within};

#[test]
fn megabytes_are_rounded_to_a_tenth() {
    let shown = [0, 49_999, 50_000, 6_091_648, 9_950_000].map(megabytes);
    assert_eq!(shown, ["0.0 MB", "0.0 MB", "0.1 MB", "6.1 MB", "10.0 MB"]);
}

#[test]
fn what_is_above_the_goal_is_named() {
    let holds = |resident| Memory { resident, private: 700_000 };
    assert_eq!(within(MOST, &holds(MOST)), Ok(()));
    let file = "minimal, as it is shipped: the file has 10.1 MB, 100000 bytes above 10.0 MB";
    assert_eq!(within(10_100_000, &holds(9_000_000)), Err(file.to_owned()));
    // One byte is enough, though it does not show in the megabytes.
    let memory = "minimal, as it is shipped: resident memory has 10.0 MB, 1 bytes above 10.0 MB";
    assert_eq!(within(7_600_000, &holds(MOST + 1)), Err(memory.to_owned()));
    assert_eq!(within(10_100_000, &holds(MOST + 1)), Err(format!("{file}\n{memory}")));
}
