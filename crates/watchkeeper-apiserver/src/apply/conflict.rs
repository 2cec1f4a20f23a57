//! Conflicts between managers, in the words of a kube-apiserver
//! (apimachinery, `pkg/util/managedfields/internal/conflict.go`).

use std::fmt;

use watchkeeper_schema::error::quote;

use super::managers::{ManagerId, Operation};
use crate::fields::FieldSet;

/// A field that somebody else owns with another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The owner, e.g. `"kubectl" using apps/v1`.
    pub manager: String,
    /// The field, e.g. `.spec.replicas`.
    pub field: String,
}

impl Conflict {
    /// The message of the cause in the `Status` (reason `FieldManagerConflict`).
    #[must_use]
    pub fn message(&self) -> String {
        format!("conflict with {}", self.manager)
    }
}

/// Why an apply was refused. Displayed as the message of the 409.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplyConflicts {
    /// One for each field, by owner and in the order of upstream's sets.
    pub conflicts: Vec<Conflict>,
}

impl ApplyConflicts {
    pub(super) fn new(sets: &[(&ManagerId, FieldSet)], version: Option<&str>) -> Self {
        let of = |(id, set): &(&ManagerId, FieldSet)| {
            let manager = show(id, version);
            let conflict = |path: Vec<_>| Conflict {
                manager: manager.clone(),
                field: crate::fields::show(&path),
            };
            set.paths_by_level().into_iter().map(conflict).collect::<Vec<_>>()
        };
        let mut conflicts: Vec<Conflict> = sets.iter().flat_map(of).collect();
        conflicts.sort_by(|a, b| a.manager.cmp(&b.manager));
        Self { conflicts }
    }
}

impl fmt::Display for ApplyConflicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &self.conflicts[..] {
            return write!(f, "Apply failed with 1 conflict: {}: {}", only.message(), only.field);
        }
        write!(f, "Apply failed with {} conflicts: ", self.conflicts.len())?;
        let mut last = None;
        for conflict in &self.conflicts {
            if last != Some(&conflict.manager) {
                let separator = if last.is_some() { "\n" } else { "" };
                write!(f, "{separator}conflicts with {}:", conflict.manager)?;
                last = Some(&conflict.manager);
            }
            write!(f, "\n- {}", conflict.field)?;
        }
        Ok(())
    }
}

impl std::error::Error for ApplyConflicts {}

fn show(id: &ManagerId, version: Option<&str>) -> String {
    let mut shown = quote(&id.name);
    if !id.subresource.is_empty() {
        shown = format!("{shown} with subresource {}", quote(&id.subresource));
    }
    if id.operation == Operation::Update {
        shown = format!("{shown} using {}", version.unwrap_or(&id.api_version));
    }
    shown
}
