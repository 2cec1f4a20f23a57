//! `LimitRanger`: what containers get unless they ask, and what they may ask for.

use serde_json::{Value, json};
use watchkeeper_api::quantity::{Amount, Format};

use super::amounts::{Amounts, amount, of_pod, shown};
use super::{Asked, forbidden, within};
use crate::admission::conditions::aggregate;
use crate::error::ApiError;
use crate::meta;
use crate::turn::Turn;

const TABLE: &str = "limitranges";
const ANNOTATION: &str = "kubernetes.io/limit-ranger";

/// Fills in what the containers of a new pod do not ask for.
pub(super) fn fill(turn: &Turn<'_>, asked: Asked<'_>, pod: &mut Value) {
    let ranges = within(turn, TABLE, &asked.call.namespace);
    for range in ranges {
        let (mut requests, mut limits) = (Vec::new(), Vec::new());
        for limit in items(&range.value()).filter(|limit| limit["type"] == "Container") {
            requests.extend(members(&limit["defaultRequest"]));
            limits.extend(members(&limit["default"]));
        }
        let mut told = Vec::new();
        for (list, what) in [("containers", "container"), ("initContainers", "init container")] {
            let containers = pod["spec"][list].as_array_mut().into_iter().flatten();
            for container in containers {
                merge(container, "requests", &requests, what, &mut told);
                merge(container, "limits", &limits, what, &mut told);
            }
        }
        if !told.is_empty() {
            let text = format!("LimitRanger plugin set: {}", told.join("; "));
            let all = meta::members(pod).entry("annotations").or_insert_with(|| json!({}));
            all[ANNOTATION] = text.into();
        }
    }
}

fn items(range: &Value) -> impl Iterator<Item = &Value> {
    range["spec"]["limits"].as_array().into_iter().flatten()
}

fn members(list: &Value) -> Vec<(String, Value)> {
    let members = list.as_object().into_iter().flatten();
    members.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn merge(
    container: &mut Value,
    part: &str,
    defaults: &[(String, Value)],
    what: &str,
    told: &mut Vec<String>,
) {
    let mut set = Vec::new();
    for (name, value) in defaults {
        if !container["resources"].is_object() {
            container["resources"] = json!({});
        }
        let of = &mut container["resources"];
        if !of[part].is_object() {
            of[part] = json!({});
        }
        if of[part].get(name).is_none() {
            of[part][name.as_str()] = value.clone();
            set.push(name.as_str());
        }
    }
    if !set.is_empty() {
        set.sort_unstable();
        let (set, part) = (set.join(", "), part.trim_end_matches('s'));
        let name = container["name"].as_str().unwrap_or_default();
        told.push(format!("{set} {part} for {what} {name}"));
    }
}

/// Whether a new pod, or a claim, asks for what is allowed. What is being deleted may be changed
/// whatever it asks for: its finalizers must go.
///
/// # Errors
///
/// 403 with every limit that is broken.
pub(super) fn judge(turn: &Turn<'_>, asked: Asked<'_>, object: &Value) -> Result<(), ApiError> {
    let is_pod = asked.creates("", "pods");
    let is_leaving = asked.old.is_some_and(meta::is_deleting);
    if is_leaving || !is_pod && !asked.is("", "persistentvolumeclaims") {
        return Ok(());
    }
    for range in within(turn, TABLE, &asked.call.namespace) {
        let mut errors = Vec::new();
        for limit in items(&range.value()) {
            match limit["type"].as_str() {
                Some("PersistentVolumeClaim") if !is_pod => claim(limit, object, &mut errors),
                Some("Container") if is_pod => {
                    for list in ["containers", "initContainers"] {
                        for container in object["spec"][list].as_array().into_iter().flatten() {
                            let of = |part: &str| Amounts::read(&container["resources"][part]);
                            bounds("Container", limit, &of("requests"), &of("limits"), &mut errors);
                        }
                    }
                }
                Some("Pod") if is_pod => {
                    let (requests, limits) = (of_pod(object, "requests"), of_pod(object, "limits"));
                    bounds("Pod", limit, &requests, &limits, &mut errors);
                }
                _ => {}
            }
        }
        if !errors.is_empty() {
            errors.dedup();
            return Err(forbidden(asked, object, &aggregate(&errors)));
        }
    }
    Ok(())
}

fn claim(limit: &Value, claim: &Value, errors: &mut Vec<String>) {
    let kind = "PersistentVolumeClaim";
    let requests = Amounts::read(&claim["spec"]["resources"]["requests"]);
    for (name, bound) in Amounts::read(&limit["min"]).0 {
        let bound = (&*name, bound);
        errors.extend(least(kind, bound, &requests, &Amounts::default()));
    }
    for (name, bound) in Amounts::read(&limit["max"]).0 {
        let head = format!("maximum {name} usage per {kind} is {}", shown(bound));
        let Some(request) = requests.get(&name) else {
            errors.push(format!("{head}.  No request is specified"));
            continue;
        };
        let [observed, _, most] = compared(Some(request), None, bound);
        if observed > most {
            errors.push(format!("{head}, but request is {}", shown(request)));
        }
    }
}

/// An amount by its name.
type Bound<'a> = (&'a str, Amount);

