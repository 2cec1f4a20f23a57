//! Bodies in YAML, as `sigs.k8s.io/yaml` reads them.

use serde_json::{Value, json};

use super::{decode, first_document};

fn read(text: &str) -> Result<Value, String> {
    let read = decode("application/yaml", text.as_bytes(), "v1", "ConfigMap");
    read.map(|decoded| decoded.value).map_err(|error| error.message)
}

#[test]
fn json_is_yaml() {
    let value = json!({"a": {"b": [1, "yes", null, 1.5]}, "c": "2001-01-01"});
    assert_eq!(read(&value.to_string()), Ok(value.clone()));
    let lines = serde_json::to_string_pretty(&value).expect("JSON");
    assert_eq!(read(&lines), Ok(value));
    assert_eq!(read("{\"a\": 1.0}"), Ok(json!({"a": 1})), "as Go writes it again");
    assert_eq!(read("{a: yes, 'b': no,}"), Ok(json!({"a": true, "b": false})));
}

#[test]
fn words_and_numbers_are_those_of_the_older_yaml() {
    let text = "a: yes\nb: 0644\nc: 1_000\nd: 2001-01-01\ne: \"on\"\noff: 1e3\nf: 12:30\ng: ~\n";
    let value = json!({
        "a": true, "b": 420, "c": 1000, "d": "2001-01-01", "e": "on", "false": 1000, "f": "12:30", "g": null,
    });
    assert_eq!(read(text), Ok(value));
}

#[test]
fn a_text_is_read_up_to_the_end_of_its_first_document() {
    for text in [
        "a: 1\n---\nb: 2\n",
        "---\na: 1\n---\n{ no YAML\n",
        "# first\n\n--- # second\na: 1\n...\nb: 2\n",
        "a: 1\r\n---\r\nb: 2",
        "--- {a: 1}\n--- {b: 2}\n",
    ] {
        assert_eq!(read(text), Ok(json!({"a": 1})), "{text:?}");
    }
    let within = "a: |\n  ---\n  b\nc: ---d\n";
    assert_eq!(read(within), Ok(json!({"a": "---\nb\n", "c": "---d"})));
    for whole in [within, "----: e\n.... f\n", "%YAML 1.1\n---\na: 1\n", "---\n# none\n---\na: 1\n"]
    {
        assert_eq!(first_document(whole), whole);
    }
}

#[test]
fn what_is_read_is_printed_without_its_value() {
    let body = br#"{"a": "secret", "a": "other"}"#;
    let read = decode("application/json", body, "v1", "ConfigMap").expect("JSON");
    let printed = format!("{read:?}");
    assert!(printed.starts_with("Decoded { duplicates: "), "{printed}");
    assert!(printed.ends_with(", .. }") && !printed.contains("secret"), "{printed}");
}
