//! Flow schemas and priority levels (`flowcontrol/validation`).

use serde_json::{Value, json};
use watchkeeper_schema::FieldError;

use super::{Check, Place, names};

/// The most queues that a priority level may have.
const MOST_QUEUES: i64 = 10_000_000;
/// So many bits of a hash are dealt to hands of queues.
const HASH_BITS: u32 = 60;
const HIGHEST_PRECEDENCE: i64 = 10_000;
const VERBS: [&str; 9] =
    ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

pub(super) fn flow_schema(check: &mut Check<'_>) {
    let precedence = check.at("spec.matchingPrecedence");
    let number = precedence.number().unwrap_or_default();
    let above = format!("must not be greater than {HIGHEST_PRECEDENCE}");
    let is_exempt = check.at("metadata.name").text() == "exempt";
    let only = "only the schema named 'exempt' may have matchingPrecedence 1";
    for (is_wrong, why) in [
        (number <= 0, "must be a positive value"),
        (number > HIGHEST_PRECEDENCE, &above),
        (number == 1 && !is_exempt, only),
    ] {
        if is_wrong {
            check.push(FieldError::invalid(&*precedence.path, number, why));
        }
    }
    let method = check.at("spec.distinguisherMethod");
    if !method.is_missing() {
        let of = method.member("type");
        if !["ByNamespace", "ByUser"].contains(&of.text()) {
            // Upstream shows the method, with the name that its member has inside.
            let value = json!({"Type": of.text()});
            let known = ["ByNamespace", "ByUser"];
            check.push(FieldError::not_supported(&*of.path, value, known));
        }
    }
    let level = check.at("spec.priorityLevelConfiguration.name");
    check.name(&level, "must reference a priority level", names::subdomain);
    for rule in check.at("spec.rules").items() {
        policy_rule(check, &rule);
    }
}

fn policy_rule(check: &mut Check<'_>, rule: &Place<'_>) {
    let subjects = rule.member("subjects");
    if subjects.is_empty() {
        let detail = "subjects must contain at least one value";
        check.push(FieldError::required(&*subjects.path, detail));
    }
    for of in subjects.items() {
        subject(check, &of);
    }
    let (resources, paths) = (rule.member("resourceRules"), rule.member("nonResourceRules"));
    if resources.is_empty() && paths.is_empty() {
        let detail = "at least one of resourceRules and nonResourceRules has to be non-empty";
        check.push(FieldError::required(&*rule.path, detail));
    }
    resources.items().iter().for_each(|of| resource_rule(check, of));
    paths.items().iter().for_each(|of| path_rule(check, of));
}

/// A subject has the member of its kind, and no other.
fn subject(check: &mut Check<'_>, subject: &Place<'_>) {
    const KINDS: [(&str, &str); 3] =
        [("Group", "group"), ("ServiceAccount", "serviceAccount"), ("User", "user")];
    let kind = subject.member("kind");
    let Some((_, own)) = KINDS.iter().find(|(name, _)| *name == kind.text()) else {
        let known = KINDS.map(|(name, _)| name);
        return check.push(FieldError::not_supported(&*kind.path, kind.text(), known));
    };
    let who = subject.member(own);
    if who.is_missing() {
        let detail = format!("{own} is required when subject kind is '{}'", kind.text());
        check.push(FieldError::required(&*who.path, detail));
    } else if *own == "serviceAccount" {
        service_account(check, &who);
    } else if who.member("name").is_empty() {
        check.push(FieldError::required(who.member("name").path, ""));
    }
    let order = ["serviceAccount", "user", "group"];
    for other in order.iter().filter(|other| *other != own) {
        let place = subject.member(other);
        if !place.is_missing() {
            let of = KINDS.iter().find(|(_, name)| name == other).map_or("", |(kind, _)| kind);
            let detail = format!("{other} is forbidden when subject kind is not '{of}'");
            check.push(FieldError::forbidden(place.path, detail));
        }
    }
}

