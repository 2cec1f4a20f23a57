//! What a program asks of a server's authorization: declared beforehand, recorded while it runs.
//!
//! A [`Permission`] is one verb on one resource, as RBAC grants it. A controller and a manager declare
//! theirs as [`Need`]s, each with its reason; an [`AccessRecorder`] notes what requests really ask for.
//! [`document`] writes both as JSON, of which `watchkeeper-codegen` makes a `ClusterRole`.
//!
//! ```
//! use watchkeeper_api::core::v1::ConfigMap;
//! use watchkeeper_apiserver::ApiServer;
//! use watchkeeper_client::access::{self, AccessRecorder, Need};
//! use watchkeeper_client::{Client, Verb};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> watchkeeper_client::Result<()> {
//! let recorder = AccessRecorder::new();
//! let client = Client::new(ApiServer::new()).recorded_by(&recorder);
//! client.api::<ConfigMap>().namespace("default").get_opt("a").await?;
//!
//! let needs = Need::all(&ConfigMap::KIND, [Verb::Get, Verb::Patch], "settings are kept in them");
//! let text = access::document("my-program", &needs, &recorder);
//! assert!(text.contains("\"recorded\""));
//! # Ok(())
//! # }
//! ```

mod need;
mod permission;
mod recorder;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

pub use need::Need;
pub use permission::{Permission, PermissionTarget};
pub use recorder::{AccessRecorder, Recording};

/// What `program` needs and what was recorded of it, as JSON: what `watchkeeper rbac` and
/// `watchkeeper_codegen::Rbac` read. The same text for the same permissions.
#[must_use]
pub fn document(program: &str, needs: &[Need], recorder: &AccessRecorder) -> String {
    let mut declared: BTreeMap<&Permission, (BTreeSet<&str>, bool)> = BTreeMap::new();
    for need in needs {
        let (reasons, unseen) = declared.entry(&need.permission).or_default();
        reasons.insert(&need.reason);
        *unseen |= need.unseen;
    }
    let declared: Vec<Value> = declared
        .into_iter()
        .map(|(permission, (reasons, unseen))| {
            let mut entry = permission.members();
            entry.insert("reasons".to_owned(), json!(reasons));
            if unseen {
                entry.insert("unseen".to_owned(), true.into());
            }
            Value::Object(entry)
        })
        .collect();
    let recorded: Vec<Value> = recorder
        .recorded()
        .into_iter()
        .map(|(permission, by)| {
            let mut entry: Map<String, Value> = permission.members();
            entry.insert("by".to_owned(), json!(by));
            Value::Object(entry)
        })
        .collect();
    let document = json!({ "program": program, "declared": declared, "recorded": recorded });
    format!("{document:#}\n")
}
