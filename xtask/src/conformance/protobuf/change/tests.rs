use super::*;

#[test]
fn the_same_seed_changes_the_same() {
    let filled =
        json!({"kind": "A", "apiVersion": "v1", "a": {"b": ["x-1", "x-2"], "c": 7}, "d": true});
    let all = |seed| {
        let mut random = Random::new(seed);
        (0..50).map(|_| object(&filled, &mut random)).collect::<Vec<_>>()
    };
    assert_eq!(all(1), all(1));
    assert_ne!(all(1), all(2));
    assert!(all(1).iter().all(|changed| changed["kind"] == "A"));
    assert!(all(1).iter().any(|changed| changed.get("a").is_none()));
    assert!(all(1).iter().any(|changed| changed["a"]["b"] == json!([])));
}

#[test]
fn texts_with_a_form_of_their_own_stay() {
    assert!(is_free("image-12") && is_free("key-1"));
    for text in ["2024-03-04T05:06:15Z", "12Mi", "13%", "Ynl0ZXM=", "-1", ""] {
        assert!(!is_free(text), "{text}");
    }
}
