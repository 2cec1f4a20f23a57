//! The names that need a rule.

use super::field;

#[test]
fn json_names_become_rust_names() {
    let names = [
        ("name", "name"),
        ("clusterIP", "cluster_ip"),
        ("clusterIPs", "cluster_ips"),
        ("podIPs", "pod_ips"),
        ("podCIDRs", "pod_cidrs"),
        ("hostPID", "host_pid"),
        ("hostIPC", "host_ipc"),
        ("externalIPs", "external_ips"),
        ("nonResourceURLs", "non_resource_urls"),
        ("serverAddressByClientCIDRs", "server_address_by_client_cidrs"),
        ("targetCPUUtilizationPercentage", "target_cpu_utilization_percentage"),
        ("setHostnameAsFQDN", "set_hostname_as_fqdn"),
        ("targetWWNs", "target_wwns"),
        ("scaleIO", "scale_io"),
        ("ipFamilies", "ip_families"),
        ("uid", "uid"),
        ("IPs", "ips"),
        ("caBundle", "ca_bundle"),
        ("systemUUID", "system_uuid"),
        ("kubeProxyVersion", "kube_proxy_version"),
        ("openAPIV3Schema", "open_api_v3_schema"),
        ("x-kubernetes-list-map-keys", "x_kubernetes_list_map_keys"),
        ("$ref", "ref_"),
        ("type", "type_"),
        ("continue", "continue_"),
        ("enum", "enum_"),
        ("allOf", "all_of"),
        ("tcpSocket", "tcp_socket"),
        ("runAsUserName", "run_as_user_name"),
    ];
    for (json, rust) in names {
        assert_eq!(field(json), rust, "{json}");
    }
}
