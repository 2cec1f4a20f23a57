//! The tables of docs/parity: no statement is missing, and the tests they name are there.

use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use crate::workspace::root;

mod upstream;

/// Statements that a page must have: a letter and its numbers.
type Statements = &'static [(char, RangeInclusive<u32>)];
/// Defects of others that a page must have: where our notes tell of them, and which.
type Defects = &'static [(&'static str, RangeInclusive<char>)];

/// The pages that are held.
const PAGES: &[(&str, Statements, Defects)] = &[
    ("parity.md", &[('S', 1..=13)], &[]),
    ("parity/api-server.md", &[], &[]),
    // kube-rs' are all there …
    ("parity/cache.md", &[('C', 1..=78), ('Q', 1..=11), ('Y', 1..=8)], &[("1.9", 'a'..='i')]),
    ("parity/client.md", &[('H', 1..=9), ('F', 1..=4), ('T', 1..=4)], &[]),
    // … and here those that concern controllers, beside controller-runtime's.
    (
        "parity/controller.md",
        &[('B', 1..=7), ('N', 1..=10)],
        &[("4.10", '1'..='9'), ("1.9", 'd'..='g'), ("1.9", 'i'..='i')],
    ),
    ("parity/events.md", &[('E', 1..=5), ('R', 1..=9)], &[]),
    ("parity/manager.md", &[('L', 1..=14), ('M', 1..=10)], &[]),
    ("parity/queue.md", &[('W', 1..=35), ('P', 1..=11)], &[]),
    ("parity/values.md", &[], &[]),
];

