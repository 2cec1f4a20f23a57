//! `shardSelector`: a part of a collection, by hash (KEP-5866, alpha).
//!
//! Source: `k8s.io/apimachinery/pkg/sharding`, `k8s.io/apiserver/pkg/sharding`. The expression is CEL
//! of which only `shardRange(…)` and `||` are allowed, so it is read without a parser of CEL.

use std::fmt;

use serde_json::Value;

use crate::discovery::hash;

/// How many hashes there are.
const ALL: u128 = 1 << 64;

/// Ranges of hashes of one field; an object is selected when it is in one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shards {
    by: By,
    /// The first hash, and the first that is not in it any more.
    ranges: Vec<(u128, u128)>,
}

/// What is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Uid,
    Namespace,
}

impl By {
    const fn path(self) -> &'static str {
        match self {
            Self::Uid => "object.metadata.uid",
            Self::Namespace => "object.metadata.namespace",
        }
    }
}

impl Shards {
    /// Reads the parameter.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in upstream's words where they do not come from a parser of CEL.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            let why =
                "empty shard selector is not allowed; omit the parameter for unfiltered lists";
            return Err(why.to_owned());
        }
        let (mut by, mut ranges) = (None, Vec::new());
        for call in text.split("||") {
            let (of, range) = call_of(call.trim())?;
            let first = *by.get_or_insert(of);
            if first != of {
                let (first, of) = (first.path(), of.path());
                return Err(format!(
                    "all shard ranges must use the same field, got \"{first}\" and \"{of}\""
                ));
            }
            ranges.push(range);
        }
        Ok(Self { by: by.unwrap_or(By::Uid), ranges })
    }

    /// The path of what is looked at.
    pub(crate) fn path(&self) -> &'static str {
        self.by.path().trim_start_matches("object.")
    }

    /// Whether an object is selected.
    #[must_use]
    pub fn matches(&self, object: &Value) -> bool {
        let metadata = &object["metadata"];
        let value = match self.by {
            By::Uid => &metadata["uid"],
            By::Namespace => &metadata["namespace"],
        };
        let hash = u128::from(hash(value.as_str().unwrap_or_default().as_bytes()));
        self.ranges.iter().any(|(from, to)| (*from..*to).contains(&hash))
    }
}

/// As lists tell it (`shardInfo`).
impl fmt::Display for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (from, to)) in self.ranges.iter().enumerate() {
            let or = if index == 0 { "" } else { " || " };
            write!(f, "{or}shardRange({}, '0x{from:016x}', '0x{to:016x}')", self.by.path())?;
        }
        Ok(())
    }
}

fn call_of(text: &str) -> Result<(By, (u128, u128)), String> {
    let Some((name, rest)) = text.split_once('(') else {
        return Err("unexpected expression; expected shardRange() call or || operator".to_owned());
    };
    let name = name.trim();
    if name != "shardRange" {
        return Err(format!(
            "unsupported function \"{name}\"; only shardRange() and || are allowed"
        ));
    }
    let Some(arguments) = rest.trim_end().strip_suffix(')') else {
        return Err("CEL parse error: Syntax error: missing ')'".to_owned());
    };
    let arguments: Vec<&str> = arguments.split(',').map(str::trim).collect();
    let [field, from, to] = arguments[..] else {
        let got = arguments.iter().filter(|argument| !argument.is_empty()).count();
        return Err(format!("shardRange() requires exactly 3 arguments, got {got}"));
    };
    let by = [By::Uid, By::Namespace].into_iter().find(|by| by.path() == field);
    let by = by.ok_or_else(|| {
        let supported = format!("{}, {}", By::Uid.path(), By::Namespace.path());
        format!("unsupported field path \"{field}\"; supported: {supported}")
    })?;
    let range = (bound(from, "hexStart")?, bound(to, "hexEnd")?);
    if range.0 >= range.1 {
        let shown = |bound: u128| format!("0x{bound:016x}");
        let (from, to) = (shown(range.0), shown(range.1));
        return Err(format!("shard range start {from} must be less than end {to}"));
    }
    Ok((by, range))
}

