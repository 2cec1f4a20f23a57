//! What jobs are to be, and what their pods make of it when they end.

use super::*;

const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric \
                     characters, '-' or '.', and must start and end with an alphanumeric \
                     character (e.g. 'example.com', regex used for validation is \
                     '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

fn told_of_job(more: Value) -> Vec<String> {
    told("batch", "Job", job(more))
}

fn check_job(more: Value, expected: Expect) {
    check("batch", "Job", job(more), expected);
}

#[test]
fn who_manages_a_job() {
    let told = |manager: &str| told_of_job(json!({"managedBy": manager}));
    let at = "spec.managedBy:";
    assert_eq!(told(""), [format!("{at} Required value")]);
    let form = "must be a domain-prefixed path (such as \"acme.io/foo\")";
    assert_eq!(told("a.b"), [format!("{at} Invalid value: \"a.b\": {form}")]);
    assert_eq!(told("/a"), [format!("{at} Invalid value: \"/a\": {form}")]);
    let path = r"Invalid path (regex used for validation is '[A-Za-z0-9/\-._~%!$&'()*+,;=:]+')";
    assert_eq!(
        told("A/b c"),
        [
            format!("{at} Invalid value: \"A\": {SUBDOMAIN}"),
            format!("{at} Invalid value: \"b c\": {path}"),
        ]
    );
    let long = format!("a.example/{}", "x".repeat(54));
    assert_eq!(told(&long), [format!("{at} Too long: may not be more than 63 bytes")]);
    assert_eq!(told(&long[..63]), NONE);
    assert_eq!(told("kubernetes.io/job-controller"), NONE);
}

#[test]
fn jobs_that_are_not_indexed_count_no_failures_by_index() {
    check_job(
        json!({"maxFailedIndexes": 1}),
        expect![[r#"
            spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified
            spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode"#]],
    );
    check_job(
        json!({"backoffLimitPerIndex": -1, "maxFailedIndexes": -1}),
        expect![[r#"
            spec.backoffLimitPerIndex: Invalid value: -1: must be greater than or equal to 0
            spec.maxFailedIndexes: Invalid value: -1: must be greater than or equal to 0
            spec.backoffLimitPerIndex: Invalid value: -1: requires indexed completion mode
            spec.maxFailedIndexes: Invalid value: -1: requires indexed completion mode"#]],
    );
    check_job(
        json!({"completionMode": "x", "backoffLimitPerIndex": 1}),
        expect![[
            r#"spec.completionMode: Unsupported value: "x": supported values: "NonIndexed", "Indexed""#
        ]],
    );
    let indexed = json!({"completionMode": "Indexed", "completions": 3, "backoffLimitPerIndex": 0, "maxFailedIndexes": 3});
    check_job(indexed, expect![[""]]);
}

#[test]
fn indexed_jobs_are_bounded() {
    let check_job = |more: Value, expected: Expect| {
        let indexed = json!({"completionMode": "Indexed"});
        check_job(crate::patch::merge(&indexed, &more), expected);
    };
    check_job(
        json!({"parallelism": 2}),
        expect!["spec.completions: Required value: when completion mode is Indexed"],
    );
    check_job(
        json!({"completions": 3, "backoffLimitPerIndex": 1, "maxFailedIndexes": 4}),
        expect![
            "spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions"
        ],
    );
    check_job(
        json!({"completions": 100_002, "parallelism": 100_001}),
        expect![
            "spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed"
        ],
    );
    check_job(json!({"completions": 100_001, "parallelism": 100_000}), expect![[""]]);
    check_job(
        json!({"completions": 100_001, "parallelism": 10_001, "backoffLimitPerIndex": 1}),
        expect![[r#"
            spec.maxFailedIndexes: Required value: must be specified when completions is above 100000
            spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index"#]],
    );
    check_job(
        json!({"completions": 100_001, "parallelism": 1, "backoffLimitPerIndex": 1, "maxFailedIndexes": 100_001}),
        expect![[r#"
            spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 100000
            spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index"#]],
    );
    check_job(
        json!({"completions": 100_001, "parallelism": 10_000, "backoffLimitPerIndex": 1, "maxFailedIndexes": 10_000}),
        expect![[""]],
    );
    check_job(
        json!({"completions": 100_000, "parallelism": 10_001, "backoffLimitPerIndex": 1}),
        expect![[""]],
    );
}

#[test]
fn pods_of_jobs_end_and_are_replaced() {
    let restarts =
        |policy: &str| told_of_job(json!({"template": {"spec": {"restartPolicy": policy}}}));
    let at = "spec.template.spec.restartPolicy:";
    let ends = r#""OnFailure", "Never""#;
    assert_eq!(restarts("Always"), [format!("{at} Required value: valid values: {ends}")]);
    let of_x = restarts("x");
    let last = format!("{at} Unsupported value: \"x\": supported values: {ends}");
    assert_eq!(of_x.last(), Some(&last));
    assert_eq!(restarts("OnFailure"), NONE);
    let replaced = |policy: &str| told_of_job(json!({"podReplacementPolicy": policy}));
    let at = "spec.podReplacementPolicy: Unsupported value:";
    let known = r#"supported values: "Failed", "TerminatingOrFailed""#;
    assert_eq!(replaced("x"), [format!("{at} \"x\": {known}")]);
    assert_eq!(replaced("TerminatingOrFailed"), NONE);
    let looked_at = |restart: &str, policy: &str| {
        let rule = json!({"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]});
        told_of_job(json!({"podReplacementPolicy": policy, "podFailurePolicy": {"rules": [rule]},
            "template": {"spec": {"restartPolicy": restart}}}))
    };
    assert_eq!(
        looked_at("OnFailure", "TerminatingOrFailed"),
        [
            format!("{at} \"TerminatingOrFailed\": supported values: \"Failed\""),
            "spec.template.spec.restartPolicy: Invalid value: \"OnFailure\": only \"Never\" is supported when \
             podFailurePolicy is specified"
                .to_owned(),
        ]
    );
    assert_eq!(looked_at("Never", "Failed"), NONE);
}

#[test]
fn policies_of_failures() {
    let check = |rules: Value, expected: Expect| {
        check_job(json!({"podFailurePolicy": {"rules": rules}}), expected);
    };
    check(
        json!([
            {"action": "", "onExitCodes": {"operator": "", "values": []}},
            {"action": "x", "onExitCodes": {"operator": "x", "containerName": "b", "values": [3, 1, 3, 0]}},
            {"action": "FailIndex", "onExitCodes": {"operator": "In", "values": [0]}},
        ]),
        expect![[r#"
            spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]
            spec.podFailurePolicy.rules[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]
            spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []: at least one value is required
            spec.podFailurePolicy.rules[1].action: Unsupported value: "x": supported values: "Count", "FailIndex", "FailJob", "Ignore"
            spec.podFailurePolicy.rules[1].onExitCodes.operator: Unsupported value: "x": supported values: "In", "NotIn"
            spec.podFailurePolicy.rules[1].onExitCodes.containerName: Invalid value: "b": must be one of the container or initContainer names in the pod template
            spec.podFailurePolicy.rules[1].onExitCodes.values[2]: Duplicate value: 3
            spec.podFailurePolicy.rules[1].onExitCodes.values: Invalid value: [3,1,3,0]: must be ordered
            spec.podFailurePolicy.rules[2].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set
            spec.podFailurePolicy.rules[2].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator"#]],
    );
    check(
        json!([
            {"action": "Count"},
            {"action": "Count", "onExitCodes": {"operator": "In", "values": [1]}, "onPodConditions": [{"type": "a b", "status": "x"}]},
        ]),
        expect![[r#"
            spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required
            spec.podFailurePolicy.rules[1].onPodConditions[0].type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            spec.podFailurePolicy.rules[1].onPodConditions[0].status: Unsupported value: "x": supported values: "False", "True", "Unknown"
            spec.podFailurePolicy.rules[1]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported"#]],
    );
    check(
        json!([
            {"action": "Ignore", "onExitCodes": {"operator": "NotIn", "containerName": "a", "values": [0, 1]}},
            {"action": "FailJob", "onPodConditions": [{"type": "DisruptionTarget", "status": "Unknown"}]},
        ]),
        expect![[""]],
    );
}

#[test]
fn policies_of_failures_are_short() {
    let rule = json!({"action": "Count", "onPodConditions": [{"type": "A"}]});
    let rules = |count: usize| {
        told_of_job(json!({"podFailurePolicy": {"rules": vec![rule.clone(); count]}}))
    };
    let at = "spec.podFailurePolicy.rules";
    assert_eq!(rules(21), [format!("{at}: Too many: 21: must have at most 20 items")]);
    assert_eq!(rules(20), NONE);
    let of = |part: &str, value: Value| {
        told_of_job(json!({"podFailurePolicy": {"rules": [{"action": "Count", part: value}]}}))
    };
    let conditions = |count: usize| of("onPodConditions", json!(vec![json!({"type": "A"}); count]));
    let at = "spec.podFailurePolicy.rules[0]";
    let most = "must have at most 20 items";
    assert_eq!(conditions(21), [format!("{at}.onPodConditions: Too many: 21: {most}")]);
    assert_eq!(conditions(20), NONE);
    let codes = |count: i64| {
        let values: Vec<i64> = (1..=count).collect();
        of("onExitCodes", json!({"operator": "In", "values": values}))
    };
    let most = "must have at most 255 items";
    assert_eq!(codes(256), [format!("{at}.onExitCodes.values: Too many: 256: {most}")]);
    assert_eq!(codes(255), NONE);
}

#[test]
fn policies_of_success() {
    let check = |rules: Value, expected: Expect| {
        let indexed = json!({"completionMode": "Indexed", "completions": 5, "successPolicy": {"rules": rules}});
        check_job(indexed, expected);
    };
    check_job(
        json!({"successPolicy": {"rules": [{"succeededCount": 1}]}}),
        expect![[
            r#"spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode"#
        ]],
    );
    check(
        json!([]),
        expect![
            "spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified"
        ],
    );
    check(
        json!([{}, {"succeededCount": -1}, {"succeededCount": 6, "succeededIndexes": "0,2-4"}, {"succeededCount": 4, "succeededIndexes": "0,2-4"}]),
        expect![[r#"
            spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified
            spec.successPolicy.rules[1].succeededCount: Invalid value: -1: must be greater than or equal to 0
            spec.successPolicy.rules[2].succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)
            spec.successPolicy.rules[2].succeededCount: Invalid value: 6: must be less than or equal to 4 (the number of indexes in the specified succeededIndexes field)"#]],
    );
    check(
        json!([{"succeededIndexes": "x", "succeededCount": 1}]),
        expect![[r#"
            spec.successPolicy.rules[0].succeededIndexes: Invalid value: "x": error parsing succeededIndexes: cannot convert string to integer for index: "x"
            spec.successPolicy.rules[0].succeededCount: Invalid value: 1: must be less than or equal to 0 (the number of indexes in the specified succeededIndexes field)"#]],
    );
}

#[test]
fn lists_of_indexes() {
    let told = |indexes: &str| {
        let rules = json!([{"succeededIndexes": indexes}]);
        told_of_job(
            json!({"completionMode": "Indexed", "completions": 5, "successPolicy": {"rules": rules}}),
        )
    };
    for (indexes, why) in [
        ("5", r#"too large index: "5""#),
        ("0-5", r#"too large index: "5""#),
        ("1-", r#"cannot convert string to integer for index: """#),
        ("-1", r#"cannot convert string to integer for index: """#),
        (
            "0-1-2",
            r#"the fragment "0-1-2" violates the requirement that an index interval can have at most two parts separated by '-'"#,
        ),
        ("2-2", "non-increasing order, previous: 2, current: 2"),
        ("3,1", "non-increasing order, previous: 3, current: 1"),
        ("0-2,2", "non-increasing order, previous: 2, current: 2"),
    ] {
        let path = "spec.successPolicy.rules[0].succeededIndexes";
        let parsing = "error parsing succeededIndexes";
        assert_eq!(
            told(indexes),
            [format!("{path}: Invalid value: \"{indexes}\": {parsing}: {why}")]
        );
    }
    for indexes in ["", "4", "0,2-4", "0-3,4"] {
        assert_eq!(told(indexes), NONE, "{indexes}");
    }
}

#[test]
fn hosts_of_indexed_jobs_have_names() {
    let named = |length: usize| {
        let mut job = job(json!({"completionMode": "Indexed", "completions": 10}));
        job["metadata"]["name"] = "a".repeat(length).into();
        job
    };
    let name = "a".repeat(62);
    let why = "will not able to create pod with invalid DNS label";
    let wrong = format!("metadata.name: Invalid value: \"{name}\": {why}: {name}-9");
    assert_eq!(told("batch", "Job", named(62)), [wrong.as_str()]);
    assert_eq!(told("batch", "Job", named(61)), NONE);
    let job = completed("batch", "Job", named(62));
    assert_eq!(text(&validate("batch", "Job", &job, Some(&job))), wrong, "it is told once");
}

#[test]
fn indexed_jobs_grow_as_a_whole() {
    let sized = |completions: i64, parallelism: i64| {
        job(
            json!({"completionMode": "Indexed", "completions": completions, "parallelism": parallelism}),
        )
    };
    let check = |new: Value, expected: Expect| {
        check_update("batch", "Job", new, Some(sized(3, 3)), expected);
    };
    check(
        sized(4, 3),
        expect![
            "spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism"
        ],
    );
    check(sized(4, 4), expect![[""]]);
    check(sized(3, 1), expect![[""]]);
}

#[test]
fn policies_of_jobs_stay() {
    let old = job(
        json!({"podFailurePolicy": {"rules": [{"action": "Ignore", "onExitCodes": {"operator": "In", "values": [1]}}]}}),
    );
    let change = json!({"spec": {"podFailurePolicy": {"rules": [{"action": "Count", "onExitCodes": {"operator": "In", "values": [1]}}]}, "managedBy": "a.b/c"}});
    check_update(
        "batch",
        "Job",
        crate::patch::merge(&old, &change),
        Some(old.clone()),
        expect![[r#"
            spec.podFailurePolicy: Invalid value: {"Rules":[{"Action":"Count","OnExitCodes":{"ContainerName":null,"Operator":"In","Values":[1]},"OnPodConditions":null}]}: field is immutable
            spec.managedBy: Invalid value: "a.b/c": field is immutable"#]],
    );
    check_update(
        "batch",
        "Job",
        crate::patch::merge(&old, &json!({"spec": {"podFailurePolicy": null}})),
        Some(old.clone()),
        expect!["spec.podFailurePolicy: Invalid value: null: field is immutable"],
    );
    check_update("batch", "Job", old.clone(), Some(old), expect![[""]]);
}
