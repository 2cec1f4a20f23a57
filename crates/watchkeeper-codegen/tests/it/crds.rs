//! Definitions as files.

use std::path::Path;

use watchkeeper_api::{CustomResource, json};
use watchkeeper_codegen::Crds;

use crate::lights::lights_example_com::v1;

fn of<K: CustomResource>(crds: Crds) -> Crds {
    crds.text("the program", &json::to_string(&K::crd())).expect("a definition")
}

#[test]
fn files_are_called_after_group_and_plural_and_what_is_stale_is_told_whole() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("definitions");
    let _ = std::fs::remove_dir_all(&folder);
    let crds = of::<v1::LightSwitchPolicy>(of::<v1::Lamp>(Crds::new())).header("Copyright A");
    let stale = crds.stale_files(&folder).expect("nothing is there");
    let names: Vec<_> = stale.iter().filter_map(|file| file.path.file_name()).collect();
    let wanted = ["lights.example.com_lamps.yaml", "lights.example.com_lightswitchpolicies.yaml"];
    assert_eq!(names, wanted);
    assert_eq!(crds.write_files(&folder).expect("they can be written").len(), 2);
    assert!(crds.stale_files(&folder).expect("they can be read").is_empty());
    let path = folder.join(wanted[1]);
    let text = std::fs::read_to_string(&path).expect("it was written");
    assert!(text.starts_with("# Copyright A\n---\napiVersion: "), "{text}");
    std::fs::write(&path, text.replace("  scope: Cluster\n", "  scope: Namespaced\n")).expect("it");
    let stale = crds.stale_files(&folder).expect("they can be read");
    let [stale] = stale.as_slice() else { panic!("{stale:?}") };
    let diff = stale.diff();
    assert!(diff.contains("\n-  scope: Namespaced\n+  scope: Cluster\n"), "{diff}");
    crds.write_files(&folder).expect("it can be written");
    assert!(crds.stale_files(&folder).expect("they can be read").is_empty());
}

#[test]
fn one_file_holds_all() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("definitions.yaml");
    let _ = std::fs::remove_file(&path);
    let crds = of::<v1::LightSwitchPolicy>(of::<v1::Lamp>(Crds::new()));
    assert!(crds.write(&path).expect("it can be written"));
    assert!(!crds.write(&path).expect("it is so"));
    assert!(crds.stale(&path).expect("it can be read").is_none());
    let again = Crds::new().file(&path).expect("it can be read");
    assert_eq!(again.names().count(), 2);
    assert_eq!(again.yaml(), crds.yaml());
}
