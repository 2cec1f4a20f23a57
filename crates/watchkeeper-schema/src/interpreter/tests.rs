//! What expressions give, what they cost, and that nothing is without a limit.

use std::sync::Arc;

use super::*;

fn run(text: &str) -> (Outcome, u64) {
    run_with(text, "")
}

/// As [`run`], of an expression that names a `pattern`.
fn run_with(text: &str, pattern: &str) -> (Outcome, u64) {
    let expression = parse::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"));
    let list = (0..2_000).map(Value::Int).collect();
    let given = Variables::from([
        ("many".to_owned(), Value::List(Arc::new(list))),
        ("long".to_owned(), Value::String(Arc::new("a".repeat(100_000)))),
        ("name".to_owned(), Value::String(Arc::new("lamp".to_owned()))),
        ("pattern".to_owned(), Value::String(Arc::new(pattern.to_owned()))),
    ]);
    Interpreter::new().run(&expression, &given, MOST_PER_CALL)
}

fn holds(text: &str) {
    assert_eq!(run(text).0, Ok(Value::Bool(true)), "{text}");
}

fn wrong(text: &str) -> String {
    run(text).0.expect_err(text).text()
}

#[test]
fn operators_give_what_upstream_gives() {
    for text in [
        "1 + 2 * 3 == 7 && 7 / 2 == 3 && 7 % 4 == 3 && -(1) == 0 - 1",
        "1 == 1.0 && 1u < 2 && 2.5 > 2 && [1, 2] == [1.0, 2.0]",
        "'a' + 'b' == 'ab' && [1] + [2] == [1, 2] && b'a' + b'b' == b'ab'",
        "{'a': 1}.a == 1 && {'a': 1}['a'] == 1 && !has({'a': 1}.b) && 'a' in {'a': 1}",
        "2 in many && !(-1 in many) && many[1999] == 1999 && 'é'.size() == 1",
        "dyn(1) == 1 && dyn('a') != 1 && type(1) == int && type('a') == string",
        "timestamp('2026-01-01T01:00:00Z') - timestamp('2026-01-01T00:00:00Z') == duration('1h')",
        "timestamp('2026-01-01T00:00:00Z') + duration('1h') > timestamp('2026-01-01T00:30:00Z')",
    ] {
        holds(text);
    }
}

#[test]
fn what_decides_does_not_mind_an_error_beside_it() {
    holds("1 / 0 == 1 || true");
    holds("!(false && 1 / 0 == 1)");
    holds("[0, 2].exists(x, 4 / x == 2)");
    holds("!([0, 2].all(x, 4 / x == 3))");
    assert_eq!(wrong("[0, 2].all(x, 4 / x == 2)"), "division by zero");
    assert_eq!(wrong("1 / 0 == 1 && true"), "division by zero");
}

#[test]
fn loops_and_names_of_ones_own() {
    for text in [
        "[3, 1, 2].map(x, x * 2).filter(x, x > 2) == [6, 4] && [1, 2].exists_one(x, x == 1)",
        "{'b': 1, 'a': 2}.map(key, key) == ['a', 'b']",
        "cel.bind(x, name + name, x.size() == 8 && x.startsWith('lamp'))",
        "[1, 2].all(i, v, v == i + 1) && {'a': 1}.exists(k, v, k == 'a' && v == 1)",
        "[5, 6].transformList(i, v, i > 0, v + i) == [7] && {'a': 1}.transformMap(k, v, v + 1).a == 2",
        "{'a': 'b'}.transformMapEntry(k, v, {v: k}) == {'b': 'a'}",
        "[3, 1, 2].sortBy(x, -x) == [3, 2, 1] && [1, 2].existsOne(i, v, v == 2)",
        "optional.of(1).optMap(x, x + 1).value() == 2 && !optional.none().optMap(x, 1).hasValue()",
        "{'a': {'b': 1}}.?a.?b.orValue(0) == 1 && {'a': 1}.?b.orValue(7) == 7 && [1][?3].orValue(2) == 2",
        "[?optional.none(), 2] == [2] && {?'a': optional.of(1)} == {'a': 1}",
    ] {
        holds(text);
    }
}

