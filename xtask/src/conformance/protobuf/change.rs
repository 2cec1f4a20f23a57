//! Objects that differ from one with every field filled in, and still fit its type.

use serde_json::{Map, Value, json};

#[cfg(test)]
mod tests;

/// Numbers that look random and are the same for the same seed (splitmix64).
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit`.
    const fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ word >> 31) % limit
    }
}

/// The object with members taken away, lists shortened or emptied, scalars changed. Its names stay.
pub(super) fn object(filled: &Value, random: &mut Random) -> Value {
    // Some objects lose much, some little.
    let chance = [2, 4, 10, 40][random.below(4) as usize];
    let mut changed = Map::new();
    for (name, value) in filled.as_object().into_iter().flatten() {
        if matches!(name.as_str(), "apiVersion" | "kind") {
            changed.insert(name.clone(), value.clone());
        } else if random.below(chance) > 0 {
            changed.insert(name.clone(), change(value, chance, random));
        }
    }
    without_empty_verbs(&mut changed);
    Value::Object(changed)
}

/// Go tells an empty list from none where protobuf has it in a message of its own, and we do not:
/// the verbs of an `APIResource`.
fn without_empty_verbs(list: &mut Map<String, Value>) {
    let resources = list.get_mut("resources").and_then(Value::as_array_mut);
    for resource in resources.into_iter().flatten().filter_map(Value::as_object_mut) {
        resource.retain(|name, value| name != "verbs" || *value != json!([]));
    }
}

fn change(value: &Value, chance: u64, random: &mut Random) -> Value {
    let changed = random.below(chance) == 0;
    match value {
        Value::Object(_) if changed => json!({}),
        Value::Object(members) => {
            let kept = members.iter().filter(|_| random.below(chance) > 0).collect::<Vec<_>>();
            let change = |(name, value): &(&String, &Value)| {
                ((*name).clone(), change(value, chance, random))
            };
            Value::Object(kept.iter().map(change).collect())
        }
        Value::Array(_) if changed => json!([]),
        Value::Array(items) => {
            let times = if random.below(4) == 0 { 3 } else { 1 };
            let all = items.iter().cycle().take(items.len() * times);
            Value::Array(all.map(|item| change(item, chance, random)).collect())
        }
        Value::String(text) if changed && is_free(text) => {
            let others = ["", "ä€𝄞", "\u{0}\n\"", LONG];
            json!(others[random.below(4) as usize])
        }
        Value::Number(number) if changed && number.is_i64() => {
            json!([0, -1, i32::MAX, i32::MIN, 127, 128][random.below(6) as usize])
        }
        Value::Bool(_) if changed => json!(random.below(2) == 0),
        other => other.clone(),
    }
}

/// A text whose length takes two bytes.
const LONG: &str = "a text that goes on and on, and says nothing that has not been said before, until its length \
                    takes more than the seven bits that a single byte has for it in protobuf";

/// Whether any other text would do, too: not so for times, quantities, percentages and bytes.
fn is_free(text: &str) -> bool {
    let Some((name, number)) = text.rsplit_once('-') else { return false };
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphabetic() || b"-/.".contains(&byte));
    !name.is_empty() && is_name && number.bytes().all(|byte| byte.is_ascii_digit())
}
