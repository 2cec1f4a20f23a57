//! What `null` is read as.

use serde_json::json;
use watchkeeper_schema::Schema;

use super::Filled;
use crate::json::Reader;
use crate::{IStr, List};

fn schema() -> Schema {
    let inner = Schema::object().property("b", Schema::int32().default_value(2));
    Schema::object()
        .property("plain", Schema::string())
        .property("text", Schema::string().default_value("a"))
        .property("list", Schema::array(inner).default_value(json!([{}, {"b": null}])))
        .property("null", {
            let mut schema = Schema::string().default_value("a");
            schema.nullable = true;
            schema
        })
}

fn read<T: crate::json::Read + Default>(name: &'static str, text: &str) -> T {
    let (filled, mut value) = (Filled::new(name, schema), T::default());
    let mut r = Reader::new(text).expect("short");
    filled.read(&mut value, &mut r).expect("a value");
    r.end().expect("all was read");
    value
}

#[test]
fn null_is_read_as_what_a_server_fills_in() {
    assert_eq!(read::<Option<IStr>>("text", " null "), Some("a".into()));
    assert_eq!(read::<Option<IStr>>("text", r#""""#), Some(IStr::EMPTY));
    assert_eq!(read::<Option<IStr>>("plain", "null"), None);
    assert_eq!(read::<Option<IStr>>("null", "null"), None);
    assert_eq!(read::<Option<IStr>>("unknown", "null"), None);
    let list: List<crate::Raw> = read("list", "null");
    assert_eq!(list.iter().map(crate::Raw::as_str).collect::<Vec<_>>(), [r#"{"b":2}"#; 2]);
}
