//! What the accessor of a resource is called.

use crate::name::snake_case;

/// The plural in snake case: `replicasets` of `ReplicaSet` is `replica_sets`.
pub(crate) fn plural(kind: &str, plural: &str) -> String {
    let kind = snake_case(kind);
    let mut out = String::with_capacity(plural.len() + 4);
    let mut rest = plural.chars();
    for c in kind.chars() {
        if c == '_' {
            out.push('_');
            continue;
        }
        match rest.clone().next() {
            Some(next) if next == c => out.push(c),
            // Where the plural goes another way: `policy`, `policies`.
            _ => break,
        }
        rest.next();
    }
    out + rest.as_str()
}
