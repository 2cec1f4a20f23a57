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
        (0x07, r"'\a'"),
        (0x08, r"'\b'"),
        (0x0b, r"'\v'"),
        (0x0c, r"'\f'"),
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
    let others = [('\t', r"'\t'"), ('\n', r"'\n'"), ('\r', r"'\r'"), (' ', "' '"), ('"', "'\"'")];
    for (byte, shown) in others {
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

#[test]
fn texts_are_those_of_json() {
    for text in ["", "a", " ~\u{7f}\u{e9}", r#"\b\f\n\r\t\\\/\""#, r"\u00e9", r"\uABCD\u0fF9x"] {
        assert_eq!(told(&format!("\"{text}\"")), "", "{text}");
        assert_eq!(told(&format!("{{\"{text}\":\"{text}\"}}")), "", "{text}");
    }
    for (text, why) in [
        (r#"["\x"]"#, "invalid character 'x' in string escape code"),
        (r#"["\U00e9"]"#, "invalid character 'U' in string escape code"),
        (r#"["\ug000"]"#, r"invalid character 'g' in \u hexadecimal character escape"),
        (r#"["\u000g"]"#, r"invalid character 'g' in \u hexadecimal character escape"),
        (r#"["\u123"]"#, "invalid character '\"' in \\u hexadecimal character escape"),
        ("[\"\u{1}\"]", r"invalid character '\x01' in string literal"),
        ("[\"\n\"]", r"invalid character '\n' in string literal"),
        ("[\"\u{1f}\"]", r"invalid character '\x1f' in string literal"),
        ("\"", "unexpected end of JSON input"),
        ("\"\\", "unexpected end of JSON input"),
        ("\"\\u00", "unexpected end of JSON input"),
        ("\"a\"\"", "invalid character '\"' after top-level value"),
    ] {
        assert_eq!(told(text), why, "{text}");
    }
}

#[test]
fn words_are_three_and_whole() {
    for text in ["true", "false", "null", "[true,false,null]"] {
        assert_eq!(told(text), "", "{text}");
    }
    for (text, why) in [
        ("[trux]", "invalid character 'x' in literal true (expecting 'e')"),
        ("[fals]", "invalid character ']' in literal false (expecting 'e')"),
        ("[nUll]", "invalid character 'U' in literal null (expecting 'u')"),
        ("nul", "unexpected end of JSON input"),
        ("[truee]", "invalid character 'e' after array element"),
        ("[True]", "invalid character 'T' looking for beginning of value"),
    ] {
        assert_eq!(told(text), why, "{text}");
    }
}

#[test]
fn what_stands_where_is_told() {
    let gap = " \t\r\n";
    let spaced =
        ["", "[", "1", ",", "{", "\"a\"", ":", "[", "]", ",", "\"b\"", ":", "{", "}", "}", "]", ""];
    assert_eq!(told(&spaced.join(gap)), "");
    for (text, why) in [
        ("", "unexpected end of JSON input"),
        (gap, "unexpected end of JSON input"),
        ("[", "unexpected end of JSON input"),
        ("{", "unexpected end of JSON input"),
        (r#"{"a""#, "unexpected end of JSON input"),
        ("1 2", "invalid character '2' after top-level value"),
        ("[] ]", "invalid character ']' after top-level value"),
        ("]", "invalid character ']' looking for beginning of value"),
        ("[,]", "invalid character ',' looking for beginning of value"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        ("[1 2]", "invalid character '2' after array element"),
        ("[1}", "invalid character '}' after array element"),
        ("[1:", "invalid character ':' after array element"),
        ("{1", "invalid character '1' looking for beginning of object key string"),
        ("{,", "invalid character ',' looking for beginning of object key string"),
        (r#"{"a":1,}"#, "invalid character '}' looking for beginning of object key string"),
        (r#"{"a" 1}"#, "invalid character '1' after object key"),
        (r#"{"a"}"#, "invalid character '}' after object key"),
        (r#"{"a":}"#, "invalid character '}' looking for beginning of value"),
        (r#"{"a":1]"#, "invalid character ']' after object key:value pair"),
        (r#"{"a":1 "b""#, "invalid character '\"' after object key:value pair"),
        ("\u{c}1", r"invalid character '\f' looking for beginning of value"),
    ] {
        assert_eq!(told(text), why, "{text}");
    }
}
