//! What is wrong with the command line itself.

use crate::program::refused;

/// Runs with a flag's value and wants these words in the sentence.
#[track_caller]
fn says(flag: &str, value: &str, words: &str) {
    let text = refused(&[flag, value]);
    assert!(text.contains(flag), "it names the flag: {text}");
    assert!(text.contains(words), "{flag} {value} should say {words:?}: {text}");
}

#[test]
fn a_flag_that_is_unknown() {
    assert!(refused(&["--bogus"]).contains("--bogus"));
    assert!(refused(&["--once", "extra"]).contains("extra"));
}

#[test]
fn workers_that_are_none_or_too_many() {
    for wrong in ["0", "-1", "1001", "99999999999999999999", "many", ""] {
        says("--workers", wrong, "a whole number from 1 to 1000");
    }
}

#[test]
fn a_duration_without_a_unit() {
    says("--timeout", "3", "the unit is missing; for seconds write 3s");
    says("--resync", "30", "the unit is missing; for seconds write 30s");
}

#[test]
fn a_duration_that_is_none() {
    says("--timeout", "soon", "a whole number with a unit, as in 30s");
    says("--resync", "-5s", "a whole number with a unit, as in 30s");
    says("--timeout", "", "a whole number with a unit, as in 30s");
    says("--timeout", "3d", "\"d\" is no unit; use ms, s, m or h");
    says("--timeout", "1.5s", "as in 1500ms");
}

#[test]
fn a_duration_out_of_reason() {
    for wrong in ["99999999999999999999s", "18446744073709551615h", "8761h"] {
        says("--resync", wrong, "too long");
        says("--timeout", wrong, "too long");
    }
    says("--resync", "10ms", "too often");
    says("--timeout", "0s", "in no time");
}

#[test]
fn a_port_that_is_none() {
    for wrong in ["99999", "-1", "http"] {
        says("--port", wrong, "a port from 1 to 65535, or 0 for a free one");
    }
    says("--output", "xml", "xml");
}

#[test]
fn a_port_of_a_cluster_that_is_not_embedded() {
    let text = refused(&["--port", "8080", "--master", "http://127.0.0.1:1"]);
    assert!(text.contains("--port") && text.contains("--master"), "{text}");
}

#[test]
fn once_on_a_real_cluster_without_a_foo_before_anything_is_connected() {
    let text = refused(&["--once", "--master", "http://127.0.0.1:1"]);
    assert!(text.contains("add --foo FILE"), "{text}");
}

#[test]
fn an_election_that_nobody_can_take_part_in() {
    let text = refused(&["--leader-elect"]);
    assert!(text.contains("add --kubeconfig, --context or --master"), "{text}");
    says("--leader-elect-lease-duration", "15", "the unit is missing");
}
