//! Each bullet of the list of what an embedded API server must do has at least three sides in the suite that two
//! servers answer, or a reason why it has not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::parity;
use crate::workspace::root;

/// The chapters V0 to V13, with the number of their bullets.
const BULLETS: [u32; 14] = [8, 6, 7, 10, 12, 4, 6, 2, 2, 4, 6, 2, 3, 3];

/// How many answers a bullet must have that differ from one another.
const SIDES: usize = 3;

/// Bullets that requests to two servers cannot show: why, and the tests that hold them instead.
const ELSEWHERE: &[(&str, &str, &[&str])] = &[];

/// The folders of cases, each asked by the chore of its name.
fn suites() -> Vec<(Vec<Value>, Vec<Value>)> {
    let folder = root().join("crates/watchkeeper-apiserver/tests/it");
    let folders = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("one").path());
    let folders = folders.filter(|folder| folder.join("cases.json").exists());
    let read = |file: std::path::PathBuf| -> Vec<Value> {
        let text = fs::read_to_string(&file).expect("a file");
        serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", file.display()))
    };
    folders
        .map(|folder| (read(folder.join("cases.json")), read(folder.join("answers.json"))))
        .collect()
}

/// The answers to the cases of each bullet that differ from one another. What only makes ready for others, of
/// which nothing but the code counts, is no side.
fn sides(suites: &[(Vec<Value>, Vec<Value>)]) -> BTreeMap<String, BTreeSet<String>> {
    let mut sides = BTreeMap::<String, BTreeSet<String>>::new();
    for (cases, answers) in suites {
        for (case, answer) in cases.iter().zip(answers) {
            let is_compared = case["only"] != "code" || !case["tell"].is_null();
            let of = sides.entry(case["id"].as_str().unwrap_or_default().to_owned()).or_default();
            of.extend(is_compared.then(|| answer.to_string()));
        }
    }
    sides
}

fn bullets() -> Vec<String> {
    let chapters = (0..).zip(BULLETS);
    chapters
        .flat_map(|(chapter, count)| (1..=count).map(move |n| format!("V{chapter}.{n}")))
        .collect()
}

/// What is wrong with the sides of bullets, and with the list of those that are held elsewhere.
fn judge(
    bullets: &[String],
    sides: &BTreeMap<String, BTreeSet<String>>,
    elsewhere: &[(&str, &str, &[&str])],
    tests: &BTreeSet<String>,
) -> Vec<String> {
    let mut problems = Vec::new();
    for bullet in bullets {
        let count = sides.get(bullet).map_or(0, BTreeSet::len);
        let is_elsewhere = elsewhere.iter().any(|(id, ..)| id == bullet);
        if count < SIDES && !is_elsewhere {
            problems.push(format!("{bullet} has {count} sides"));
        } else if count >= SIDES && is_elsewhere {
            problems.push(format!("{bullet} has {count} sides, and need not be held elsewhere"));
        }
    }
    let named = sides.keys().map(String::as_str).chain(elsewhere.iter().map(|(id, ..)| *id));
    let unknown = named.filter(|id| !bullets.iter().any(|bullet| bullet == id));
    problems.extend(unknown.map(|id| format!("there is no bullet {id}")));
    for (id, reason, named) in elsewhere {
        let of = |name: &&&str| tests.iter().filter(|test| parity::is_of(test, name)).count();
        let missing = named.iter().filter(|name| of(name) == 0);
        problems.extend(missing.map(|name| format!("{id}: there is no test {name}")));
        if reason.is_empty() || named.iter().map(|name| of(&name)).sum::<usize>() < SIDES {
            problems.push(format!("{id} has no reason, or fewer than {SIDES} tests"));
        }
    }
    problems
}

#[test]
fn each_bullet_has_three_sides() {
    let (sides, tests) = (sides(&suites()), parity::tests_of_the_tree());
    let problems = judge(&bullets(), &sides, ELSEWHERE, &tests);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn each_bullet_stands_in_the_table_of_parity() {
    let page = fs::read_to_string(root().join("docs/parity/api-server.md")).expect("the page");
    let missing = |bullet: &String| !page.contains(&format!("\n| {bullet} | "));
    assert_eq!(bullets().into_iter().filter(missing).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn what_is_wrong_with_bullets_is_found() {
    let bullets = ["V0.1".to_owned(), "V0.2".to_owned()];
    let tests = BTreeSet::from(["::it::a::v0_2_one".to_owned(), "::it::a::v0_2_two".to_owned()]);
    let of = |one: &[&str], two: &[&str]| {
        let set = |answers: &[&str]| answers.iter().map(|&answer| answer.to_owned()).collect();
        BTreeMap::from([("V0.1".to_owned(), set(one)), ("V0.2".to_owned(), set(two))])
    };
    let judge = |sides: &_, elsewhere: &[_]| judge(&bullets, sides, elsewhere, &tests);
    let three = &["a", "b", "c"];
    assert_eq!(judge(&of(three, three), &[]), [""; 0]);
    assert_eq!(judge(&of(three, &["a", "b"]), &[]), ["V0.2 has 2 sides"]);
    let named: (&str, &str, &[&str]) = ("V0.2", "why", &["a::v0_2_one", "v0_2_…", "v0_2_two"]);
    assert_eq!(judge(&of(three, &[]), &[named]), [""; 0]);
    let needless = "V0.2 has 3 sides, and need not be held elsewhere";
    assert_eq!(judge(&of(three, three), &[named]), [needless]);
    let few = "V0.2 has no reason, or fewer than 3 tests";
    assert_eq!(judge(&of(three, &[]), &[("V0.2", "why", &["v0_2_…"])]), [few]);
    assert_eq!(judge(&of(three, &[]), &[("V0.2", "", named.2)]), [few]);
    let gone = judge(&of(three, &[]), &[("V0.2", "why", &["v0_2_…", "v0_2_one", "v0_2_gone"])]);
    assert_eq!(gone, ["V0.2: there is no test v0_2_gone"]);
    let mut unknown = of(three, three);
    unknown.insert("V9.9".to_owned(), BTreeSet::new());
    assert_eq!(judge(&unknown, &[]), ["there is no bullet V9.9"]);
    assert_eq!(judge(&of(three, three), &[("V8.8", "why", named.2)]), ["there is no bullet V8.8"]);
}

#[test]
fn what_only_makes_ready_is_no_side() {
    let cases = serde_json::json!([{"id": "V0.1"}, {"id": "V0.1"}, {"id": "V0.1", "only": "code"},
        {"id": "V0.1", "only": "code", "tell": ["etag"]}]);
    let answers = serde_json::json!([{"code": 200}, {"code": 200}, {"code": 201}, {"code": 304}]);
    let list = |value: Value| value.as_array().cloned().expect("a list");
    let sides = sides(&[(list(cases), list(answers))]);
    assert_eq!(sides["V0.1"].len(), 2);
}
