use std::time::Duration;

use serde_json::json;

use super::{control_plane_maps, pem};
use crate::clock::Now;
use crate::registry::Registry;

#[test]
fn who_vouches_for_clients_is_told_if_anybody_does() {
    let (registry, now) = (Registry::builtin(), Now(Duration::from_secs(1_767_225_600)));
    let told = |authorities: &[Vec<u8>]| {
        let maps = control_plane_maps(&registry, authorities, 1, now);
        let told = maps.iter().map(|(table, map)| {
            assert_eq!(&**table, "configmaps");
            (map.key.to_string(), map.value()["data"].clone())
        });
        told.collect::<Vec<_>>()
    };
    let tracking = "kube-system/kube-apiserver-legacy-service-account-token-tracking";
    let since = (tracking.to_owned(), json!({"since": "2026-01-01"}));
    assert_eq!(told(&[]), std::slice::from_ref(&since));
    let authorities = [vec![1, 2, 3], vec![4], vec![1, 2, 3]];
    let block =
        |text: &str| format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
    let both = block("AQID") + &block("BA==");
    let name = "kube-system/extension-apiserver-authentication".to_owned();
    assert_eq!(told(&authorities), [since, (name, json!({"client-ca-file": both}))]);
}

#[test]
fn certificates_are_in_lines() {
    let text = pem(&[vec![7; 100]]);
    let lengths: Vec<usize> = text.lines().map(str::len).collect();
    assert_eq!(lengths, [27, 64, 64, 8, 25]);
}