fn bounds(
    kind: &str,
    limit: &Value,
    requests: &Amounts,
    limits: &Amounts,
    errors: &mut Vec<String>,
) {
    for (name, bound) in Amounts::read(&limit["min"]).0 {
        errors.extend(least(kind, (&name, bound), requests, limits));
    }
    for (name, bound) in Amounts::read(&limit["max"]).0 {
        errors.extend(most(kind, (&name, bound), requests, limits));
    }
    let ratios = limit["maxLimitRequestRatio"].as_object().into_iter().flatten();
    for (name, bound) in ratios {
        if let Some(bound) = amount(bound) {
            errors.extend(ratio(kind, (name, bound), requests, limits));
        }
    }
}

/// A request, a limit, and what bounds them: in thousandths where they are small enough for that, else as whole numbers,
/// and always rounded up (`requestLimitEnforcedValues`).
fn compared(request: Option<Amount>, limit: Option<Amount>, bound: Amount) -> [i64; 3] {
    let nothing = Amount::from_nanos(0, Format::DecimalSi);
    let amounts = [request.unwrap_or(nothing), limit.unwrap_or(nothing), bound];
    let whole = amounts.map(Amount::value);
    match whole.iter().all(|value| *value <= MOST_OF_THOUSANDTHS) {
        true => amounts.map(Amount::milli_value),
        false => whole,
    }
}

/// Upstream's `MaxMilliValue`.
const MOST_OF_THOUSANDTHS: i64 = i64::MAX / 1000;

fn least(kind: &str, bound: Bound<'_>, requests: &Amounts, limits: &Amounts) -> Option<String> {
    let (name, bound) = bound;
    let head = format!("minimum {name} usage per {kind} is {}", shown(bound));
    let (request, limit) = (requests.get(name), limits.get(name));
    let [observed, limited, least] = compared(request, limit, bound);
    let Some(request) = request else {
        return Some(format!("{head}.  No request is specified"));
    };
    if observed < least {
        return Some(format!("{head}, but request is {}", shown(request)));
    }
    let limit = limit.filter(|_| limited < least)?;
    Some(format!("{head}, but limit is {}", shown(limit)))
}

fn most(kind: &str, bound: Bound<'_>, requests: &Amounts, limits: &Amounts) -> Option<String> {
    let (name, bound) = bound;
    let head = format!("maximum {name} usage per {kind} is {}", shown(bound));
    let (request, limit) = (requests.get(name), limits.get(name));
    let [observed, limited, most] = compared(request, limit, bound);
    let Some(limit) = limit else {
        return Some(format!("{head}.  No limit is specified"));
    };
    if limited > most {
        return Some(format!("{head}, but limit is {}", shown(limit)));
    }
    let request = request.filter(|_| observed > most)?;
    Some(format!("{head}, but request is {}", shown(request)))
}

