//! What fuzzers feed, and what must hold whatever they feed: no panic, an error in one line with a
//! place within the text, and nothing of a user in what is shown.

use crate::Options;
use crate::kubeconfig::Kubeconfig;

/// Two files, apart by a line of `%`: read, merged, and each context chosen.
pub(crate) fn kubeconfig(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (first, second) = text.split_once("\n%\n").unwrap_or((text, ""));
    let (first, second) = (read(first), read(second));
    let (Some(first), Some(second)) = (first, second) else { return };
    let (clusters, users) = (first.clusters.len(), first.users.len());
    let merged = first.clone().merge(second);
    assert!(merged.clusters.len() >= clusters && merged.users.len() >= users);
    let names = |config: &Kubeconfig| -> Vec<String> {
        config.contexts.iter().map(|context| context.name.clone()).collect()
    };
    assert!(names(&merged).starts_with(&names(&first)), "the first file is not changed");
    for context in names(&merged).into_iter().take(8).map(Some).chain([None]) {
        match merged.choose(&Options { context, ..Options::default() }, "FILE") {
            Ok(chosen) => assert_eq!(format!("{:?}", chosen.user), "User(…)"),
            Err(error) => assert!(error.to_string().contains("FILE"), "{error}"),
        }
    }
    // Names are told, whatever they are; what is known of a user is not.
    assert!(merged.users.iter().all(|named| format!("{:?}", named.user) == "User(…)"));
}

fn read(text: &str) -> Option<Kubeconfig> {
    let error = match Kubeconfig::parse(text) {
        Ok(config) => return Some(config),
        Err(error) => error,
    };
    assert!(!error.contains('\n'), "{error}");
    let line = error.strip_prefix("line ").and_then(|rest| rest.split_once(','));
    let line = line.and_then(|(line, _)| line.parse::<usize>().ok());
    // YAML ends lines by more than Rust's `lines` does.
    let breaks = text.matches(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).count();
    assert!(line.is_some_and(|line| line <= breaks + 2), "no place: {error}");
    None
}
