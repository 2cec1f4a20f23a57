use expect_test::expect;
use serde_json::json;

use watchkeeper_schema::facts::Scalar;

use super::{changes, indented, shown, zero};

const POD: &str = "io.k8s.api.core.v1.PodSpec";
const CLAIM: &str = "io.k8s.api.core.v1.PersistentVolumeClaimSpec";

#[test]
fn json_is_put_into_lines_as_go_does() {
    let json = r#"{"a":[],"b":{},"c":[1,{"d":"x, {\"y\":[]}"}],"e":null}"#;
    expect![[r#"
        {
         "a": [],
         "b": {},
         "c": [
          1,
          {
           "d": "x, {\"y\":[]}"
          }
         ],
         "e": null
        }"#]]
    .assert_eq(&indented(json));
}

#[test]
fn a_pod_has_its_own_order_inside() {
    let pod = json!({"hostNetwork": true, "dnsPolicy": "Default", "containers": [], "serviceAccount": "a",
        "serviceAccountName": "a", "securityContext": {"fsGroup": 5, "seLinuxOptions": {"level": "s"}}});
    let told = shown(POD, Some(&pod));
    expect![[r#"{"Volumes":null,"InitContainers":null,"Containers":[],"EphemeralContainers":null,"RestartPolicy":"","TerminationGracePeriodSeconds":null,"ActiveDeadlineSeconds":null,"DNSPolicy":"Default","NodeSelector":null,"ServiceAccountName":"a","AutomountServiceAccountToken":null,"NodeName":"","SecurityContext":{"HostNetwork":true,"HostPID":false,"HostIPC":false,"ShareProcessNamespace":null,"HostUsers":null,"SELinuxOptions":{"User":"","Role":"","Type":"","Level":"s"},"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"SupplementalGroups":null,"SupplementalGroupsPolicy":null,"FSGroup":5,"FSGroupChangePolicy":null,"Sysctls":null,"SeccompProfile":null,"AppArmorProfile":null,"SELinuxChangePolicy":null},"ImagePullSecrets":null,"Hostname":"","Subdomain":"","SetHostnameAsFQDN":null,"Affinity":null,"SchedulerName":"","Tolerations":null,"HostAliases":null,"PriorityClassName":"","Priority":null,"PreemptionPolicy":null,"DNSConfig":null,"ReadinessGates":null,"RuntimeClassName":null,"Overhead":null,"EnableServiceLinks":null,"TopologySpreadConstraints":null,"OS":null,"SchedulingGates":null,"ResourceClaims":null,"Resources":null,"HostnameOverride":null,"SchedulingGroup":null}"#]].assert_eq(&told);
}

#[test]
fn what_changed_in_a_claim_is_told_in_lines() {
    let claim = |modes: &[&str]| json!({"accessModes": modes, "resources": {"requests": {"storage": "1Gi"}}, "volumeName": "pv"});
    let told = changes(
        CLAIM,
        Some(&claim(&["ReadWriteOnce"])),
        Some(&claim(&["ReadWriteOnce", "ReadOnlyMany"])),
    );
    expect![[r#"

        @@ -1,6 +1,7 @@
         {
          "AccessModes": [
        -  "ReadWriteOnce"
        +  "ReadWriteOnce",
        +  "ReadOnlyMany"
          ],
          "Selector": null,
          "Resources": {
    "#]]
    .assert_eq(&told);
}

#[test]
fn text_ends_at_a_quote_that_is_not_escaped() {
    let json = r#"{"a":"\\","b":"x\\\", y","c":1}"#;
    expect![[r#"
        {
         "a": "\\",
         "b": "x\\\", y",
         "c": 1
        }"#]]
    .assert_eq(&indented(json));
}

#[test]
fn an_amount_by_value_is_none_at_all() {
    let selector = "io.k8s.api.core.v1.ResourceFieldSelector";
    let told = shown(selector, Some(&json!({"resource": "limits.cpu"})));
    expect![[r#"{"ContainerName":"","Resource":"limits.cpu","Divisor":"0"}"#]].assert_eq(&told);
}

#[test]
fn of_what_is_not_there_the_zero_of_its_type_is_shown() {
    for (scalar, shown) in [
        (Scalar::String, r#""""#),
        (Scalar::Bool, "false"),
        (Scalar::Int32, "0"),
        (Scalar::Int64, "0"),
        (Scalar::Float64, "0"),
        (Scalar::IntOrString, "0"),
        (Scalar::Quantity, r#""0""#),
        (Scalar::Duration, r#""0s""#),
        (Scalar::Time, "null"),
    ] {
        assert_eq!(zero(scalar), shown, "{scalar:?}");
    }
}