/// What is compared is the quotient of the rounded amounts with the bound, which is rounded as well.
fn ratio(kind: &str, bound: Bound<'_>, requests: &Amounts, limits: &Amounts) -> Option<String> {
    let (name, bound) = bound;
    let head = format!("{name} max limit to request ratio per {kind} is {}", shown(bound));
    let [request, limit, _] = compared(requests.get(name), limits.get(name), bound);
    if request == 0 {
        return Some(format!("{head}, but no request is specified or request is 0"));
    }
    if limit == 0 {
        return Some(format!("{head}, but no limit is specified or limit is 0"));
    }
    let observed = limit as f64 / request as f64;
    let is_past = match bound.value() {
        whole if whole > MOST_OF_THOUSANDTHS => observed > whole as f64,
        _ => observed * 1000.0 > bound.milli_value() as f64,
    };
    is_past.then(|| format!("{head}, but provided ratio is {observed:.6}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(limit: &Value, requests: &Value, limits: &Value) -> Vec<String> {
        let mut errors = Vec::new();
        bounds("Pod", limit, &Amounts::read(requests), &Amounts::read(limits), &mut errors);
        errors
    }

    #[test]
    fn ratios_are_those_of_rounded_amounts() {
        let ratio = |bound: &str, request: &str, limit: &str| {
            let of = |amount: &str| json!({"cpu": amount});
            told(&json!({"maxLimitRequestRatio": of(bound)}), &of(request), &of(limit))
        };
        assert_eq!(ratio("2", "100m", "200m"), [""; 0]);
        let head = "cpu max limit to request ratio per Pod is";
        assert_eq!(
            ratio("2", "100m", "201m"),
            [format!("{head} 2, but provided ratio is 2.010000")]
        );
        // Half a thousandth counts as a whole one, of the request and of the bound.
        assert_eq!(ratio("2", "500u", "2m"), [""; 0]);
        assert_eq!(ratio("1500500u", "2m", "3m"), [""; 0]);
        assert_eq!(ratio("1500m", "2", "3"), [""; 0]);
        let nothing = format!("{head} 2, but no request is specified or request is 0");
        assert_eq!(ratio("2", "0", "1"), [nothing]);
        let nothing = format!("{head} 2, but no limit is specified or limit is 0");
        assert_eq!(ratio("2", "1", "0"), [nothing]);
    }

    #[test]
    fn amounts_that_have_too_many_thousandths_are_compared_as_whole_numbers() {
        let of = |amount: &str| json!({"memory": amount});
        let bound = json!({"maxLimitRequestRatio": of("1")});
        assert_eq!(told(&bound, &of("10Pi"), &of("10Pi")), [""; 0]);
        assert_eq!(told(&bound, &of("10Pi"), &of("20Pi")).len(), 1);
        let least = json!({"min": of("10000000000000000100m")});
        assert_eq!(told(&least, &of("10000000000000001"), &json!({})), [""; 0]);
    }

    /// `maxLimitRequestRatio` of upstream: bounds that have too many thousandths are whole numbers.
    #[test]
    fn ratios_are_bounded_by_thousandths_or_by_whole_numbers() {
        let of = |amount: &str| json!({"memory": amount});
        for (bound, request, limit, count) in [
            ("1500m", "100m", "160m", 1),
            ("1500m", "100m", "150m", 0),
            ("20Pi", "1", "15Pi", 0),
            ("20Pi", "1", "25Pi", 1),
            ("9223372036854775", "1", "9223372036854776", 1),
        ] {
            let ratio = json!({"maxLimitRequestRatio": of(bound)});
            assert_eq!(told(&ratio, &of(request), &of(limit)).len(), count, "{bound} {limit}");
        }
    }

    #[test]
    fn the_least_and_the_most_are_allowed_of_requests_and_of_limits() {
        let of = |amount: &str| json!({"cpu": amount});
        let bounds = json!({"min": of("100m"), "max": of("1")});
        let head = |most: &str, amount: &str| format!("{most} cpu usage per Pod is {amount}");
        let (least, most) = (head("minimum", "100m"), head("maximum", "1"));
        for (requests, limits, expected) in [
            (of("100m"), of("1"), vec![]),
            (of("99m"), of("1"), vec![format!("{least}, but request is 99m")]),
            (of("100m"), of("99m"), vec![format!("{least}, but limit is 99m")]),
            (of("100m"), of("1001m"), vec![format!("{most}, but limit is 1001m")]),
            (of("1001m"), of("1"), vec![format!("{most}, but request is 1001m")]),
            (json!({}), of("1"), vec![format!("{least}.  No request is specified")]),
            (of("1"), json!({}), vec![format!("{most}.  No limit is specified")]),
        ] {
            assert_eq!(told(&bounds, &requests, &limits), expected, "{requests} {limits}");
        }
    }

    #[test]
    fn what_is_smaller_than_a_thousandth_is_one() {
        let of = |amount: &str| json!({"cpu": amount});
        let least = json!({"min": of("1m")});
        assert_eq!(told(&least, &of("1n"), &json!({})), [""; 0]);
        let most = json!({"max": of("1m")});
        assert_eq!(told(&most, &of("1m"), &of("999u")), [""; 0]);
        assert_eq!(told(&most, &json!({}), &of("1001u")).len(), 1);
    }
}
