use super::{failures, listed, upstream};

#[test]
fn flags_are_read_off_what_the_real_programs_say_of_themselves() {
    let help = "\
Usage:
  kube-apiserver [flags]

Generic flags:

      --advertise-address ip            The address, as in --bind-address.
      --allow-privileged                If true, allow. [default=false]
  -h, --help                            help for kube-apiserver
  -v, --v Level                         number for the log level
";
    assert_eq!(listed(help), "advertise-address ip\nallow-privileged\nv Level\n");
    let help = "\
Member:
  --name 'default'
    Human-readable name.
  --unsafe-no-fsync 'false'
    Unsafe: disables fsync.
";
    assert_eq!(listed(help), "name value\nunsafe-no-fsync\n");
}

#[test]
fn what_failed_is_told_without_the_rest() {
    let told = "\
=== RUN   TestA
noise
    a_test.go:1:
        Expected this
--- FAIL: TestA (0.1s)
=== RUN   TestB
    a_test.go:2: by the way
--- PASS: TestB (0.1s)
panic: boom
";
    let wanted = "\
--- FAIL: TestA (0.1s)
    a_test.go:1:
        Expected this
panic: boom";
    assert_eq!(failures(told), wanted);
}

#[test]
fn packages_without_tests_do_not_count() {
    let told = "ok  \ta/b\t1.0s\nok  \ta/c\t0.1s [no tests to run]\n?   \ta/d\t[no test files]\nFAIL\ta/e\t2s\n";
    assert_eq!(upstream::passed(told), 1);
    assert_eq!(upstream::failures(told), "FAIL\ta/e\t2s");
}
