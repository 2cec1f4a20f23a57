//! What is drawn from schemas that keep more than they name.

use watchkeeper_codegen::Generator;

use super::*;

/// Has the shape of what collectors of telemetry are configured with: a map of typed values that is said to
/// keep anything, and a list that is.
const DEFINITION: &str = "
kind: CustomResourceDefinition
metadata: {name: funnels.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Funnel, plural: funnels}
  versions:
  - name: v1
    served: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-preserve-unknown-fields: true
            properties:
              pipelines:
                type: object
                x-kubernetes-preserve-unknown-fields: true
                additionalProperties:
                  type: object
                  required: [exporters]
                  properties:
                    exporters: {type: array, items: {type: string}}
              scrapes:
                type: array
                x-kubernetes-preserve-unknown-fields: true
                items: {type: object}
";

#[test]
fn unheard_of_members_are_where_a_server_keeps_them() {
    let generated = Generator::new().text("a", DEFINITION).expect("a definition").generate();
    let [kind] = generated.kinds() else { panic!("{:?}", generated.kinds()) };
    let drawn = objects(kind, &mut Texts::new(), 1, 20);
    assert_eq!(drawn.valid, 22);
    let full = &drawn.objects[0]["spec"];
    let unheard = json!({"a": [1, "b", null]});
    assert_eq!(full["unheardOf"], unheard);
    assert_eq!(full["scrapes"][0]["unheardOf"], unheard);
    let pipelines = full["pipelines"].as_object().expect("a map");
    assert!(pipelines.values().all(|of| of["exporters"].is_array()), "{pipelines:?}");
}
