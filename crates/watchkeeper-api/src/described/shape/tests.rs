//! What is known of types before any value is there.

use super::{Is, Literal, Shape};
use crate::core::v1::{Container, PodSpec};
use crate::{Described, IStr, IntOrString, List, Map, Raw};

#[test]
fn a_literal_fits_the_types_that_can_hold_it() {
    let text = Literal::Text("a");
    assert!(<IStr as Described>::SHAPE.takes(&text));
    assert!(<Option<IntOrString> as Described>::SHAPE.takes(&text));
    assert!(<Raw as Described>::SHAPE.takes(&text));
    assert!(!<i32 as Described>::SHAPE.takes(&text));
    assert!(!Shape::choice(&["b"]).takes(&text));
    assert!(<f64 as Described>::SHAPE.takes(&Literal::Integer));
    assert!(!<i32 as Described>::SHAPE.takes(&Literal::Number));
    const LIST: Literal = Literal::List(&[Literal::Text("a")]);
    assert!(<List<IStr> as Described>::SHAPE.takes(&LIST));
    assert!(!<List<bool> as Described>::SHAPE.takes(&LIST));
    const OBJECT: Literal = Literal::Object(&[("name", Literal::Text("a"))]);
    assert!(<Map as Described>::SHAPE.takes(&OBJECT));
    assert!(<Container as Described>::SHAPE.takes(&OBJECT));
    assert!(!<PodSpec as Described>::SHAPE.takes(&OBJECT));
}

#[test]
fn members_are_found_by_either_name() {
    let spec = PodSpec::SHAPE;
    assert_eq!(spec.field("host_pid").json, "hostPID");
    assert_eq!(spec.member("nodeName").map(|known| known.field), Some("node_name"));
    assert!(spec.at(&["nodeName", "x"]).is_some(), "nothing is known of a built-in's members");
    assert!(spec.at(&["nodename"]).is_none());
    assert_eq!(spec.at(&[]).map(|shape| shape.is), Some(Is::Struct));
    assert!(<List<Container> as Described>::SHAPE.has_keys(&["name"]));
    assert!(!<List<Container> as Described>::SHAPE.has_keys(&["name", "colour"]));
}
