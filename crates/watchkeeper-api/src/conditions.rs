//! Conditions: what is true of an object, each with the moment at which that last changed.
//!
//! Upstream's `meta.SetStatusCondition` and its kin, on a list of [`Condition`].
//!
//! ```
//! use watchkeeper_api::{List, Time, conditions, meta::v1::Condition, object};
//! let mut conditions = List::new();
//! let ready = object!(Condition { type_: "Ready", status: "True", reason: "AllUp" });
//! assert!(conditions::set(&mut conditions, ready.clone(), Time::from_unix(100)));
//! assert!(conditions::is_true(&conditions, "Ready"));
//! assert!(!conditions::set(&mut conditions, ready, Time::from_unix(200)), "nothing changed");
//! assert_eq!(conditions[0].last_transition_time, Some(Time::from_unix(100)));
//! ```

#[cfg(test)]
mod tests;

use crate::meta::v1::Condition;
use crate::{List, Time};

/// Sets the condition of that type; says whether anything changed.
///
/// The time of transition moves only when the status does: to the one given in `condition`, else to
/// `now`. All else is as in `condition`, so each says of which generation of the object it is:
///
/// ```
/// use watchkeeper_api::{List, Time, conditions, core::v1::Pod, meta::v1::Condition, object};
/// # let pod = object!(Pod { metadata: { generation: 7 } });
/// # let mut conditions: List<Condition> = List::new();
/// let ready = object!(Condition {
///     type_: "Ready", status: "True", reason: "AllUp", observed_generation: pod.metadata.generation,
/// });
/// conditions::set(&mut conditions, ready, Time::from_unix(100));
/// # assert_eq!(conditions[0].observed_generation, 7);
/// ```
///
/// Whoever waits for a condition, as `kubectl wait` does, does not take one of an older generation for it.
pub fn set(conditions: &mut List<Condition>, mut condition: Condition, now: Time) -> bool {
    let place = conditions.iter_mut().find(|known| known.type_ == condition.type_);
    match place {
        Some(known) if known.status == condition.status => {
            condition.last_transition_time = known.last_transition_time.or(Some(now));
            let changed = *known != condition;
            *known = condition;
            changed
        }
        Some(known) => {
            condition.last_transition_time.get_or_insert(now);
            *known = condition;
            true
        }
        None => {
            condition.last_transition_time.get_or_insert(now);
            conditions.push(condition);
            true
        }
    }
}

/// Removes the condition of that type; says whether there was one.
pub fn remove(conditions: &mut List<Condition>, type_: &str) -> bool {
    let before = conditions.len();
    conditions.retain(|condition| condition.type_ != *type_);
    conditions.len() != before
}

/// The condition of that type.
#[must_use]
pub fn find<'c>(conditions: &'c [Condition], type_: &str) -> Option<&'c Condition> {
    conditions.iter().find(|condition| condition.type_ == *type_)
}

/// Whether the condition of that type is there and `True`.
#[must_use]
pub fn is_true(conditions: &[Condition], type_: &str) -> bool {
    find(conditions, type_).is_some_and(|condition| condition.status == "True")
}

/// Whether the condition of that type is there and `False`.
#[must_use]
pub fn is_false(conditions: &[Condition], type_: &str) -> bool {
    find(conditions, type_).is_some_and(|condition| condition.status == "False")
}
