//! What expressions give, and what servers say of those that are none.

use expect_test::{Expect, expect};

use super::*;

/// All that a policy may do.
const ALL: With = With { authorizer: true, patches: true };

fn gives(text: &str) -> String {
    let environment = Environment::admission().params(true);
    environment.check(text, ALL).unwrap_or_else(|why| panic!("{text}: {why}")).type_name()
}

fn refused(text: &str) -> String {
    Environment::admission().params(true).check(text, ALL).expect_err(text)
}

fn told(text: &str, expected: Expect) {
    expected.assert_eq(&refused(text));
}

#[test]
fn expressions_give_values_of_types() {
    for (text, of) in [
        ("object.a", "dyn"),
        ("object.metadata.labels['a'] == 'b'", "bool"),
        ("object.a + 1", "int"),
        ("object.a + object.b", "dyn"),
        ("'a' + object.b", "string"),
        ("size(object.a)", "int"),
        ("has(object.a) && request.name.matches('^a$')", "bool"),
        ("request.userInfo.groups", "list(string)"),
        ("request.options.dryRun", "dyn"),
        ("namespaceObject.metadata.UID", "string"),
        (
            "namespaceObject.status.conditions.exists(c, c.lastTransitionTime > timestamp(0))",
            "bool",
        ),
        ("params.a", "dyn"),
        ("null", "null_type"),
        ("[]", "list(dyn)"),
        ("{'a': [1u]}", "map(string, list(uint))"),
        ("[1, 2].map(x, string(x))", "list(string)"),
        ("[1, 2].filter(x, x > 1)", "list(int)"),
        ("object.items.map(x, x.name)", "list(dyn)"),
        ("object.items.transformMap(i, v, v.a)", "map(dyn, dyn)"),
        ("['a'].transformList(i, v, i > 0, v + 'b')", "list(string)"),
        ("{'a': 1}.transformMapEntry(k, v, {v: k})", "map(int, string)"),
        ("['a'].all(i, v, i >= 0 && v != '')", "bool"),
        ("['b', 'a'].sortBy(x, size(x))", "list(string)"),
        ("[1].first()", "optional_type(int)"),
        ("{'a': 1}.?a.orValue(2)", "int"),
        ("{'a': 1}[?'b'].optMap(x, string(x))", "optional_type(string)"),
        ("object.x.optFlatMap(v, v.?a)", "optional_type(dyn)"),
        ("duration('1h') + timestamp('2024-01-01T00:00:00Z')", "google.protobuf.Timestamp"),
        ("quantity('1Gi').add(1).isGreaterThan(quantity('1'))", "bool"),
        ("ip('10.0.0.1') == cidr('10.0.0.0/8').ip()", "bool"),
        ("format.dns1123Label().validate('a')", "optional_type(list(string))"),
        ("semver('1.0', true).major()", "int"),
        ("type(object) == string", "bool"),
        ("authorizer.requestResource.check('get').allowed()", "bool"),
        (
            "authorizer.group('').resource('pods').labelSelector('a').check('get').reason()",
            "string",
        ),
        ("jsonpatch.escapeKey('a/b')", "string"),
        ("Object{spec: Object.spec{replicas: 1, ?a: object.?b}}", "Object"),
        ("[1].map(one, JSONPatch{op: 'add', path: '/a', value: one})", "list(JSONPatch)"),
        ("Object{a: 1}.a", "dyn"),
        ("Object.spec{}", "Object.spec"),
    ] {
        assert_eq!(gives(text), of, "{text}");
    }
}

