//! What is kept. What is decided by it is told by the scripts of the floors.

use super::*;

/// A process that deletes for years keeps no name of what it deleted.
#[test]
fn a_life_that_left_is_forgotten_with_its_end() {
    let mut ends = Ends::default();
    let key = ObjectKey::from(("default", "a"));
    ends.end(End::new(1, true, 1), key.clone(), vec!["1".to_owned()]);
    ends.lost(&key, "1", true);
    assert_eq!(ends.left.len(), 1);
    ends.lost(&key, "1", false);
    assert!(ends.is_empty());
    assert!(ends.left.is_empty());
}
