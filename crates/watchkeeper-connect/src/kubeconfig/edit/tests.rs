//! Ways to write a value, and what may stand beside it.

use super::*;

fn fields(id: &str, refresh: &str) -> [(&'static str, String); 2] {
    [("id-token", id.to_owned()), ("refresh-token", refresh.to_owned())]
}

fn replaced(text: &str) -> String {
    let new = with_provider_fields(text, "me", &fields("_new.id", "-9x\"\\é")).unwrap();
    let found = whole(&read(&new).unwrap(), &new).unwrap();
    let config = &found[found.len() - 1]["users"][1]["user"]["auth-provider"]["config"];
    assert_eq!(
        (&config["id-token"], &config["refresh-token"]),
        (&"_new.id".into(), &"-9x\"\\é".into())
    );
    new
}

/// The user before has the same tokens, and so has a context by its name.
fn of(config: &str) -> String {
    format!(
        "# mine\ncurrent-context: dev\ncontexts: [{{name: dev, context: {{user: me}}}}]\nusers:\n\
         - name: other\n  user: {{token: old.id, auth-provider: {{config: {{refresh-token: dev}}}}}}\n\
         - name: me # two\n  user:\n    auth-provider:\n      name: oidc\n      config:\n{config}\n"
    )
}

#[test]
fn a_token_is_replaced_however_it_is_written() {
    for config in [
        "        id-token: old.id\n        refresh-token: dev # three",
        "        refresh-token: 'dev'\n        id-token: \"old.id\"",
        "        id-token: ''\n        refresh-token: dev",
        "        id-token:\n        refresh-token: dev",
        "        id-token: null\n        refresh-token: dev\n        client-id: dev",
        "        id-token: old\n          .id\n        refresh-token: \"de\\\n          v\"",
        "        id-token: >-\n          old\n          .id\n        refresh-token: |-\n          dev",
        "        id-token: >-\n          old.id\n        # three\n        refresh-token: dev",
        "          {id-token: old.id, refresh-token: dev, client-id: a}",
        "          {\"id-token\":\"old.id\",\"refresh-token\":\"dev\"}",
    ] {
        let (old, new) = (of(config), replaced(&of(config)));
        assert!(new.starts_with(old.split_once("      config:\n").unwrap().0), "{new}");
        assert_eq!(new.matches('#').count(), old.matches('#').count(), "{new}");
    }
}

#[test]
fn nothing_else_of_the_text_changes() {
    let old =
        of("        id-token: old.id # three\n        refresh-token: dev\n        client-id: dev");
    let expected = old
        .replace("        id-token: old.id", "        id-token: \"_new.id\"")
        .replace("        refresh-token: dev", "        refresh-token: \"-9x\\\"\\\\é\"");
    assert_eq!(replaced(&old), expected);
}

#[test]
fn what_cannot_be_replaced_is_told_without_a_value() {
    let gone =
        with_provider_fields(&of("        id-token: a"), "you", &fields("hunter2", "hunter2"))
            .unwrap_err();
    assert_eq!(gone, "the user \"you\" is not there any more");
    let shared = of("        id-token: &a hunter2\n        refresh-token: *a\n        x: *a");
    let error = with_provider_fields(&shared, "me", &fields("hunter2b", "hunter2c")).unwrap_err();
    assert!(!error.contains("hunter2"), "{error}");
    assert!(
        with_provider_fields("users: hunter2", "me", &fields("a", "b"))
            .is_err_and(|e| !e.contains("hunter2"))
    );
}

#[test]
fn a_token_is_replaced_in_the_document_that_names_its_user() {
    let config = of("        id-token: old.id\n        refresh-token: dev");
    let old = format!("current-context: other\n---\n{config}");
    assert!(replaced(&old).starts_with("current-context: other\n---\n# mine\n"));
}
