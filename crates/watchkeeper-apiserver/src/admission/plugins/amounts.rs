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
