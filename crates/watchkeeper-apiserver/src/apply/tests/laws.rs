//! Laws of applies, of any objects.

use proptest::prelude::*;

use super::*;

/// Lists by key are not empty: nobody owns such a list, so it comes and goes, upstream too.
fn any_spec() -> impl Strategy<Value = Value> {
    let ports = prop::collection::btree_set((1..4i64, prop::bool::ANY), 1..3).prop_map(|ports| {
        let port = |(port, udp)| match udp {
            true => json!({"port": port, "protocol": "UDP", "name": "n"}),
            false => json!({"port": port}),
        };
        Value::Array(ports.into_iter().map(port).collect())
    });
    (
        prop::option::of(1..3i64),
        prop::option::of("[xy]"),
        prop::option::of(ports),
        prop::option::of(prop::collection::vec("[ab]", 0..3)),
    )
        .prop_map(|(replicas, image, ports, args)| {
            let mut spec = Map::new();
            let mut set = |name: &str, value: Option<Value>| {
                spec.extend(value.map(|value| (name.to_owned(), value)));
            };
            set("replicas", replicas.map(Value::from));
            set("image", image.map(Value::from));
            set("ports", ports);
            set("args", args.map(Value::from));
            json!({"spec": spec})
        })
}

/// What removal leaves empty goes as a whole, as in upstream's `removingWalker`: an empty spec that is applied over
/// what is removed is itself not there, and comes with the next apply.
fn is_empty(applied: &Value) -> bool {
    applied["spec"] == json!({})
}

proptest! {
    #[test]
    fn applying_twice_changes_nothing(
        first in any_spec(),
        second in any_spec().prop_filter("an empty one comes and goes", |it| !is_empty(it)),
        other in any_spec(),
    ) {
        let mut world = World::default();
        world.apply_as("a", true, first);
        world.apply_as("b", true, other);
        world.apply_as("a", true, second.clone());
        let once = world.live.clone();
        world.apply_as("a", true, second);
        prop_assert_eq!(world.live, once);
    }

    #[test]
    fn what_a_sole_applier_applies_is_what_is_there(first in any_spec(), second in any_spec()) {
        let mut world = World::default();
        world.apply("a", first);
        world.apply("a", second.clone());
        let live = world.live.expect("stored");
        if let Value::Object(spec) = &second["spec"] {
            for (name, value) in spec {
                prop_assert_eq!(&live["spec"][name], value);
            }
            let scalars = ["replicas", "image"];
            prop_assert!(scalars.iter().all(|n| spec.contains_key(*n) || live["spec"].get(*n).is_none()));
        }
    }

    #[test]
    fn a_forced_apply_leaves_no_field_in_dispute(first in any_spec(), second in any_spec()) {
        let mut world = World::default();
        world.apply_as("a", true, first);
        world.apply_as("b", true, second.clone());
        let before = world.live.clone();
        world.apply_as("b", false, second);
        prop_assert_eq!(world.live, before);
    }
}
