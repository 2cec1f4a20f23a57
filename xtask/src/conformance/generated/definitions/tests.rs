//! What is drawn of a definition.

use watchkeeper_generator::Dice;

use super::*;

const DEFINITION: &str = "
kind: Service
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: funnels.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Funnel, plural: funnels}
  versions:
  - name: v1
    served: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}}
  - name: v0
    served: false
";

#[test]
fn each_served_version_is_waited_for_and_has_its_objects() {
    let path = std::env::temp_dir().join(format!("definitions-{}.yaml", std::process::id()));
    std::fs::write(&path, DEFINITION).expect("a file");
    let read = Definitions::read(&path, 1, 3).expect("definitions");
    std::fs::remove_file(&path).expect("it is there");
    let line = |request: &Request| format!("{} {}", request.method, request.path);
    let installs: Vec<String> =
        read.installs.iter().flat_map(|case| &case.requests).map(line).collect();
    let expected = [
        "POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        "GET /apis/example.com/v1/namespaces/default/funnels",
        "GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/funnels.example.com",
    ];
    assert_eq!(installs, expected);
    assert_eq!(read.objects.len(), 5, "the full one, the smallest one, and three");
    let own = "/apis/example.com/v1/namespaces/default/funnels/case-v1-a";
    let paths: Vec<&str> = read.objects[0]
        .requests
        .iter()
        .map(|one| one.path.split('?').next().unwrap_or_default())
        .collect();
    let all = "/apis/example.com/v1/namespaces/default/funnels";
    assert_eq!(paths, [all, own, own, own, own, &format!("{own}/status"), own]);
}

#[test]
fn what_is_spoiled_is_changed_below_its_spec_alone() {
    let good = json!({"kind": "A", "spec": {"a": {"b/c": [1, 2], "d": "x"}, "e": true}});
    let mut changed = 0;
    for seed in 0..200 {
        let mut object = good.clone();
        spoil(&mut object, &mut Dice::new(seed));
        changed += u32::from(object != good);
        object["spec"] = good["spec"].clone();
        assert_eq!(object, good, "seed {seed}");
    }
    assert!(changed > 180, "{changed} of 200");
    let mut empty = json!({"kind": "A"});
    spoil(&mut empty, &mut Dice::new(1));
    assert_eq!(empty, json!({"kind": "A", "unheardOf": {"x": [1, null]}}));
}