fn service_account(check: &mut Check<'_>, account: &Place<'_>) {
    let name = account.member("name");
    if name.text() != "*" {
        check.name(&name, "", names::subdomain);
    }
    let namespace = account.member("namespace");
    check.name(&namespace, "must specify namespace for service account", names::label);
}

fn resource_rule(check: &mut Check<'_>, rule: &Place<'_>) {
    verbs(check, rule);
    let least = "resource rules must supply at least one api group";
    wildcard_alone(check, &rule.member("apiGroups"), least, "api groups");
    let least = "resource rules must supply at least one resource";
    wildcard_alone(check, &rule.member("resources"), least, "resources");
    let namespaces = rule.member("namespaces");
    let is_of_cluster = rule.member("clusterScope").value == Some(&Value::Bool(true));
    let least = "resource rules that are not cluster scoped must supply at least one namespace";
    if !namespaces.is_empty() || !is_of_cluster {
        wildcard_alone(check, &namespaces, least, "namespaces");
    }
    if !has_wildcard(&namespaces) {
        for namespace in namespaces.items() {
            let intro = "each member of this list must be '*' or a DNS-1123 label; ";
            let wrong = names::label(namespace.text()).into_iter();
            let wrong = wrong.map(|why| format!("{intro}{why}")).collect();
            check.all(&namespace, namespace.text(), wrong);
        }
    }
}

fn path_rule(check: &mut Check<'_>, rule: &Place<'_>) {
    verbs(check, rule);
    let paths = rule.member("nonResourceURLs");
    let least = "nonResourceURLs must contain at least one value";
    wildcard_alone(check, &paths, least, "non-resource URLs");
    if !has_wildcard(&paths) {
        for path in paths.items() {
            if let Some(why) = wrong_path(path.text()) {
                check.push(FieldError::invalid(&*path.path, path.text(), why));
            }
        }
    }
}

fn wrong_path(path: &str) -> Option<&'static str> {
    let before_star = path.strip_suffix("/*").unwrap_or(path);
    match path {
        "" => Some("must not be empty"),
        "/" => None,
        path if !path.starts_with('/') => Some("must start with slash"),
        path if path.contains(' ') => Some("must not contain white-space"),
        path if path.contains("//") => Some("must not contain double slash"),
        _ if before_star.contains('*') => Some("wildcard can only do suffix matching"),
        _ => None,
    }
}

fn verbs(check: &mut Check<'_>, rule: &Place<'_>) {
    let verbs = rule.member("verbs");
    wildcard_alone(check, &verbs, "verbs must contain at least one value", "verbs");
    let is_known = |verb: &Place<'_>| VERBS.contains(&verb.text());
    if !has_wildcard(&verbs) && !verbs.items().iter().all(is_known) {
        let value = verbs.value.cloned().unwrap_or_default();
        check.push(FieldError::not_supported(&*verbs.path, value, VERBS));
    }
}

fn has_wildcard(list: &Place<'_>) -> bool {
    list.items().iter().any(|item| item.text() == "*")
}

/// A list that has something, and nothing beside a star.
fn wildcard_alone(check: &mut Check<'_>, list: &Place<'_>, least: &str, what: &str) {
    if list.is_empty() {
        check.push(FieldError::required(&*list.path, least));
    } else if has_wildcard(list) && list.items().len() > 1 {
        let detail = format!("if '*' is present, must not specify other {what}");
        let value = list.value.cloned().unwrap_or_default();
        check.push(FieldError::invalid(&*list.path, value, detail));
    }
}