#[test]
fn no_statement_is_missing_and_each_says_how_it_is_kept() {
    let tests = tests_of_the_tree();
    let mut problems = Vec::new();
    for (page, statements, defects) in PAGES {
        let text = fs::read_to_string(root().join("docs").join(page)).expect("a page");
        let found = judge(&text, statements, defects, &tests);
        problems.extend(found.iter().map(|problem| format!("{page}: {problem}")));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The multiples of memory that values.md states are those at which the fuzzer ends.
#[test]
fn what_a_byte_may_take_is_what_the_fuzzer_allows() {
    let page = fs::read_to_string(root().join("docs/parity/values.md")).expect("a page");
    for target in fs::read_dir(root().join("fuzz/fuzz_targets")).expect("a folder") {
        let path = target.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a source");
        let Some((_, rest)) = text.split_once("bounds::within(") else { continue };
        let multiple = rest.split(", ").next().expect("a number").replace('_', ",");
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let stated = format!("| {multiple} (`{name}`) |");
        assert!(page.contains(&stated), "values.md does not say {stated}");
    }
}

#[test]
fn what_is_wrong_with_a_page_is_found() {
    let tests = BTreeSet::from(["it::list::x_01_holds".to_owned(), "it::b::tests::c_d".to_owned()]);
    let judge = |text: &str| judge(text, &[('X', 1..=2)], &[], &tests);
    let good = "| X-01 | a | `list::x_01_holds`, `…::x_01_holds` |\n| X-02 | b | deviation: no |\n";
    assert_eq!(judge(good), [""; 0]);
    assert_eq!(judge("| X-01 | a | `x_01_holds` |\n"), ["X-02 is missing"]);
    let short = "| X-01 | a | `it::is_gone`, `it::tests`, `Type::a_method` |\n| X-02 | b | `x_01_holds` |\n";
    assert_eq!(judge(short), ["there is no test it::is_gone"]);
    let elsewhere =
        "| X-01 | a | `it::x_01_holds` |\n| X-02 | b | `b::tests::c_d`, `a::tests::c_d` |\n";
    let expected = ["there is no test it::x_01_holds", "there is no test a::tests::c_d"];
    assert_eq!(judge(elsewhere), expected);
    let unkept = "| X-01 | a | some day, `x_01_gone` |\n| X-02 | `x_01_holds` | |\n";
    let expected = ["X-02 has neither a test nor a deviation", "there is no test x_01_gone"];
    assert_eq!(judge(unkept), expected);
    for nothing_said in ["deviation", "a deviation of ours", "Deviation:", "deviation: …"] {
        let row = format!("| X-01 | a | {nothing_said} |\n| X-02 | b | deviation: no |\n");
        assert_eq!(judge(&row), ["X-01 has neither a test nor a deviation"], "{nothing_said}");
    }
    let several = "| X-01 | a | `x_01_…`, `list::…` |\n| X-02 | b | `x_02_…`, `lists::…` |\n";
    assert_eq!(judge(several), ["there is no test x_02_…", "there is no test lists::…"]);
}

#[test]
fn a_defect_without_a_test_is_found() {
    let tests = BTreeSet::from(["it::list::it_holds".to_owned()]);
    let judge = |text: &str| judge(text, &[], &[("4.10", '1'..='2'), ("1.9", 'c'..='c')], &tests);
    let good = "| 4.10-1 | a | `list::it_holds` |\n| 4.10-2 | b | deviation: c, `list::it_holds` |\n\
                | 1.9-c | d | `list::it_holds` |\n";
    assert_eq!(judge(good), [""; 0]);
    assert_eq!(judge(""), ["4.10-1 is missing", "4.10-2 is missing", "1.9-c is missing"]);
    let otherwise = good.replace("4.10-2", "4.10, 2:").replace("| 1.9-c", "| 1.9-d");
    assert_eq!(judge(&otherwise), ["4.10-2 is missing", "1.9-c is missing"]);
    // Nobody would notice when what is only said is not so any more.
    for said in ["none: it says nothing", "deviation: it is another way", "the row of P-08", ""] {
        let page = good.replace("deviation: c, `list::it_holds`", said);
        assert_eq!(judge(&page), ["4.10-2 has no test"], "{said}");
    }
    let elsewhere = good.replace("d | `list::", "d | `map::");
    assert_eq!(judge(&elsewhere), ["there is no test map::it_holds"]);
}

/// What is wrong with a page. A statement may be kept otherwise than upstream does; a defect has a test.
fn judge(
    text: &str,
    statements: Statements,
    defects: Defects,
    tests: &BTreeSet<String>,
) -> Vec<String> {
    let mut problems = Vec::new();
    let rows: Vec<(&str, &str)> = text.lines().filter_map(row).collect();
    let mut hold = |id: &str, is_kept: &dyn Fn(&str) -> bool, otherwise: &str| {
        let mut states = rows.iter().filter(|(row, _)| *row == id).map(|(_, state)| *state);
        match states.next() {
            None => problems.push(format!("{id} is missing")),
            Some(state) if is_kept(state) || states.any(is_kept) => {}
            Some(_) => problems.push(format!("{id} {otherwise}")),
        }
    };
    for (letter, numbers) in statements {
        for number in numbers.clone() {
            let id = format!("{letter}-{number:02}");
            hold(&id, &is_kept, "has neither a test nor a deviation");
        }
    }
    for (notes, which) in defects {
        for defect in which.clone() {
            let has_test = |state: &str| named(state).next().is_some();
            hold(&format!("{notes}-{defect}"), &has_test, "has no test");
        }
    }
    let named = text.lines().flat_map(named);
    let unknown = named.filter(|name| !tests.iter().any(|test| is_of(test, name)));
    problems.extend(unknown.map(|name| format!("there is no test {name}")));
    problems
}

/// The first and the last cell of a row of a table.
fn row(line: &str) -> Option<(&str, &str)> {
    let cells = line.strip_prefix('|')?.strip_suffix('|')?;
    let (first, rest) = cells.split_once('|')?;
    let last = rest.rsplit('|').next()?;
    Some((first.trim(), last.trim()))
}

/// Whether a cell names a test, or says what is otherwise.
fn is_kept(state: &str) -> bool {
    let state_in_lower_case = state.to_lowercase();
    let said = ["deviation: ", "deviations: "].into_iter().any(|word| {
        let what = state_in_lower_case.split_once(word).map_or("", |(_, what)| what);
        what.contains(char::is_alphanumeric)
    });
    named(state).next().is_some() || said
}

/// Whether a test, by its whole path, is the one that is named, by the end of it; or one of those, where the name
/// leaves its own end out.
pub(super) fn is_of(test: &str, named: &str) -> bool {
    if let Some(beginning) = named.strip_suffix('…') {
        return test.contains(&format!("::{beginning}"));
    }
    test.strip_suffix(named).is_some_and(|before| before.is_empty() || before.ends_with("::"))
}

/// The tests named, in code, as they are named: they begin with a statement's id, or stand behind their module.
/// A `…` before is a module that the reader knows by then, and one behind stands for several tests.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split('`').skip(1).step_by(2);
    code.filter_map(|code| {
        let code = code.strip_prefix("…::").unwrap_or(code);
        let name = code.rsplit("::").next()?.trim_end_matches('…');
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let path = code.trim_end_matches('…').strip_suffix(name).unwrap_or_default();
        let is_several = code.ends_with('…');
        let in_module = !path.is_empty()
            && (name.contains('_') || is_several)
            && path.chars().all(|c| is_part(c) || c == ':');
        let is_test = name.chars().all(is_part) && (in_module || is_after_a_statement(name));
        is_test.then_some(code)
    })
}

/// `c_01_…` and `v3_10_…` are.
fn is_after_a_statement(name: &str) -> bool {
    let mut words = name.split('_');
    let group = words.next().and_then(|word| word.strip_prefix(|c: char| c.is_ascii_lowercase()));
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let number = words.next().filter(|word| is_number(word));
    let is_id = match (group, number) {
        (Some(""), Some(number)) => number.len() == 2,
        (Some(group), Some(_)) => is_number(group),
        _ => false,
    };
    is_id && words.next().is_some()
}

/// All tests of the crates, the examples and the models, by their paths: `reflector::tests::one`, `it::two`.
pub(super) fn tests_of_the_tree() -> BTreeSet<String> {
    let mut tests = BTreeSet::new();
    for folder in ["crates", "examples", "conformance", "interop", "xtask"] {
        collect(&root().join(folder), &mut tests);
    }
    assert!(tests.len() > 500, "only {} tests", tests.len());
    tests
}

fn collect(folder: &Path, tests: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, tests);
        } else if path.extension().is_some_and(|rs| rs == "rs") {
            let (text, module) = (fs::read_to_string(&path).expect("a source"), module_of(&path));
            tests.extend(tests_of(&text).map(|test| format!("::{module}::{test}")));
        }
    }
}

