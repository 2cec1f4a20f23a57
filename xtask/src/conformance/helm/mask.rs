//! What may differ from one run of helm to the next: when something was.

/// An answer without it.
pub(super) fn masked(answer: &str) -> String {
    let lines = answer.lines().map(|line| times(&after(line)));
    lines.collect::<Vec<_>>().join("\n")
}

/// What stands behind these words is a time as people write it.
const WORDS: [&str; 4] = ["LAST DEPLOYED:", "Last Started:", "Last Completed:", "DELETED:"];

fn after(line: &str) -> String {
    let found = WORDS.iter().find(|word| line.starts_with(**word));
    found.map_or_else(|| line.to_owned(), |word| format!("{word} TIME"))
}

/// Replaces what begins as a date: `2026-11-26 23:24:22.123456789 +0000 UTC`, `2026-11-26T23:24:22.5Z`.
fn times(line: &str) -> String {
    let mut masked = String::new();
    let mut rest = line;
    while let Some(at) = date(rest) {
        masked.push_str(&rest[..at]);
        masked.push_str("TIME");
        // Up to what ends it in each of the forms.
        let end = rest[at..].find(['"', ',', '\t']).map_or(rest.len(), |end| at + end);
        rest = &rest[end..];
    }
    masked + rest
}

fn date(text: &str) -> Option<usize> {
    const FORM: &str = "dddd-dd-dd";
    let bytes = text.as_bytes();
    let is_one = |window: &[u8]| {
        window.iter().zip(FORM.bytes()).all(|(byte, form)| match form {
            b'd' => byte.is_ascii_digit(),
            form => *byte == form,
        })
    };
    bytes.windows(FORM.len()).position(is_one)
}

#[cfg(test)]
mod tests {
    use super::masked;

    #[test]
    fn times_are_left_out_and_nothing_else() {
        let json = r#"[{"name":"a","updated":"2026-11-26 23:24:22.12 +0000 UTC","revision":"1"}]"#;
        let told = r#"[{"name":"a","updated":"TIME","revision":"1"}]"#;
        assert_eq!(masked(json), told);
        assert_eq!(
            masked("LAST DEPLOYED: Thu Nov 26\nREVISION: 1"),
            "LAST DEPLOYED: TIME\nREVISION: 1"
        );
        assert_eq!(masked("a 12-34 b"), "a 12-34 b");
    }
}