#[test]
fn what_does_not_fit_is_told_where_it_stands() {
    told(
        "request.name == 1",
        expect![[r"
            ERROR: <input>:1:14: found no matching overload for '_==_' applied to '(string, int)'
             | request.name == 1
             | .............^"]],
    );
    told(
        "object.a > 1 &&\n  'a'.contains(1)",
        expect![[r"
            ERROR: <input>:2:15: found no matching overload for 'contains' applied to 'string.(int)'
             |   'a'.contains(1)
             | ..............^"]],
    );
    told(
        "request.nam == 'a' || has(request.nam)",
        expect![[r"
            ERROR: <input>:1:8: undefined field 'nam'
             | request.nam == 'a' || has(request.nam)
             | .......^
            ERROR: <input>:1:26: undefined field 'nam'
             | request.nam == 'a' || has(request.nam)
             | .........................^"]],
    );
    told(
        "math.abs(1) == 1",
        expect![[r"
            ERROR: <input>:1:1: undeclared reference to 'math' (in container '')
             | math.abs(1) == 1
             | ^
            ERROR: <input>:1:9: undeclared reference to 'abs' (in container '')
             | math.abs(1) == 1
             | ........^"]],
    );
    // As wide as the letters that it stands under.
    told(
        "'é' ==\n1",
        expect![[r"
            ERROR: <input>:1:5: found no matching overload for '_==_' applied to '(string, int)'
             | 'é' ==
             | .．..^"]],
    );
}

#[test]
fn each_mistake_has_its_words() {
    for (text, why) in [
        ("1 && true", "<input>:1:1: expected type 'bool' but found 'int'"),
        ("true ? 1 : 'a'", "<input>:1:6: found no matching overload for '_?_:_' applied to"),
        ("!request.name", "<input>:1:1: found no matching overload for '!_' applied to '(string)'"),
        ("object.name.shout()", "<input>:1:18: undeclared reference to 'shout'"),
        ("request.name.first", "<input>:1:13: type 'string' does not support field selection"),
        ("url('a').x", "<input>:1:9: unexpected failed resolution of 'kubernetes.URL'"),
        (
            "request.name.all(x, x == 'a')",
            "<input>:1:8: expression of type 'string' cannot be range of a comprehension (must be \
             list, map, or dynamic)",
        ),
        ("[1, 'a'].size() == 2", "<input>:1:5: expected type 'int' but found 'string'"),
        ("[1, object.a].size() == 2", "<input>:1:11: expected type 'int' but found 'dyn'"),
        ("{'a': 1, 'b': 'c'}.size() == 2", "<input>:1:15: expected type 'int' but found 'string'"),
        ("object.name.matches('[')", "<input>:1:21: invalid matches argument"),
        ("duration('1x') > duration('1s')", "<input>:1:10: invalid duration argument"),
        ("timestamp('today') == null", "<input>:1:11: invalid timestamp argument"),
        (
            "'%d'.format(['a'])",
            "<input>:1:14: error during formatting: decimal clause can only be used on integers, \
             was given string",
        ),
        ("'%s'.format([])", "<input>:1:12: index 0 out of range"),
        (
            "'%s'.format([1, 2])",
            "<input>:1:12: too many arguments supplied to string.format (expected 1, got 2)",
        ),
        (
            "'%y'.format([1])",
            "<input>:1:12: could not parse formatting clause: unrecognized formatting clause \"y\"",
        ),
        ("Thing{}", "<input>:1:6: undeclared reference to 'Thing'"),
        ("request{}", "<input>:1:8: 'kubernetes.AdmissionRequest' is not a type"),
        ("int{}", "<input>:1:4: 'int' is not a message type"),
        (
            "JSONPatch{op: 1}",
            "<input>:1:13: expected type of field 'op' is 'string' but provided type is 'int'",
        ),
        (
            "JSONPatch{at: 1}",
            "<input>:1:13: expected type of field 'at' is '' but provided type is 'int'",
        ),
        ("for == 1", "<input>:1:1: reserved identifier: for"),
        (
            "object.a.optMap(1, true)",
            "<input>:1:17: optMap() variable name must be a simple identifier",
        ),
        ("object.a.all(x, x, true)", "<input>:1:17: duplicate variable name: x"),
        ("object.a.flatten(1, 2)", "'flatten' applied to 'dyn.(int, int)'"),
        ("cel.bind(x, 1, x > 0)", "<input>:1:1: undeclared reference to 'cel'"),
    ] {
        let error = refused(text);
        assert!(error.contains(why), "{text}: {error}");
    }
}

/// Where upstream follows an expression twice, it tells of it twice.
#[test]
fn mistakes_of_an_optional_are_told_again() {
    let error = refused("a.optMap(x, x == 1)");
    assert_eq!(error.matches("undeclared reference to 'a'").count(), 2, "{error}");
}

#[test]
fn variables_have_the_types_of_their_expressions() {
    let mut environment = Environment::admission().variables(true);
    for (name, text) in [
        ("names", "object.items.map(x, string(x.name))"),
        ("first", "variables.names[0]"),
        ("amount", "quantity('1')"),
    ] {
        let given = environment.check(text, ALL).expect(text);
        environment.declare(name, Some(&given));
    }
    environment.declare("broken", None);
    let gives = |text: &str| environment.check(text, ALL).map(|given| given.type_name());
    assert_eq!(gives("variables.names"), Ok("list(string)".to_owned()));
    assert_eq!(gives("variables.first.upperAscii()"), Ok("string".to_owned()));
    assert_eq!(gives("variables.amount"), Ok("dyn".to_owned()));
    assert_eq!(gives("variables.broken"), Ok("dyn".to_owned()));
    let error = gives("variables.second").expect_err("not declared");
    assert!(error.contains("undefined field 'second'"), "{error}");
}

/// Facts of `dynamic-resource-allocation/cel/compile_test.go`.
#[test]
fn selectors_of_devices_cost_what_servers_reckon() {
    for (text, most) in [
        ("true", 0),
        ("device.driver == ''", 2),
        ("device.driver == 'dra.example.com'", 4),
        ("'dra.example.com' in device.attributes", 3),
        ("device.attributes['dra.example.com'].name", 4),
        ("device.attributes['dra.example.com']['name']", 4),
        ("cel.bind(dra, device.attributes['dra.example.com'], dra.name)", 15),
        ("device.attributes['dra.example.com'].name > 0", 5),
        ("device.attributes['dra.example.com'].name == 'fish'", 5),
        ("device.attributes['dra.example.com'].name.isGreaterThan(semver('0.0.1'))", 6),
        ("device.capacity['dra.example.com'].name.isGreaterThan(quantity('1Ki'))", 6),
        ("device.attributes.exists_one(x, x == 'dra.example.com')", 164),
        ("device.attributes['dra.example.com'].exists_one(x, x == 'services')", 133),
        ("device.attributes['dra.example.com'].services.split('example').size() >= 2", 19),
        ("device.attributes['dra.example.com'].services.matches('[^a]?sym')", 18),
        ("device.capacity['dra.example.com'].exists_one(x, x == 'memory')", 133),
        ("device.allowMultipleAllocations == true", 3),
    ] {
        let found = Environment::devices().check(text, With::default()).expect(text);
        assert_eq!(found.most(), Some(most), "{text}");
        assert!(matches!(&*found.type_name(), "bool" | "google.protobuf.Any"), "{text}");
    }
    let list = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    let loops = ["x", "y", "z", "z2", "z3", "z4", "z5"];
    let last = "int('1'.find('[0-9]*')) < 100".to_owned();
    let text = loops.iter().fold(last, |inner, name| format!("{list}.all({name}, {inner})"));
    let found = Environment::devices().check(&text, With::default()).expect("it is right");
    assert_eq!(found.most(), Some(85_555_551));
}

#[test]
fn selectors_of_devices_have_their_own_mistakes() {
    for (text, why) in [
        ("device.name == 'a'", "undefined field 'name'"),
        ("object.a == 1", "undeclared reference to 'object'"),
        (
            "device.attributes['a'].b.exists(x, x > 0)",
            "expression of type 'any' cannot be range of a comprehension",
        ),
        ("device.capacity['a'].b > 1", "applied to '(kubernetes.Quantity, int)'"),
        ("device.attributes['a'].b.includes('c')", "undeclared reference to 'includes'"),
    ] {
        let error = Environment::devices().check(text, With::default()).expect_err(text);
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn no_more_than_a_hundred_mistakes_are_told() {
    let error = refused(&format!("[{}]", vec!["a"; 150].join(", ")));
    assert_eq!(error.matches("undeclared reference to 'a'").count(), 100);
    assert!(error.ends_with("\n50 more errors were truncated"), "{error}");
}

/// Types that hold each other twice are as large as two to the number of levels.
#[test]
fn types_that_grow_fast_take_no_time() {
    let doubled = (0..28).rev().fold("true".to_owned(), |inner, level| {
        format!("[{{x{level}: x{level}}}].all(x{}, {inner})", level + 1)
    });
    assert_eq!(gives(&format!("[1].all(x0, {doubled})")), "bool");
    let open = (0..20).rev().fold("true".to_owned(), |inner, level| {
        let next = level + 1;
        format!("[].all(y{next}, y{level} == {{y{next}: y{next}}} && {inner})")
    });
    // Right or too long to find out, but soon.
    let _ = Environment::admission().check(&format!("[].all(y0, {open})"), ALL);
    let chain = (0..40).fold("object.?a".to_owned(), |of, _| format!("{of}.optMap(x, x)"));
    assert_eq!(gives(&chain), "optional_type(dyn)");
    // Written out, it has as many parts as two to the number of its links.
    let chain = chain.replace("object.?a", "device.attributes[?'a']");
    let found = Environment::devices().check(&chain, With::default()).expect("it is right");
    assert_eq!(found.most(), Some(u64::MAX));
}

/// What is written out is read as Go reads it, not as what runs it here would.
#[test]
fn patterns_durations_and_moments_are_those_of_go() {
    for text in [
        r"object.a.matches('^[\\w][\\w.-]{0,127}$')",
        r"object.a.matches('^\\w{1,63}$')",
        r"object.a.matches('{{.*}}')",
        r"object.a.matches('[[a]')",
        r"object.a.matches('\\Qa.b\\E')",
        "duration('5µs') < duration('1h30m')",
        "timestamp('2024-01-01T00:00:00.5Z') > timestamp('2023-01-01T00:00:00+01:00')",
    ] {
        assert_eq!(gives(text), "bool", "{text}");
    }
    for (text, why) in [
        (r"object.a.matches('[a-\\w]')", "invalid matches argument"),
        ("duration('1hx') > duration('1s')", "invalid duration argument"),
        ("duration('1h 5m') > duration('1s')", "invalid duration argument"),
        ("duration('1e3s') > duration('1s')", "invalid duration argument"),
        ("timestamp('2024-01-01 00:00:00Z') == null", "invalid timestamp argument"),
        ("timestamp('0000-01-01T00:00:00Z') == null", "invalid timestamp argument"),
    ] {
        let error = refused(text);
        assert!(error.contains(why), "{text}: {error}");
    }
}

/// Made ready to be asked, each of these takes as much time as a large part of all else, and nobody pays for it.
#[test]
fn patterns_are_read_and_no_more() {
    let asked = |n: usize| format!("''.matches('(a{{99}}){{99}}{n}')");
    let asked: Vec<String> = (0..600).map(asked).collect();
    // Whether they are patterns is not asked here: Go counts what is repeated, too.
    let _ = Environment::admission().check(&format!("[{}].size() == 600", asked.join(", ")), ALL);
    let letters = r"(?i)\\pL".repeat(1_500);
    assert_eq!(gives(&format!("''.matches('{letters}')")), "bool");
}

#[test]
fn a_stack_is_for_those_who_read_the_text() {
    let started = |text: &str| {
        let before = parse::STACKS.get();
        let _ = Environment::admission().check(text, ALL);
        parse::STACKS.get() - before
    };
    let right = "object.metadata.name.startsWith('a') && object.metadata.name != 'b'";
    assert_eq!(started(right), 1);
    assert_eq!(started(&format!("{right} && nobody")), 2, "where the mistake stands is read again");
}

/// What is nested as deep as it may be is looked at on a stack as small as those of a runtime.
#[test]
fn types_are_found_on_any_stack() {
    let chain = (0..110).fold("object.?a".to_owned(), |of, _| format!("{of}.optMap(x, x)"));
    let sum = (0..60).fold("object.a".to_owned(), |of, _| format!("({of} + 1)"));
    let loops = (0..50).fold("true".to_owned(), |inner, n| format!("[{n}].all(x{n}, {inner})"));
    let lists = format!("{}1{}", "[".repeat(60), "]".repeat(60));
    let look = move || {
        for text in [&chain, &sum, &loops, &lists] {
            // Right or nested too deep: only that there is an answer is promised.
            let _ = Environment::admission().check(text, ALL);
            let selector = text.replace("object.?a", "device.attributes[?'a']");
            let _ = Environment::devices().check(&selector, With::default());
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(look).expect("a thread");
    thread.join().expect("it ends");
}
