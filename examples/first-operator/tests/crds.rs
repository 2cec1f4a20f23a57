//! A server takes the definitions of this crate, and every rule in CEL that is in them.
//!
//! Written by `watchkeeper crds --test`; do not edit.

#[rustfmt::skip]
const DEFINITIONS: [&str; 1] = [
    include_str!("../config/crd.yaml"),
];

#[test]
fn a_server_takes_the_definitions() {
    if let Err(refused) = watchkeeper::apiserver::crd::install(&DEFINITIONS.concat()) {
        panic!("a server refuses these definitions:\n{refused}");
    }
}
