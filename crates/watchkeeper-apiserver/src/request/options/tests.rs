//! Which options go together, and what is said of those that do not.

use super::*;

/// The causes of an error, or its message where it has none.
fn told(error: &ApiError) -> Vec<String> {
    match error.details.get("causes").and_then(Value::as_array) {
        Some(causes) => causes
            .iter()
            .map(|cause| {
                let text = |name: &str| cause[name].as_str().unwrap_or_default();
                format!("{}: {}", text("field"), text("message"))
            })
            .collect(),
        None => vec![format!("{} {}", error.code, error.message)],
    }
}

/// What is said of a query.
fn wrong<T>(parsed: Result<T>) -> Vec<String> {
    parsed.err().map(|error| told(&error)).unwrap_or_default()
}

/// `ValidateListOptions` of apimachinery.
#[test]
fn a_list_and_a_watch_say_which_state_they_want() {
    let (matches, forbidden) = ("resourceVersionMatch=", "resourceVersionMatch: Forbidden: ");
    let continued = "resourceVersionMatch is forbidden when continue is provided";
    let requires = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
    for (query, causes) in [
        (format!("resourceVersion=5&{matches}Exact"), vec![]),
        (format!("resourceVersion=0&{matches}NotOlderThan"), vec![]),
        ("continue=&resourceVersion=5".to_owned(), vec![]),
        (
            format!("{matches}Exact"),
            vec![format!(
                "{forbidden}resourceVersionMatch is forbidden unless resourceVersion is provided"
            )],
        ),
        (
            format!("resourceVersion=0&{matches}Exact"),
            vec![format!(
                "{forbidden}resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""
            )],
        ),
        (
            format!("resourceVersion=5&{matches}x"),
            vec![
                "resourceVersionMatch: Unsupported value: \"x\": supported values: \"Exact\", \"NotOlderThan\", \"\""
                    .to_owned(),
            ],
        ),
        (
            format!("resourceVersion=5&{matches}Exact&continue=x"),
            vec![format!("{forbidden}{continued}")],
        ),
        (
            "sendInitialEvents=false".to_owned(),
            vec!["sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list".to_owned()],
        ),
        (format!("watch=1&sendInitialEvents=true&{matches}NotOlderThan"), vec![]),
        ("watch=1".to_owned(), vec![]),
        ("watch=1&sendInitialEvents=true".to_owned(), vec![format!("{forbidden}{requires}")]),
        (
            format!("watch=1&resourceVersion=1&{matches}NotOlderThan"),
            vec![format!(
                "{forbidden}resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"
            )],
        ),
        (
            format!("watch=1&sendInitialEvents=true&{matches}Exact"),
            vec![
                format!("{forbidden}{requires}"),
                "resourceVersionMatch: Unsupported value: \"Exact\": supported values: \"NotOlderThan\""
                    .to_owned(),
            ],
        ),
        (
            format!("watch=1&sendInitialEvents=true&{matches}NotOlderThan&continue=x"),
            vec![format!("{forbidden}{continued}")],
        ),
    ] {
        assert_eq!(wrong(ListOptions::parse(&Query::parse(&query))), causes, "{query}");
    }
}

#[test]
fn numbers_and_flags_of_a_list_are_read() {
    let read = |query: &str| ListOptions::parse(&Query::parse(query)).expect("options");
    let options = read("limit=7&timeoutSeconds=9&allowWatchBookmarks=true&resourceVersion=5");
    assert_eq!((options.limit, options.timeout_seconds, options.bookmarks), (7, Some(9), true));
    assert_eq!((options.version, options.watch), (Version::At(5), false));
    let options = read("watch=1&limit=-1&timeoutSeconds=-1&resourceVersion=0");
    assert_eq!((options.limit, options.timeout_seconds, options.bookmarks), (0, None, false));
    assert_eq!((options.version, options.watch), (Version::Any, true));
    let options = read("resourceVersion=5&resourceVersionMatch=Exact");
    assert_eq!(options.version_match, Some(Match::Exact));
    let options = read("resourceVersion=5&resourceVersionMatch=NotOlderThan");
    assert_eq!(options.version_match, Some(Match::NotOlderThan));
    let why =
        "resourceVersion: Invalid value: \"x\": strconv.ParseUint: parsing \"x\": invalid syntax";
    for (query, message) in [
        ("resourceVersion=x", format!("400 invalid resource version: {why}")),
        ("watch=1&resourceVersion=x", format!("500 {why}")),
    ] {
        assert_eq!(wrong(ListOptions::parse(&Query::parse(query))), [message], "{query}");
    }
}