#[test]
fn what_does_not_run_says_why_as_upstream_does() {
    for (text, why) in [
        ("many[2000] == 1", "index out of bounds: 2000"),
        ("{'a': 1}.b == 1", "no such key: b"),
        ("9223372036854775807 + 1 == 0", "integer overflow"),
        ("1 % 0 == 0", "modulus by zero"),
        ("dyn(1) + dyn('a') == 2", "no such overload"),
        ("nobody == 1", "undeclared reference to 'nobody'"),
        ("optional.none().value() == 1", "optional.none() dereference"),
        ("lists.range(-1).size() == 0", "range argument must be non-negative"),
        ("int('a') == 1", "type conversion error from 'string' to 'int'"),
        ("double(name) > 1.0", "type conversion error from 'string' to 'double'"),
        (
            "duration('a') > duration('1s')",
            "type conversion error from 'string' to 'google.protobuf.Duration'",
        ),
        (
            "timestamp(name) == timestamp(name)",
            "type conversion error from 'string' to 'google.protobuf.Timestamp'",
        ),
        (
            "url('a').getHost() == ''",
            "URL parse error during conversion from string: parse \"a\": invalid URI for request",
        ),
        (
            "url('').getHost() == ''",
            "URL parse error during conversion from string: parse \"\": empty url",
        ),
    ] {
        assert_eq!(wrong(text), why, "{text}");
    }
    assert!(wrong("name.matches('(') == true").starts_with("error parsing regexp: "));
}

/// What a policy may say is also what is asked: patterns are those of Go.
#[test]
fn patterns_are_asked_as_go_asks_them() {
    holds(r"name.matches('^[\\w][\\w.-]{0,127}$') && '{{a}}'.matches('^{{.*}}$')");
    holds(r"'a.b'.matches('^\\Qa.b\\E$') && '[a'.matches('^[[a]+$') && 'a'.matches('^\\w{1,63}$')");
    holds(
        r"!'é'.matches('\\w') && !'١'.matches('\\d') && 'aé'.matches('a\\b') && '1 a'.find('\\d') == '1'",
    );
}

/// What Go would not read is refused in the same words, also where the pattern is known only when it is asked, and
/// before anything is made of it.
#[test]
fn patterns_that_go_would_not_read_are_refused() {
    for (pattern, why) in [
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("(a{100}){100}", "invalid repeat count: `{100}`"),
        ("a**", "invalid nested repetition operator: `**`"),
        ("(a", "missing closing ): `(a`"),
    ] {
        let why = format!("error parsing regexp: {why}");
        assert_eq!(wrong(&format!("name.matches('{pattern}')")), why);
        assert_eq!(wrong(&format!("name.find('{pattern}') == ''")), why);
        assert_eq!(wrong(&format!("name.findAll('' + '{pattern}').size() == 0")), why);
    }
    let letters = r"(?i)\\pL".repeat(1_000);
    let error = wrong(&format!("name.matches('{letters}')"));
    assert!(error.starts_with("error parsing regexp: expression too large: `(?i)"), "{error:.80}");
    // Few bounds, and so many letters that it would be looked at for half a minute.
    for class in [r"\p{Any}", r"[\x00-\x{10FFFF}]", r"[^\x00-\x{10FFFE}]"] {
        let pattern = format!("(?i){}", class.repeat(3_000));
        let error = run_with("name.matches(pattern)", &pattern).0.expect_err(class).text();
        assert!(
            error.starts_with("error parsing regexp: expression too large: `(?i)"),
            "{error:.80}"
        );
    }
}

/// Upstream has the letters of classes in tables; here they are listed, and paid for where they are many.
#[test]
fn classes_are_paid_for_where_they_are_many() {
    let cost = |times: usize| run(&format!("name.matches('{}')", r"\\pL".repeat(times))).1;
    assert_eq!(cost(8), 7, "by its length");
    assert!(cost(100) > 5_000);
    let folded =
        |class: &str, times: usize| run(&format!("name.matches('(?i){}')", class.repeat(times))).1;
    assert_eq!(folded(r"\\pL", 1), 3, "by its length");
    assert_eq!(folded("[a-z]", 4), 7, "by its length");
    assert!(folded(r"\\pL", 8) > 20_000);
    assert!(folded(r"[a-\\x{10FFFF}]", 8) > 250_000);
    holds(r"'LAMP'.matches('(?i)^[a-z]+$') && 'LAMP'.matches('(?i)^\\pL+$')");
}

