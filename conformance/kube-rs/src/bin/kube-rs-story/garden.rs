//! A kind of the story's own.

use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The definition of it.
pub const DEFINITION: &str = "gardens.story.example.com";

#[derive(CustomResource, KubeSchema, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[kube(
    group = "story.example.com",
    version = "v1",
    kind = "Garden",
    namespaced,
    status = "GardenStatus",
    shortname = "gd",
    category = "all",
    selectable = ".spec.soil",
    scale(spec_replicas_path = ".spec.beds", status_replicas_path = ".status.ready", label_selector_path = ".status.selector"),
    printcolumn(name = "Beds", type_ = "integer", json_path = ".spec.beds"),
    validation = Rule::new("self.metadata.name != 'eden'").message("that one is lost")
)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = Rule::new("!has(self.plants) || size(self.plants) <= self.beds").message("a bed for each plant"))]
pub struct GardenSpec {
    #[schemars(range(min = 1, max = 10))]
    pub beds: i32,
    #[serde(default = "loam")]
    #[x_kube(validation = Rule::new("self == oldSelf").message("soil stays"))]
    pub soil: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 5))]
    pub plants: Vec<Plant>,
}

fn loam() -> String {
    "loam".to_owned()
}

#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
pub struct Plant {
    #[schemars(length(min = 2, max = 10), regex(pattern = "^[a-z]+$"))]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GardenStatus {
    pub ready: i32,
    #[serde(default)]
    pub observed_generation: Option<i64>,
    #[serde(default)]
    pub selector: Option<String>,
}

/// A garden with so many beds.
pub fn garden(name: &str, beds: i32) -> Garden {
    Garden::new(name, GardenSpec { beds, soil: loam(), plants: Vec::new() })
}
