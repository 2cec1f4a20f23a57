//! Whether the mistakes fit, and whether what the checker says is understood.

use super::*;

/// Here, so that whoever changes the cache learns of it at once, and not from the next long run.
#[test]
fn every_mistake_fits_into_the_sources() {
    assert!(BUGS.len() >= 12);
    let sources = workspace::root().join("crates/watchkeeper-cache/src");
    for bug in BUGS {
        let text = read(&sources.join(bug.file)).unwrap();
        let seeded = with_bugs(bug.file, &text).unwrap();
        assert_eq!(seeded.matches(&format!("{:?}", bug.name)).count(), 1, "{}", bug.name);
        assert!(bug.put.contains(SWITCH) && !seeded.contains(SWITCH), "{}", bug.name);
    }
    assert!(MODULE.contains(VARIABLE));
}

#[test]
fn a_mistake_that_does_not_fit_is_named() {
    let error = with_bugs("core.rs", "").unwrap_err();
    assert_eq!(error, "late-joiner-misses-all: found 0 times in core.rs");
    let twice = "&self.store.snapshot(), synced, group)\n".repeat(2);
    let error = with_bugs("core.rs", &twice).unwrap_err();
    assert_eq!(error, "late-joiner-misses-all: found 2 times in core.rs");
}

#[test]
fn a_broken_rule_is_found_in_what_is_printed() {
    let told = |rule| {
        format!(
            "Outcome {{\n    changes: 227,\n    heard: 9,\n    broken: Some(\n        {rule},\n    ),\n}}"
        )
    };
    let found = |rule: &str| Some(("227".to_owned(), rule.to_owned()));
    assert_eq!(broken(&told(r#""a \"b\" c""#)), found(r#"a "b" c"#));
    let handler =
        r#""handler 1 (Immediate of Scope { even: false }): told twice: Added { new: 1 }""#;
    assert_eq!(broken(&told(handler)), found("told twice"));
    assert_eq!(broken("Outcome {\n    changes: 1500,\n    broken: None,\n}"), None);
}
