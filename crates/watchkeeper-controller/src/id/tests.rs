//! Ids look as they should, differ, and can be repeated.

use std::collections::BTreeSet;

use super::*;

#[test]
fn n_05_ids_differ_and_a_seed_repeats_them() {
    let (ids, same, other) = (Ids::new(1), Ids::new(1), Ids::new(2));
    let drawn: Vec<_> = (0..1000).map(|_| ids.next()).collect();
    assert_eq!(drawn.iter().collect::<BTreeSet<_>>().len(), 1000);
    assert_eq!(drawn, (0..1000).map(|_| same.next()).collect::<Vec<_>>());
    assert!(!drawn.contains(&other.next()));
}

#[test]
fn n_05_an_id_has_the_form_of_a_random_uuid() {
    let text = ReconcileId::of(u128::MAX).to_string();
    assert_eq!(text, "ffffffff-ffff-4fff-bfff-ffffffffffff");
    assert_eq!(ReconcileId::of(0).to_string(), "00000000-0000-4000-8000-000000000000");
    let text = Ids::new(7).next().to_string();
    let lengths: Vec<_> = text.split('-').map(str::len).collect();
    assert_eq!((lengths, text.as_bytes()[14]), (vec![8, 4, 4, 4, 12], b'4'));
}
