//! Quantities by name, as resource lists have them.

use std::collections::BTreeMap;

use serde_json::Value;
use watchkeeper_api::quantity::{Amount, Format, Quantity};

/// Amounts of resources.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Amounts(pub(super) BTreeMap<String, Amount>);

/// One of something.
pub(super) fn one() -> Amount {
    Amount::from_nanos(1_000_000_000, Format::DecimalSi)
}

pub(super) fn amount(value: &Value) -> Option<Amount> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    Quantity::from(text).amount().ok()
}

/// An amount as Go prints it.
pub(super) fn shown(amount: Amount) -> String {
    Quantity::from(amount).as_str().to_owned()
}

impl Amounts {
    /// A resource list; what is no quantity is left out.
    pub(super) fn read(list: &Value) -> Self {
        let members = list.as_object().into_iter().flatten();
        Self(members.filter_map(|(name, value)| Some((name.clone(), amount(value)?))).collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<Amount> {
        self.0.get(name).copied()
    }

    pub(super) fn set(&mut self, name: &str, amount: Amount) {
        self.0.insert(name.to_owned(), amount);
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (name, more) in &other.0 {
            let sum = match self.0.get(name) {
                Some(so_far) => {
                    // Nothing has no form of its own.
                    let of = if so_far.is_zero() { more } else { so_far };
                    Amount::from_nanos(so_far.nanos().saturating_add(more.nanos()), of.format())
                }
                None => *more,
            };
            self.0.insert(name.clone(), sum);
        }
    }

    /// The larger of both, name by name.
    pub(super) fn raise(&mut self, other: &Self) {
        for (name, more) in &other.0 {
            if self.0.get(name).is_none_or(|so_far| so_far.nanos() < more.nanos()) {
                self.0.insert(name.clone(), *more);
            }
        }
    }

    /// `a=1,b=2`.
    pub(super) fn line(&self) -> String {
        let parts = self.0.iter().map(|(name, amount)| format!("{name}={}", shown(*amount)));
        parts.collect::<Vec<_>>().join(",")
    }

    pub(super) fn json(&self) -> Value {
        let members = self.0.iter().map(|(name, amount)| (name.clone(), shown(*amount).into()));
        Value::Object(members.collect())
    }
}

/// What the containers of a pod ask for together: `requests` or `limits`.
pub(super) fn of_pod(pod: &Value, part: &str) -> Amounts {
    let list = |name: &str| pod["spec"][name].as_array().cloned().unwrap_or_default();
    let mut sum = Amounts::default();
    for container in list("containers") {
        sum.add(&Amounts::read(&container["resources"][part]));
    }
    let (mut staying, mut most) = (Amounts::default(), Amounts::default());
    for container in list("initContainers") {
        let own = Amounts::read(&container["resources"][part]);
        let mut here = own.clone();
        if container["restartPolicy"] == "Always" {
            sum.add(&own);
            staying.add(&own);
            here = staying.clone();
        } else {
            here.add(&staying);
        }
        most.raise(&here);
    }
    sum.raise(&most);
    for (name, amount) in Amounts::read(&pod["spec"]["resources"][part]).0 {
        sum.0.insert(name, amount);
    }
    sum
}

/// What a pod takes: what its containers ask for, and what it takes to run it at all. Where nothing limits the
/// containers, nothing limits the pod (`PodRequests` and `PodLimits` of `component-helpers/resource`).
pub(super) fn taken_by(pod: &Value, part: &str) -> Amounts {
    let mut sum = of_pod(pod, part);
    let mut overhead = Amounts::read(&pod["spec"]["overhead"]);
    if part == "limits" {
        overhead.0.retain(|name, _| sum.get(name).is_some_and(|amount| !amount.is_zero()));
    }
    sum.add(&overhead);
    sum
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Amounts, of_pod, taken_by};

    fn requests(spec: Value) -> String {
        of_pod(&json!({"spec": spec}), "requests").line()
    }

    fn container(cpu: &str) -> Value {
        json!({"resources": {"requests": {"cpu": cpu}}})
    }

    fn sidecar(cpu: &str) -> Value {
        let mut sidecar = container(cpu);
        sidecar["restartPolicy"] = "Always".into();
        sidecar
    }

    /// As `AggregateContainerRequests` of upstream's `resourcehelper` counts.
    #[test]
    fn a_pod_asks_for_what_it_needs_at_its_worst() {
        for (init, containers, cpu) in [
            (vec![], vec!["1", "2"], "cpu=3"),
            (vec![container("2")], vec!["1"], "cpu=2"),
            (vec![container("2")], vec!["1", "2"], "cpu=3"),
            (vec![container("2"), container("5"), container("1")], vec!["1"], "cpu=5"),
            (vec![sidecar("2")], vec!["1"], "cpu=3"),
            (vec![sidecar("2"), container("5")], vec!["1"], "cpu=7"),
            (vec![container("5"), sidecar("2")], vec!["1"], "cpu=5"),
            (vec![sidecar("2"), sidecar("3"), container("1")], vec!["1"], "cpu=6"),
        ] {
            let containers: Vec<Value> = containers.into_iter().map(container).collect();
            let spec = json!({"initContainers": init, "containers": containers});
            assert_eq!(requests(spec.clone()), cpu, "{spec}");
        }
    }

    #[test]
    fn what_a_pod_says_itself_stands_for_its_containers() {
        let own = json!({"requests": {"cpu": "1"}});
        let memory = json!({"resources": {"requests": {"cpu": "4", "memory": "1Gi"}}});
        assert_eq!(requests(json!({"containers": [memory], "resources": own})), "cpu=1,memory=1Gi");
    }

    #[test]
    fn what_it_takes_to_run_a_pod_is_taken_as_well() {
        let resources = json!({"requests": {"cpu": "1"}, "limits": {"cpu": "2", "memory": "0"}});
        let overhead = json!({"cpu": "250m", "memory": "64Mi"});
        let containers = [json!({"resources": resources})];
        let pod = json!({"spec": {"containers": containers, "overhead": overhead}});
        assert_eq!(taken_by(&pod, "requests").line(), "cpu=1250m,memory=64Mi");
        assert_eq!(taken_by(&pod, "limits").line(), "cpu=2250m,memory=0");
        assert_eq!(of_pod(&pod, "requests").line(), "cpu=1", "its containers");
    }

    #[test]
    fn the_larger_amount_stays_and_the_first_of_two_equal_ones() {
        let raised = |one: Value, other: Value| {
            let mut amounts = Amounts::read(&one);
            amounts.raise(&Amounts::read(&other));
            amounts.line()
        };
        assert_eq!(raised(json!({"a": "1", "b": "3"}), json!({"a": "2", "b": "1"})), "a=2,b=3");
        assert_eq!(raised(json!({}), json!({"a": "2"})), "a=2");
        assert_eq!(raised(json!({"a": "1Ki"}), json!({"a": "1024"})), "a=1Ki");
    }
}
