//! The one form of subsets, and how many addresses are left in them.

use watchkeeper_api::core::v1::{EndpointAddress, EndpointPort, EndpointSubset, ObjectReference};

use super::super::subsets::{repack, shorten};
use super::told;

/// `1 2 not 3 at http:80`: addresses that are ready, others, and ports.
fn subset(text: &str) -> EndpointSubset {
    let (hosts, ports) = text.split_once(" at").expect("ports");
    let (ready, others) = hosts.split_once("not").unwrap_or((hosts, ""));
    let port = |text: &str| {
        let (name, port) = text.split_once(':').expect("a name and a number");
        EndpointPort {
            name: name.into(),
            port: port.parse().expect("a number"),
            ..EndpointPort::default()
        }
    };
    EndpointSubset {
        addresses: ready.split_whitespace().map(address).collect(),
        not_ready_addresses: others.split_whitespace().map(address).collect(),
        ports: ports.split_whitespace().map(port).collect(),
    }
}

fn address(number: &str) -> EndpointAddress {
    EndpointAddress { ip: format!("10.0.0.{number}").into(), ..EndpointAddress::default() }
}

fn packed(texts: &[&str]) -> String {
    let subsets: Vec<EndpointSubset> = texts.iter().map(|text| subset(text)).collect();
    told(&repack(&subsets))
}

#[test]
fn what_says_the_same_has_one_form() {
    let one = "1 2 not  at a:1 b:2";
    assert_eq!(packed(&["2 1 at b:2 a:1"]), one);
    assert_eq!(packed(&["1 at a:1", "2 at a:1", "2 at b:2", "1 at b:2"]), one);
    assert_eq!(packed(&["1 1 2 at a:1 a:1 b:2"]), one);
    let two = "1 not  at a:1 c:3 | 1 2 not  at b:2";
    assert_eq!(packed(&["1 at a:1", "1 at b:2 c:3", "2 at b:2"]), two);
}

#[test]
fn an_address_that_is_once_not_ready_is_not() {
    assert_eq!(packed(&["1 2 at a:1", "not 2 at a:1"]), "1 not 2 at a:1");
    assert_eq!(packed(&["1 2 at a:1", "1 not 2 at b:2"]), "1 2 not  at a:1 | 1 not 2 at b:2");
}

#[test]
fn addresses_may_do_without_ports_but_not_ports_without_addresses() {
    assert_eq!(packed(&["2 at", "1 at"]), "1 2 not  at ");
    assert_eq!(packed(&["not at a:1"]), "");
    assert_eq!(packed(&["not at"]), "");
}

#[test]
fn one_address_of_two_pods_is_two() {
    let of = |uid: &str| {
        let mut address = address("1");
        let target = ObjectReference { uid: uid.into(), ..ObjectReference::default() };
        address.target_ref = Some(Box::new(target));
        address
    };
    let both = EndpointSubset {
        addresses: [of("b"), of("a"), of("b")].into(),
        ..EndpointSubset::default()
    };
    let packed = repack(&[both]);
    let targets = packed[0].addresses.iter().filter_map(|address| address.target_ref.as_deref());
    assert_eq!(targets.map(|target| &*target.uid).collect::<Vec<_>>(), ["a", "b"]);
}

/// A subset with so many addresses that are ready, and so many others.
fn many(ready: usize, others: usize) -> EndpointSubset {
    let addresses = |count: usize| (0..count).map(|number| address(&number.to_string())).collect();
    EndpointSubset {
        addresses: addresses(ready),
        not_ready_addresses: addresses(others),
        ..EndpointSubset::default()
    }
}

fn shortened(sizes: &[(usize, usize)]) -> Option<Vec<(usize, usize)>> {
    let mut subsets: Vec<_> = sizes.iter().map(|(ready, others)| many(*ready, *others)).collect();
    let size = |left: &EndpointSubset| (left.addresses.len(), left.not_ready_addresses.len());
    shorten(&mut subsets).then(|| subsets.iter().map(size).collect())
}

#[test]
fn of_each_subset_a_part_is_left() {
    for (sizes, expected) in [
        (vec![(600, 400)], None),
        (vec![(900, 0), (600, 0)], Some(vec![(600, 0), (400, 0)])),
        (vec![(990, 20)], Some(vec![(990, 10)])),
        (vec![(400, 300), (400, 100)], Some(vec![(400, 150), (400, 50)])),
        (vec![(1, 0), (1, 0), (1_000, 0)], Some(vec![(1, 0), (1, 0), (998, 0)])),
        (vec![(1_200, 5), (0, 5)], Some(vec![(1_000, 0)])),
    ] {
        assert_eq!(shortened(&sizes), expected, "{sizes:?}");
    }
}