/// The costs that cel-go counts for the same (`interpreter/runtimecost_test.go` has their like).
#[test]
fn steps_cost_what_they_cost_upstream() {
    for (text, cost) in [
        ("true", 0),
        ("name == 'lamp'", 2),
        ("{'a': 1}.a == 1", 32),
        ("[1, 2] == [1, 2]", 21),
        ("name.startsWith('la')", 2),
        ("name.matches('la')", 2),
    ] {
        assert_eq!(run(text).1, cost, "{text}");
    }
}

/// Each of these would take more than all time or memory.
#[test]
fn nothing_is_without_a_limit() {
    let doubled =
        (0..10).fold("long".to_owned(), |of, n| format!("cel.bind(x{n}, {of}, x{n} + x{n})"));
    let shared =
        (0..30).fold("many".to_owned(), |of, n| format!("cel.bind(x{n}, {of}, [x{n}, x{n}])"));
    for text in [
        "many.all(a, many.all(b, true))",
        "many.map(a, many.map(b, b)).size() == 0",
        "many.filter(a, many.exists(b, b < 0)).size() == 0",
        "lists.range(100000000000).size() == 1",
        "long.split('').map(a, long.split('')).size() == 0",
        "long.replace('', long).size() == 1",
        "long.replace('a', long).size() == 1",
        "many.map(a, long).join(long) == ''",
        "many.map(a, 'x').join(long + long) == ''",
        "many.all(a, many.map(b, {long: b}).size() == 0 || '%s'.format([many.map(b, {long: b})]) != '')",
        "many.all(a, long.findAll('.*[^x]|[x]').size() == 0 || true)",
        "many.all(a, long.lastIndexOf(long) != 1)",
        "many.all(a, size(long) > 0 && many.all(b, size(long) > 0))",
        "many.all(a, long == long)",
        "cel.bind(m, lists.range(20000), m.all(a, m == m))",
        "many.all(a, long.matches('(a+)+b') || true)",
        "many.map(a, long + string(a)).all(b, 'x'.matches(b) || true)",
        "cel.bind(m, lists.range(20000), m.all(a, m in [m]))",
        "many.all(a, sets.contains(many, many))",
        &doubled,
        &format!("{shared} == {shared}"),
        &format!("string({shared}) == ''"),
        &format!("'%s'.format([{shared}]) == ''"),
    ] {
        assert_eq!(run(text).0, Err(Failure::Cost), "{text:.80}");
    }
    assert_eq!(wrong("'%.999999999f'.format([1.0]) == ''"), "precision is too large");
    // What grows in place grows in a straight line.
    holds("lists.range(50000).map(x, x).size() == 50000");
}

#[test]
fn what_is_nested_too_deep_is_not_read() {
    for text in [
        "!".repeat(9_000) + "true",
        "-".repeat(9_000) + "1",
        format!("true{}", " && !true".repeat(9_000)),
        format!("a{}", ".a".repeat(4_000)),
        format!("{}1{}", "(".repeat(4_000), ")".repeat(4_000)),
        format!("{}{}", "[".repeat(4_000), "]".repeat(4_000)),
        format!("1{}", " + 1".repeat(4_000)),
        format!("{}a", "a in ".repeat(9_000)),
        format!("{}a", "a in ".repeat(19_990)),
        format!("true{}", " ? true : false".repeat(2_000)),
        "[".repeat(5_000),
        "{".repeat(5_000),
        "a.b(".repeat(3_000),
        "'".repeat(50_000),
        "x".repeat(100_001),
    ] {
        // Some parsers make of many signs none: only that it ends is promised of those.
        let _ = parse::parse(&text);
    }
    assert!(parse::parse(&format!("a{}", ".a".repeat(4_000))).is_err());
    assert!(parse::parse(&format!("1{}", " + 1".repeat(4_000))).is_err());
    assert!(parse::parse(&"x".repeat(100_001)).is_err());
    // As deep as it may be runs on a stack as small as those of a runtime.
    let deep = (0..90).fold("1".to_owned(), |of, _| format!("({of} + 1)"));
    let run = std::thread::Builder::new().stack_size(2 << 20);
    let run = run.spawn(move || run_deep(&deep)).expect("a thread");
    run.join().expect("it ends");
}

fn run_deep(text: &str) {
    if let Ok(expression) = parse::parse(text) {
        let (made, _) = Interpreter::new().run(&expression, &Variables::new(), MOST_PER_CALL);
        assert_eq!(made, Ok(Value::Int(91)));
    }
}
