use super::{Asked, Flags, Known, parse};

const KNOWN: Known = Known("bind-address ip\nis-on\nlist strings\nv Level");

fn asked(arguments: &[&str]) -> Result<Asked, String> {
    parse(KNOWN, arguments.iter().map(Into::into))
}

fn flags(arguments: &[&str]) -> Flags {
    match asked(arguments).expect("flags") {
        Asked::Run(flags) => flags,
        other => panic!("{other:?}"),
    }
}

#[test]
fn values_come_in_the_same_word_or_the_next_one() {
    let flags =
        flags(&["--bind-address=1.2.3.4", "-v", "2", "--is-on", "--list=a, b", "--list", "c"]);
    assert_eq!((flags.last("bind-address"), flags.last("v")), (Some("1.2.3.4"), Some("2")));
    assert_eq!((flags.is("is-on", false), flags.number("v", 0)), (Ok(true), Ok(2)));
    assert_eq!(flags.all("list").collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(
        flags.names().into_iter().collect::<Vec<_>>(),
        ["bind-address", "is-on", "list", "v"]
    );
}

#[test]
fn the_last_of_several_counts_and_an_empty_one_is_none() {
    let flags = flags(&["--bind_address=a", "--bind-address=b", "--v=", "--is-on=false"]);
    assert_eq!((flags.last("bind-address"), flags.last("v")), (Some("b"), None));
    assert_eq!((flags.is("is-on", true), flags.is("v", true)), (Ok(false), Ok(true)));
}

#[test]
fn what_is_not_understood_is_said() {
    let refused = |arguments: &[&str]| asked(arguments).expect_err("refused");
    assert_eq!(refused(&["--is-off"]), "unknown flag: --is-off");
    assert_eq!(refused(&["--bind-address"]), "flag needs an argument: --bind-address");
    assert_eq!(refused(&["run"]), "\"run\" is no flag; flags alone are taken");
    let said = flags(&["--is-on=perhaps", "--v=much"]);
    assert_eq!(said.is("is-on", true), Err("--is-on is yes or no, not \"perhaps\"".to_owned()));
    assert_eq!(said.number("v", 0), Err("--v is a number, not \"much\"".to_owned()));
}

#[test]
fn help_and_version_are_asked_for_before_anything_else() {
    assert!(matches!(asked(&["--help", "--is-off"]), Ok(Asked::Help)));
    assert!(matches!(asked(&["-h"]), Ok(Asked::Help)));
    assert!(matches!(asked(&["--version"]), Ok(Asked::Version)));
    assert_eq!(KNOWN.help().lines().nth(1), Some("      --is-on"));
    assert_eq!(KNOWN.help().lines().next(), Some("      --bind-address ip"));
}
