use super::*;

/// What becomes of a script of the shell.
fn check(script: &str, expected: Verdict) {
    let mut tests = Command::new("sh");
    tests.args(["-c", script]).env(VARIABLE, "7");
    assert_eq!(judged(&tests, 1.0), Ok(expected), "{script}");
}

#[test]
fn a_mutant_is_caught_when_a_test_fails() {
    check("exit 101", Verdict::Caught);
    check("kill -s ABRT $$", Verdict::Caught);
    check("test $WATCHKEEPER_MUTANT = 7 && exit 1", Verdict::Caught);
    // Nobody waits for the rest.
    check("echo 'test state::a ... FAILED'; exec sleep 600", Verdict::Caught);
}

#[test]
fn a_mutant_survives_when_all_tests_pass() {
    check("echo 'test state::a ... ok'", Verdict::Missed);
}

#[test]
fn what_does_not_come_to_an_end_is_stopped() {
    check("while :; do :; done", Verdict::Hung);
    let mut waits = Command::new("sleep").arg("600").stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(watch(&mut waits, 3), Some(Verdict::Hung));
    waits.kill().unwrap();
    waits.wait().unwrap();
}

/// This program's own tests: which pass, and that there are none of a name.
#[test]
fn without_a_mutant_the_tests_must_pass_and_be_some() {
    let program = std::env::current_exe().unwrap();
    let control = |tests: &[&str]| Trial::control(&program, Path::new("/"), tests);
    let trial = control(&["trial::tests::what_takes_no_time"]).unwrap();
    assert_eq!(trial.stages.len(), 1);
    assert_eq!(trial.run(&program, None), Ok(Verdict::Missed));
    let error = control(&["no such test"]).unwrap_err();
    assert!(error.starts_with("without a mutant: no such test: 0 tests pass"), "{error}");
}

#[test]
fn what_takes_no_time_is_run_first() {
    let times = [("a", 0), ("b", 20), ("c", 1), ("d", 30)];
    let stages = stages(times.map(|(test, ticks)| (test.to_owned(), ticks)).into());
    let stage =
        |tests: [&str; 2], seconds| Stage { tests: tests.map(str::to_owned).into(), seconds };
    assert_eq!(stages, [stage(["a", "c"], LEAST_TIME), stage(["b", "d"], 15.0)]);
    assert_eq!(passed("test a::b ... ok"), Some("a::b"));
    assert_eq!(passed("test a::b ... FAILED"), None);
}