/// The module that a source is, below `src` or `tests`.
fn module_of(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path).with_extension("");
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let roots = ["src", "tests"];
    let root = parts.iter().position(|part| roots.contains(part)).map_or(0, |at| at + 1);
    let parts = parts[root..].iter().filter(|part| !["lib", "main"].contains(part));
    parts.copied().collect::<Vec<_>>().join("::")
}

/// The functions of a source that have a test's attribute, behind the module of the source that they are in.
fn tests_of(text: &str) -> impl Iterator<Item = String> {
    let attributes = ["#[test]", "#[tokio::test"];
    attributes.into_iter().flat_map(move |attribute| {
        text.match_indices(attribute).filter_map(move |(at, _)| {
            let (before, rest) = text[at + attribute.len()..].split_once("fn ")?;
            let is_next = !before.contains('}') && !before.contains("mod ");
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
            let module = inner_module(&text[..at]).map(|module| format!("{module}::"));
            is_next.then(|| format!("{}{}", module.unwrap_or_default(), &rest[..end]))
        })
    })
}

/// The module that is open where a text ends.
fn inner_module(text: &str) -> Option<&str> {
    let (_, rest) = text.rsplit_once("\nmod ")?;
    let (name, inside) = rest.split_once(" {\n")?;
    let is_open = !inside.contains("\n}\n") && !name.contains('\n');
    is_open.then_some(name)
}

#[test]
fn tests_are_told_from_other_functions() {
    let text =
        "fn a() {}\n#[test]\nfn b() {}\n#[tokio::test(x)]\n#[y]\nasync fn c_d() {}\nfn e() {}";
    assert_eq!(tests_of(text).collect::<Vec<_>>(), ["b", "c_d"]);
    let text = "mod a;\nmod b {\n    #[test]\n    fn c() {}\n}\n#[test]\nfn d() {}\n";
    assert_eq!(tests_of(text).collect::<Vec<_>>(), ["b::c", "d"]);
}

#[test]
fn a_source_is_a_module() {
    let module = |path| module_of(Path::new(path));
    assert_eq!(module("crates/a/src/b/tests.rs"), "b::tests");
    assert_eq!(module("crates/a/src/lib.rs"), "");
    assert_eq!(module("crates/a/tests/it/main.rs"), "it");
    assert_eq!(module("crates/a/tests/it/b.rs"), "it::b");
}
