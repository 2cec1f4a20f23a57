//! The conditions of pods that others than their kubelet tell.

use watchkeeper_api::core::v1::PodCondition;
use watchkeeper_api::{List, Time};

/// Says this where the condition of its type stands, or behind the others. The time moves with the value alone, and
/// what says the same already is left as it is, whatever generation it was told of (upstream's
/// `UpdatePodCondition`).
pub(crate) fn set(conditions: &mut List<PodCondition>, fresh: PodCondition, now: Time) {
    let known = conditions.iter_mut().find(|known| known.type_ == fresh.type_);
    match known {
        Some(known) if says_the_same(known, &fresh) => {}
        Some(known) => {
            let since = known.last_transition_time.filter(|_| known.status == fresh.status);
            *known = PodCondition { last_transition_time: since.or(Some(now)), ..fresh };
        }
        None => conditions.push(PodCondition { last_transition_time: Some(now), ..fresh }),
    }
}

fn says_the_same(known: &PodCondition, fresh: &PodCondition) -> bool {
    (&known.status, &known.reason, &known.message) == (&fresh.status, &fresh.reason, &fresh.message)
}