#[test]
fn parameters_of_a_write_are_those_that_there_are() {
    let (manager, none): (String, &[&str]) = ("m".repeat(128), &[]);
    for (query, causes) in [
        (format!("fieldManager={manager}&dryRun=All&fieldValidation=Strict"), none),
        ("dryRun=&fieldValidation=Ignore".to_owned(), none),
        ("fieldValidation=Warn".to_owned(), none),
        (
            format!("fieldManager={manager}m"),
            &["fieldManager: Too long: may not be more than 128 bytes"],
        ),
        (
            "dryRun=All&dryRun=x&fieldValidation=y".to_owned(),
            &[
                "dryRun: Unsupported value: [\"All\",\"x\"]: supported values: \"All\"",
                "fieldValidation: Unsupported value: \"y\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"",
            ],
        ),
    ] {
        assert_eq!(wrong(check_write(&Query::parse(&query), "CreateOptions")), causes, "{query}");
    }
    let control = wrong(check_write(&Query::parse("fieldManager=ab%07"), "CreateOptions"));
    let why = ": invalid character U+0007 (at position 2)";
    assert_eq!(control, [format!("fieldManager: Invalid value: \"ab\\a\"{why}")]);
    let query = Query::parse("fieldManager=%C2%A0%E2%80%A8");
    let spaces = wrong(check_write(&query, "CreateOptions"));
    let value = r#"fieldManager: Invalid value: "\u00a0\u2028": invalid character"#;
    assert_eq!(
        spaces,
        [format!("{value} U+00A0 (at position 0)"), format!("{value} U+2028 (at position 2)"),]
    );
}

#[test]
fn options_of_a_delete_come_from_the_body_or_from_the_query() {
    let body = json!({
        "gracePeriodSeconds": 3, "propagationPolicy": "Foreground", "dryRun": ["All"],
        "preconditions": {"uid": "u", "resourceVersion": "5"},
    });
    let query = Query::parse("gracePeriodSeconds=9&propagationPolicy=Orphan&dryRun=All");
    let of_body = DeleteOptions {
        grace_period_seconds: Some(3),
        uid: Some("u".to_owned()),
        resource_version: Some("5".to_owned()),
        propagation: Some(Propagation::Foreground),
        orphan_dependents: None,
        dry_run: true,
    };
    assert_eq!(DeleteOptions::parse(&query, Some(&body)), Ok(of_body.clone()));
    let mut shown = body;
    shown["kind"] = "DeleteOptions".into();
    shown["apiVersion"] = "meta.k8s.io/v1".into();
    assert_eq!(of_body.to_json(), shown);
    let of_query = DeleteOptions {
        grace_period_seconds: Some(9),
        propagation: Some(Propagation::Orphan),
        dry_run: true,
        ..DeleteOptions::default()
    };
    assert_eq!(DeleteOptions::parse(&query, None), Ok(of_query));
    assert_eq!(DeleteOptions::parse(&query, Some(&json!({}))), Ok(DeleteOptions::default()));
    for (orphan, propagation) in [(true, Propagation::Orphan), (false, Propagation::Background)] {
        let query = Query::parse(&format!("orphanDependents={orphan}"));
        let options = DeleteOptions::parse(&query, None).expect("options");
        assert_eq!(options.propagation, Some(propagation));
        let shown = json!({"kind": "DeleteOptions", "apiVersion": "meta.k8s.io/v1", "orphanDependents": orphan});
        assert_eq!(options.to_json(), shown);
    }
}

#[test]
fn options_of_a_delete_that_contradict_each_other_are_refused() {
    let both = "propagationPolicy: Invalid value: \"Orphan\": orphanDependents and deletionPropagation cannot be both set";
    for (body, cause) in [
        (json!({"propagationPolicy": "Orphan", "orphanDependents": true}), both),
        (
            json!({"propagationPolicy": "Never"}),
            "propagationPolicy: Unsupported value: \"Never\": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"",
        ),
        (
            json!({"dryRun": ["All", "x"]}),
            "dryRun: Unsupported value: [\"All\",\"x\"]: supported values: \"All\"",
        ),
    ] {
        let parsed = DeleteOptions::parse(&Query::default(), Some(&body));
        assert_eq!(wrong(parsed), [cause], "{body}");
    }
    let background = json!({"propagationPolicy": "Background"});
    let parsed = DeleteOptions::parse(&Query::default(), Some(&background)).expect("options");
    assert_eq!(parsed.propagation, Some(Propagation::Background));
}