pub(super) fn priority_level(check: &mut Check<'_>) {
    let of = check.at("spec.type");
    let is_exempt = check.at("metadata.name").text() == "exempt";
    if is_exempt != (of.text() == "Exempt") {
        let detail = "must be 'Exempt' if and only if `name` is 'exempt'";
        check.push(FieldError::invalid(&*of.path, of.text(), detail));
    }
    let (limited, exempt) = (check.at("spec.limited"), check.at("spec.exempt"));
    match of.text() {
        "Exempt" => {
            if !limited.is_missing() {
                let detail = "must be nil if the type is not Limited";
                check.push(FieldError::forbidden(&*limited.path, detail));
            }
            if !exempt.is_missing() {
                shares(check, &exempt);
                lendable(check, &exempt);
            }
        }
        "Limited" => {
            if !exempt.is_missing() {
                let detail = "must be nil if the type is Limited";
                check.push(FieldError::forbidden(&*exempt.path, detail));
            }
            if limited.is_missing() {
                let detail = "must not be empty when type is Limited";
                check.push(FieldError::required(&*limited.path, detail));
            } else {
                limited_level(check, &limited);
            }
        }
        _ => check.one_of(&of, &["Exempt", "Limited"]),
    }
}

fn limited_level(check: &mut Check<'_>, limited: &Place<'_>) {
    shares(check, limited);
    let response = limited.member("limitResponse");
    let (of, queuing) = (response.member("type"), response.member("queuing"));
    match of.text() {
        "Reject" => {
            if !queuing.is_missing() {
                let detail = "must be nil if limited.limitResponse.type is not Limited";
                check.push(FieldError::forbidden(&*queuing.path, detail));
            }
        }
        "Queue" if queuing.is_missing() => {
            let detail = "must not be empty if limited.limitResponse.type is Limited";
            check.push(FieldError::required(&*queuing.path, detail));
        }
        "Queue" => queues(check, &queuing),
        _ => check.one_of(&of, &["Queue", "Reject"]),
    }
    lendable(check, limited);
    let borrowing = limited.member("borrowingLimitPercent");
    if let Some(percent) = borrowing.number().filter(|percent| *percent < 0) {
        let detail = "if specified, must be a non-negative integer";
        check.push(FieldError::invalid(&*borrowing.path, percent, detail));
    }
}

fn shares(check: &mut Check<'_>, level: &Place<'_>) {
    let shares = level.member("nominalConcurrencyShares");
    if let Some(number) = shares.number().filter(|number| *number < 0) {
        let detail = "must be a non-negative integer";
        check.push(FieldError::invalid(&*shares.path, number, detail));
    }
}

fn lendable(check: &mut Check<'_>, level: &Place<'_>) {
    let lendable = level.member("lendablePercent");
    if let Some(percent) = lendable.number().filter(|percent| !(0..=100).contains(percent)) {
        let detail = "must be between 0 and 100, inclusive";
        check.push(FieldError::invalid(&*lendable.path, percent, detail));
    }
}

fn queues(check: &mut Check<'_>, queuing: &Place<'_>) {
    let number = |name: &str| (queuing.member(name), queuing.member(name).number().unwrap_or(0));
    let ((limit, length), (many, queues), (hand, size)) =
        (number("queueLengthLimit"), number("queues"), number("handSize"));
    let mut wrong = |place: &Place<'_>, value: i64, why: String| {
        check.push(FieldError::invalid(&*place.path, value, why));
    };
    if length <= 0 {
        wrong(&limit, length, "must be positive".to_owned());
    }
    if queues <= 0 {
        wrong(&many, queues, "must be positive".to_owned());
    } else if queues > MOST_QUEUES {
        wrong(&many, queues, format!("must not be greater than {MOST_QUEUES}"));
    }
    if size <= 0 {
        wrong(&hand, size, "must be positive".to_owned());
    } else if size > queues {
        wrong(&hand, size, format!("should not be greater than queues ({queues})"));
    } else if !fits_a_hash(queues, size) {
        let why = format!(
            "required entropy bits of deckSize {queues} and handSize {size} should not be greater than {HASH_BITS}"
        );
        wrong(&hand, size, why);
    }
}

/// Whether a hash has room for a hand, with a number of a queue for each of its cards.
fn fits_a_hash(queues: i64, hand: i64) -> bool {
    let mut hands = Some(1_u64);
    for _card in 0..hand.min(HASH_BITS.into()) {
        hands = hands.and_then(|hands| hands.checked_mul(queues.unsigned_abs()));
    }
    hands.is_some_and(|hands| hands <= 1 << HASH_BITS)
}
