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
    let programs = [program];
    let control = |tests: &[&str]| Trial::control(&programs, Path::new("/"), tests);
    let trial = control(&["trial::tests::what_takes_no_time"]).unwrap();
    let names: Vec<_> = trial.tests.iter().map(|test| &*test.name).collect();
    assert_eq!(names, ["mutants::trial::tests::what_takes_no_time_is_run_first"]);
    assert_eq!(trial.run(&programs, None), Ok(Verdict::Missed));
    // It gets to none, so nothing need be run.
    assert_eq!(trial.run(&[], Some(0)), Ok(Verdict::Missed));
    let error = control(&["no such test"]).unwrap_err();
    assert_eq!(error, "without a mutant: there is no test of no such test");
}

#[test]
fn what_takes_no_time_is_run_first() {
    let test = |(program, name, ticks): (usize, &str, u64)| Test {
        program,
        name: name.to_owned(),
        ticks,
        reaches: BTreeSet::new(),
    };
    let tests = [(0, "a", 0), (0, "b", 30), (0, "c", 1), (1, "d", 20), (1, "e", 0)].map(test);
    let stages = stages(tests.iter().collect());
    let stage = |program, tests: &[&'static str], seconds| Stage {
        program,
        tests: tests.to_vec(),
        seconds,
    };
    let expected = [
        stage(0, &["a", "c"], LEAST_TIME),
        stage(1, &["e"], LEAST_TIME),
        stage(0, &["b"], 10.0),
        stage(1, &["d"], 7.0),
    ];
    assert_eq!(stages, expected);
}
