//! What callers rely on: repeatable, well-formed.

use super::Rng;

#[test]
fn the_same_seed_gives_the_same_values() {
    let (mut a, mut b) = (Rng::new(7), Rng::new(7));
    assert_eq!((a.uuid(), a.suffix(5)), (b.uuid(), b.suffix(5)));
    assert_ne!(Rng::new(8).uuid(), Rng::new(7).uuid());
}

#[test]
fn uuids_carry_version_and_variant() {
    let mut rng = Rng::new(1);
    for _ in 0..100 {
        let uuid = rng.uuid();
        assert_eq!(uuid.len(), 36);
        assert_eq!(&uuid[14..15], "4");
        assert!(matches!(&uuid[19..20], "8" | "9" | "a" | "b"), "{uuid}");
    }
}
