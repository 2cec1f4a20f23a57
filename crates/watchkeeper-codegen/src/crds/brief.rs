//! Descriptions that are cut: what kubectl keeps of an applied definition in an annotation is limited.

use serde_json::Value;

/// Where a sentence may end (Unicode's `Sentence_Terminal`, as far as it is met in descriptions).
const ENDS: [char; 6] = ['.', '!', '?', '。', '！', '？'];

/// Cuts the descriptions of the schemas of a definition, as controller-gen does with `maxDescLen`.
pub(super) fn cut(definition: &mut Value, most: usize) {
    let versions = definition.pointer_mut("/spec/versions").and_then(Value::as_array_mut);
    for version in versions.into_iter().flatten() {
        if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
            schema_of(schema, most);
        }
    }
}

/// Cuts the description of a schema and of those in it. Members that are called so are no descriptions.
fn schema_of(schema: &mut Value, most: usize) {
    let Some(schema) = schema.as_object_mut() else { return };
    match schema.get_mut("description") {
        Some(_) if most == 0 => {
            schema.remove("description");
        }
        Some(Value::String(text)) => text.truncate(end(text, most)),
        _ => {}
    }
    for (name, value) in schema.iter_mut() {
        match (name.as_str(), value) {
            ("items" | "additionalProperties" | "not", schema) => schema_of(schema, most),
            ("properties", Value::Object(schemas)) => {
                schemas.values_mut().for_each(|schema| schema_of(schema, most));
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(|schema| schema_of(schema, most));
            }
            _ => {}
        }
    }
}

/// Where a text of so many characters at most ends: behind a sentence if it can be.
fn end(text: &str, most: usize) -> usize {
    let Some((end, _)) = text.char_indices().nth(most) else { return text.len() };
    let sentence = text[..end].char_indices().rfind(|(_, c)| ENDS.contains(c));
    sentence.map_or(end, |(place, c)| place + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_ends_behind_a_sentence() {
        let cut = |text: &str, most| text[..end(text, most)].to_owned();
        assert_eq!(cut("One. Two. Three", 100), "One. Two. Three");
        assert_eq!(cut("One. Two. Three", 12), "One. Two.");
        assert_eq!(cut("One. Two. Three", 4), "One.");
        assert_eq!(cut("One. Two. Three", 3), "One", "there is no sentence");
        assert_eq!(cut("Größe、。und", 7), "Größe、。");
    }

    #[test]
    fn descriptions_are_cut_and_members_of_that_name_stay() {
        let text = || json!({"type": "string", "description": "One. Two."});
        let mut definition = json!({"spec": {"versions": [
            {
                "additionalPrinterColumns": [{"description": "One. Two."}],
                "schema": {"openAPIV3Schema": {
                    "description": "One. Two.",
                    "properties": {
                        "description": text(),
                        "list": {"items": text(), "anyOf": [text()]},
                        "map": {"additionalProperties": text(), "not": text()},
                    },
                }},
            },
            {"schema": {}},
        ]}});
        let mut none = definition.clone();
        cut(&mut definition, 5);
        let told = definition.to_string();
        assert_eq!((told.matches("One.").count(), told.matches("Two.").count()), (7, 1), "{told}");
        cut(&mut none, 0);
        let told = none.to_string();
        assert_eq!(told.matches("One.").count(), 1, "only the column's: {told}");
        let member = "/spec/versions/0/schema/openAPIV3Schema/properties/description/type";
        assert_eq!(none.pointer(member), Some(&json!("string")));
    }
}
