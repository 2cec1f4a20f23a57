use super::super::mutant::Position;
use super::*;

/// Mutants as `KIND WHAT => REPLACEMENT`, each of the only place where the text has `WHAT`.
fn mutants(text: &str, script: &[&str]) -> Vec<Mutant> {
    let mutant = |line: &&str| {
        let (kind, change) = line.split_once(' ').unwrap();
        let (what, replacement) = change.split_once(" =>").unwrap();
        let at = text.find(what).unwrap();
        let position = |at: usize| {
            let before = &text[..at];
            let line = before.rsplit('\n').next().unwrap();
            Position { line: before.matches('\n').count() + 1, column: line.chars().count() + 1 }
        };
        let kind = match kind {
            "body" => Kind::Body,
            "binary" => Kind::Binary,
            "unary" => Kind::Unary,
            "arm" => Kind::Arm,
            "guard" => Kind::Guard,
            _ => Kind::Field,
        };
        let (from, to) = (position(at), position(at + what.len()));
        let (file, name) = ("src/state.rs".to_owned(), (*line).to_owned());
        Mutant { file, name, kind, from, to, replacement: replacement.trim().to_owned() }
    };
    script.iter().map(mutant).collect()
}

/// The mutants have the numbers from one.
fn switch(text: &str, script: &[&str]) -> Switched {
    let mutants = mutants(text, script);
    let numbered: Vec<_> = (1..).zip(&mutants).collect();
    let switched = switched(text, &numbered).unwrap();
    syn::parse_file(&switched.text).unwrap();
    switched
}

/// Without the path of the question.
fn check(text: &str, script: &[&str], expected: &str) {
    assert_eq!(switch(text, script).text.replace(IS, "is"), expected);
}

#[test]
fn an_operator_is_one_of_two() {
    check(
        "fn f() { x += 1; a == b }",
        &["binary == => !=", "binary += => -="],
        "fn f() { (if is(2) { x -= 1 } else { x += 1 }); (if is(1) { a != b } else { a == b }) }",
    );
    check("fn f() { !a.b }", &["unary ! =>"], "fn f() { (if is(1) { a.b } else { !a.b }) }");
}

#[test]
fn what_is_inside_has_switches_of_its_own() {
    check(
        "fn f() { a(b < c) > d }",
        &["binary > => <", "binary > => >=", "binary < => <="],
        "fn f() { (if is(1) { a(b < c) < d } else { (if is(2) { a(b < c) >= d } else { \
         a((if is(3) { b <= c } else { b < c })) > d }) }) }",
    );
}

/// cargo-mutants changes the text, and then another operator may bind first.
#[test]
fn an_operator_is_changed_with_all_that_is_parsed_with_it() {
    check(
        "fn f() { a - b + c }",
        &["binary + => *"],
        "fn f() { (if is(1) { a - b * c } else { a - b + c }) }",
    );
    check(
        "fn f() { a == b && c || d }",
        &["binary && => ||", "binary == => !="],
        "fn f() { (if is(1) { a == b || c || d } else { \
         (if is(2) { a != b } else { a == b }) && c || d }) }",
    );
}

#[test]
fn a_function_may_answer_at_once() {
    check(
        "const fn f(&self) -> bool { self.a == 1 }",
        &["body self.a == 1 => true", "body self.a == 1 => false", "binary == => !="],
        "/* const */ fn f(&self) -> bool { if is(1) { return true; } if is(2) { return false; } \
         (if is(3) { self.a != 1 } else { self.a == 1 }) }",
    );
}

#[test]
fn what_constants_call_stays_constant() {
    let text = "const A: u32 = f(1); const fn f(a: u32) -> u32 { g(a) } \
                const fn g(a: u32) -> u32 { a + 1 } const fn h(a: u32) -> u32 { a * 2 }";
    let switched = switch(text, &["binary + => -", "binary * => /", "body g(a) } => 7"]);
    let expected = "const A: u32 = f(1); const fn f(a: u32) -> u32 { g(a) } \
                    const fn g(a: u32) -> u32 { a + 1 } \
                    /* const */ fn h(a: u32) -> u32 { (if is(2) { a / 2 } else { a * 2 }) }";
    assert_eq!(switched.text.replace(IS, "is"), expected);
    assert_eq!(switched.alone, [1, 3]);
}

#[test]
fn an_arm_is_left_out_and_its_condition_changed() {
    check(
        "fn f() { match a { Some(b) => b, None if c == d => e, _ => f } }",
        &["arm Some(b) => b, =>", "guard c == d => true", "binary == => !="],
        "fn f() { match a { Some(b) if !is(1) => b, \
         None if (if is(2) { true } else { (if is(3) { c != d } else { c == d }) }) => e, _ => f } }",
    );
}

#[test]
fn a_field_is_left_to_the_others() {
    check(
        "fn f() { A { b: 1, ..c } }",
        &["field b: 1, =>"],
        "fn f() { (if is(1) { A {  ..c } } else { A { b: 1, ..c } }) }",
    );
}

#[test]
fn what_a_switch_cannot_hold_is_told() {
    let text = "
        const A: u32 = 1 << 4;
        fn f() -> impl Iterator<Item = u32> { g() }
        fn h() { if let Some(é) = a && é >= 1 { } }
        fn i() { a as u32 + 1 }
    ";
    let script = [
        "binary << => >>",
        "body g() => ::std::iter::empty()",
        "binary && => ||",
        "binary + => <",
        "binary >= => <",
    ];
    let Switched { alone, never, held, .. } = switch(text, &script[..4]);
    assert_eq!((alone, never, held), (vec![1, 2], vec![3, 4], vec![]));
    let error = switched(text, &[(1, &mutants(text, &["unary + =>"])[0])]).unwrap_err();
    assert_eq!(error, "no place for it: unary + =>");
    // Columns are characters, and a condition beside a binding may be changed.
    assert_eq!(switch(text, &script[4..]).held.len(), 1);
}

#[test]
fn where_a_mutant_is_in_the_text_is_known() {
    let Switched { text, held, .. } =
        switch("fn f() { a + b == c }", &["binary + => -", "body a + b == c => ()"]);
    let mut told: Vec<_> = held
        .iter()
        .map(|held| (held.number, &text[held.instead.clone()], &text[held.whole.clone()]))
        .collect();
    told.sort_unstable();
    let whole = "(if crate::mutant::is(1) { a - b == c } else { a + b == c })";
    let body = "if crate::mutant::is(2) { return (); } ";
    assert_eq!(told, [(1, "a - b == c", whole), (2, "return ();", body)]);
}

#[test]
fn alone_it_is_replaced() {
    let text = "const A: u32 = 1 << 4;";
    let mutant = &mutants(text, &["binary << => >>"])[0];
    assert_eq!(replaced(text, mutant).as_deref(), Ok("const A: u32 = 1 >> 4;"));
    assert!(replaced("", mutant).is_err());
}

/// The copy's module is Rust, and reads the variable that the trial sets.
#[test]
fn the_module_asks_the_variable() {
    syn::parse_file(&module()).unwrap();
    assert!(module().contains(&format!("{VARIABLE:?}")));
}