/// A bound of sixteen digits, or the one behind the last hash.
fn bound(text: &str, name: &str) -> Result<u128, String> {
    let quoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    let Some(text) = quoted('\'').or_else(|| quoted('"')) else {
        return Err(format!("{name} must be a string literal (e.g. '0xff'), got {text}"));
    };
    let Some(digits) = text.strip_prefix("0x") else {
        return Err(format!("{name} must have '0x' prefix, got \"{text}\""));
    };
    let count = digits.chars().count();
    if count == 0 {
        return Err(format!("{name}: hex value is required after '0x'"));
    }
    if count > 17 {
        let why = format!("hex value too long ({count} chars, max 17): \"{digits}\"");
        return Err(format!("{name}: {why}"));
    }
    let is_digit = |c: &char| matches!(c, '0'..='9' | 'a'..='f');
    if let Some(wrong) = digits.chars().find(|c| !is_digit(c)) {
        return Err(format!("{name}: invalid hex character \"{wrong}\" in \"{text}\""));
    }
    let value = u128::from_str_radix(digits, 16).map_err(|error| format!("{name}: {error}"))?;
    match count {
        17 if value != ALL => Err(format!(
            "{name}: 17-digit hex value must be '0x10000000000000000' (2^64), got \"{text}\""
        )),
        16 | 17 => Ok(value),
        _ => Err(format!(
            "{name} must be a 0x-prefixed 16-digit hex value, got \"{text}\" (did you mean \
             \"0x{value:016x}\"?)"
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const LOW: &str = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn ranges_are_read_and_shown() {
        let high = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";
        for text in [LOW.to_owned(), format!("{LOW} || {high}")] {
            assert_eq!(Shards::parse(&text).expect("shards").to_string(), text);
        }
        let low = Shards::parse(LOW).expect("shards");
        assert!(!low.matches(&json!({"metadata": {"uid": "foobar"}})));
        assert!(
            Shards::parse(high).expect("shards").matches(&json!({"metadata": {"uid": "foobar"}}))
        );
        let by = LOW.replace("uid", "namespace");
        let none = json!({"metadata": {"uid": "foobar"}});
        assert!(!Shards::parse(&by).expect("shards").matches(&none), "the hash of nothing is high");
    }

    #[test]
    fn what_is_looked_at_of_an_object_is_hashed() {
        for (field, path) in [("uid", "metadata.uid"), ("namespace", "metadata.namespace")] {
            let shards = Shards::parse(&LOW.replace("uid", field)).expect("shards");
            assert_eq!(shards.path(), path);
        }
    }

    #[test]
    fn what_is_no_selector_is_told() {
        let wrong = |text: &str| Shards::parse(text).expect_err("it is none");
        let other = LOW.replace("uid", "namespace");
        for (text, why) in [
            (
                " ".to_owned(),
                "empty shard selector is not allowed; omit the parameter for unfiltered lists",
            ),
            (
                "shard(a)".to_owned(),
                "unsupported function \"shard\"; only shardRange() and || are allowed",
            ),
            ("shardRange()".to_owned(), "shardRange() requires exactly 3 arguments, got 0"),
            (
                LOW.replace("uid", "name"),
                "unsupported field path \"object.metadata.name\"; supported: object.metadata.uid, object.metadata.namespace",
            ),
            (
                LOW.replace("0x8000000000000000", "0x8"),
                "hexEnd must be a 0x-prefixed 16-digit hex value, got \"0x8\" (did you mean \"0x0000000000000008\"?)",
            ),
            (LOW.replace("0x8000000000000000", "8"), "hexEnd must have '0x' prefix, got \"8\""),
            (
                LOW.replace("0x8000000000000000", "0x20000000000000000"),
                "hexEnd: 17-digit hex value must be '0x10000000000000000' (2^64), got \"0x20000000000000000\"",
            ),
            (
                LOW.replace("0x8000000000000000", "0x0000000000000000"),
                "shard range start 0x0000000000000000 must be less than end 0x0000000000000000",
            ),
            (
                format!("{LOW} || {other}"),
                "all shard ranges must use the same field, got \"object.metadata.uid\" and \"object.metadata.namespace\"",
            ),
            (
                LOW.replace("0x8000000000000000", "0x800000000000000G"),
                "hexEnd: invalid hex character \"G\" in \"0x800000000000000G\"",
            ),
        ] {
            assert_eq!(wrong(&text), why);
        }
    }
}
