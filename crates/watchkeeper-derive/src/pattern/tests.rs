//! What Go's parser says, sign by sign.

use super::check;

/// Expressions, each behind what Go says of it: `regexp.Compile` of go 1.26.
const GO: &str = include_str!("tests/go.txt");

/// What a line has instead of a sign that would end it.
fn plain(text: &str) -> String {
    text.replace("␤", "\n")
}

#[test]
fn it_says_what_go_says() {
    let (mut taken, mut refused) = (0, 0);
    for line in GO.lines().filter(|line| !line.starts_with('#')) {
        let (said, pattern) = line.split_once('\t').expect("a verdict and an expression");
        let said = if said == "ok" { Ok(()) } else { Err(plain(said)) };
        assert_eq!(check(&plain(pattern)), said, "of {pattern}");
        *(if said.is_ok() { &mut taken } else { &mut refused }) += 1;
    }
    assert!(taken > 300 && refused > 300, "{taken} and {refused}");
}

/// What is not found: it is taken, and a server refuses the values.
#[test]
fn what_depends_on_the_server_is_left_to_it() {
    assert_eq!(check("\\p{Klingon}"), Ok(()));
    assert_eq!(check(&"(".repeat(2_000).replace('(', "(?:a)")), Ok(()));
}
