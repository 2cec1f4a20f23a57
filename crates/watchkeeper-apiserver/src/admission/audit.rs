//! What webhooks and policies add to the audit of a write.

use std::collections::VecDeque;

/// How many annotations are remembered.
const REMEMBERED: usize = 1_000;

/// An annotation of the audit event of a write: an [`AuditLines`](crate::hooks::AuditLines) has it as well, tests read
/// it here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditAnnotation {
    /// Who wrote: the user agent up to `/`.
    pub actor: String,
    /// The table, e.g. `deployments.apps`.
    pub table: String,
    /// `namespace/name`.
    pub key: String,
    /// The annotation, e.g. `check.example.com/reason`.
    pub annotation: String,
    /// What it says.
    pub value: String,
}

/// The newest annotations, oldest first.
#[derive(Debug, Default)]
pub(crate) struct AuditLog(VecDeque<AuditAnnotation>);

impl AuditLog {
    pub(crate) fn push(&mut self, annotation: AuditAnnotation) {
        if self.0.len() == REMEMBERED {
            self.0.pop_front();
        }
        self.0.push_back(annotation);
    }

    pub(crate) fn all(&self) -> Vec<AuditAnnotation> {
        self.0.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests;
