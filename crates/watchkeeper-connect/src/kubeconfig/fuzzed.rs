//! What a fuzzer feeds, fed without one: the corpus, what is near it, and a whole connection of it.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::entries;
use crate::{Config, Options};

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/kubeconfig");
    let files = fs::read_dir(&folder).unwrap();
    let mut found: Vec<_> = files.map(|file| fs::read(file.unwrap().path()).unwrap()).collect();
    found.sort();
    assert!(!found.is_empty() && found.len() < 50, "the corpus is small");
    found
}

/// Everything that a config says is checked; what is wrong is one sentence without a secret.
fn connect(text: &str) {
    if let Err(error) = Config::from_kubeconfig_text(text, "FILE", &Options::default()) {
        let error = error.to_string();
        assert!(error.contains("FILE") && !error.contains('\n'), "{error}");
        assert!(!error.contains("hunter2") && !error.contains("aHVudGVyMg"), "{error}");
    }
}

#[test]
fn the_corpus_is_taken() {
    for bytes in corpus() {
        entries::kubeconfig(&bytes);
        connect(&String::from_utf8(bytes).unwrap());
    }
}

/// A kubeconfig whose cluster and user say this.
fn kubeconfig(cluster: &str, user: &str) -> String {
    format!(
        "{{current-context: a, contexts: [{{name: a, context: {{cluster: b, user: c}}}}], \
         clusters: [{{name: b, cluster: {{{cluster}}}}}], users: [{{name: c, user: {{{user}}}}}]}}"
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn what_is_near_the_corpus_is_taken(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let files = corpus();
        let mut bytes = files[file.index(files.len())].clone();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        entries::kubeconfig(&bytes);
        entries::kubeconfig(&bytes[..cut.index(bytes.len())]);
    }

    #[test]
    fn any_address_is_taken_or_refused(
        server in "(https?://)?(me:hunter2@)?[a-z\\[\\]:.@/?#%0-9-]{0,12}",
        proxy in "((http|https|socks5|ftp)://)?(me:hunter2@)?[a-z\\[\\]:./?#%0-9-]{0,12}",
        name in "[a-z.:0-9*-]{0,6}",
    ) {
        let cluster = format!("server: '{server}', proxy-url: '{proxy}', tls-server-name: '{name}'");
        connect(&kubeconfig(&cluster, "token: hunter2"));
    }

    #[test]
    fn any_user_is_taken_or_refused(
        (key, value) in ("[a-z%/]{0,4}", "[ -~]{0,6}"),
        data in "[A-Za-z0-9=]{0,8}",
        token in "[ -~]{0,3}",
    ) {
        let quote = |text: &str| format!("'{}hunter2'", text.replace('\'', ""));
        let (value, token) = (quote(&value), quote(&token));
        for user in [
            format!("token: {token}"),
            format!("username: a, password: {value}"),
            format!("as: a, as-user-extra: {{'{key}': [{value}]}}"),
            format!("client-key-data: 'aHVudGVyMg{data}', client-certificate-data: 'aHVudGVyMg{data}'"),
            format!("exec: {{command: x, apiVersion: v1, env: [{{name: a, value: {value}}}]}}"),
            format!("auth-provider: {{name: oidc, config: {{client-secret: {value}, id-token: {token}}}}}"),
        ] {
            connect(&kubeconfig("server: 'https://a'", &user));
        }
    }
}
