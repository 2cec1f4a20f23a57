use super::error;
use crate::deep::DEEPEST;

fn told(text: &str) -> String {
    error(text.as_bytes()).unwrap_or_default()
}

#[test]
fn numbers_are_those_of_json() {
    let forms =
        ["0", "-0", "7", "-12", "1.5", "-0.25", "10.75", "1e5", "1E5", "2e+10", "3E-7", "1.25e-3"];
    for number in forms {
        assert_eq!(told(number), "", "{number}");
        assert_eq!(told(&format!("[{number} , {number}]")), "", "{number}");
        // The first thing wrong is what comes behind it, wherever it stands.
        let behind = "invalid character 'x' after array element";
        assert_eq!(told(&format!("[{number}x]")), behind, "{number}");
        let member = format!(r#"{{"a":{number},"b":{number}x}}"#);
        assert_eq!(told(&member), "invalid character 'x' after object key:value pair", "{number}");
    }
}

/// In the words of Go's `encoding/json`.
#[test]
fn what_is_no_number_is_told_where_it_ceases_to_be_one() {
    for (text, why) in [
        ("[-x]", "invalid character 'x' in numeric literal"),
        ("[--1]", "invalid character '-' in numeric literal"),
        ("[1.x]", "invalid character 'x' after decimal point in numeric literal"),
        ("[1.]", "invalid character ']' after decimal point in numeric literal"),
        ("[1.e5]", "invalid character 'e' after decimal point in numeric literal"),
        ("[1ex]", "invalid character 'x' in exponent of numeric literal"),
        ("[1e+x]", "invalid character 'x' in exponent of numeric literal"),
        ("[1e-]", "invalid character ']' in exponent of numeric literal"),
        ("[1.5e--1]", "invalid character '-' in exponent of numeric literal"),
        ("[01]", "invalid character '1' after array element"),
        ("[1.5.5]", "invalid character '.' after array element"),
        ("[+1]", "invalid character '+' looking for beginning of value"),
        ("[.5]", "invalid character '.' looking for beginning of value"),
        ("1.", "unexpected end of JSON input"),
        ("-", "unexpected end of JSON input"),
        ("1e", "unexpected end of JSON input"),
    ] {
        assert_eq!(told(text), why, "{text}");
    }
}

/// As `quoteChar` of Go's `encoding/json` shows them.
#[test]
fn a_character_that_is_wrong_is_shown_in_quotes() {
    for (byte, shown) in [
        (b'\'', r"'\''"),
        (b'\\', r"'\\'"),
        (b'~', "'~'"),
        (0x01, r"'\x01'"),
        (0x1f, r"'\x1f'"),
        (0x7f, r"'\x7f'"),
        (0x80, r"'\u0080'"),
        (0xa0, r"'\u00a0'"),
        (0xa1, "'¡'"),
        (0xad, r"'\u00ad'"),
        (0xae, "'®'"),
    ] {
        let told = error(&[b'[', byte]).unwrap_or_default();
        assert_eq!(told, format!("invalid character {shown} looking for beginning of value"));
    }
    for (byte, shown) in [('\t', r"'\t'"), ('\n', r"'\n'"), ('\r', r"'\r'"), (' ', "' '")] {
        let why = format!("invalid character {shown} after decimal point in numeric literal");
        assert_eq!(told(&format!("[1.{byte}")), why);
    }
}

#[test]
fn what_is_nested_as_deep_as_go_reads_is_read() {
    for open in ["[", r#"{"a":"#] {
        let deep = |levels: usize| told(&open.repeat(levels));
        assert_eq!(deep(DEEPEST), "unexpected end of JSON input");
        assert!(deep(DEEPEST + 1).ends_with("exceeded max depth"));
    }
    assert_eq!(told(&format!("{}{}", "[".repeat(DEEPEST), "]".repeat(DEEPEST))), "");
}
