//! Verbs and dry runs, as metrics spell them.

use super::*;

#[test]
fn verbs_are_spelled_as_upstream_spells_them() {
    for (told, spelled) in [
        ("get", "GET"),
        ("head", "GET"),
        ("list", "LIST"),
        ("watch", "WATCH"),
        ("create", "POST"),
        ("post", "POST"),
        ("update", "PUT"),
        ("put", "PUT"),
        ("patch", "PATCH"),
        ("delete", "DELETE"),
        ("deletecollection", "DELETECOLLECTION"),
        ("proxy", "CONNECT"),
        ("brew", "other"),
    ] {
        assert_eq!(verb(told, false), spelled, "{told}");
    }
    assert_eq!(verb("patch", true), "APPLY");
    assert_eq!(verb("update", true), "PUT");
}

#[test]
fn a_query_says_whether_nothing_is_to_be_stored() {
    for (query, told) in [
        ("dryRun=All", "All"),
        ("dryRun=None&dryRun=All", "All"),
        ("dry%52un=All", "All"),
        ("dryRun=Some", ""),
        ("a=dryRun%3DAll", ""),
        ("", ""),
    ] {
        assert_eq!(dry_run(query), told, "{query}");
    }
}
