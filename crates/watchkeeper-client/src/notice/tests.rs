//! Headers to notices.

use http::HeaderValue;

use super::*;

fn texts(lines: &[&'static str]) -> Vec<String> {
    let mut headers = HeaderMap::new();
    for line in lines {
        headers.append(header::WARNING, HeaderValue::from_static(line));
    }
    warnings(&headers).into_iter().map(|w| format!("{} {} {}", w.code, w.agent, w.text)).collect()
}

#[test]
fn h_05_warning_headers_are_read_as_upstream_reads_them() {
    assert_eq!(texts(&[r#"299 - "old API""#]), ["299 - old API"]);
    assert_eq!(texts(&[r#"299 - "a \"b\" \\c""#]), [r#"299 - a "b" \c"#]);
    assert_eq!(
        texts(&[
            r#"299 - "one", 299 host:80 "two" "Sat, 25 Aug 2012 23:34:45 GMT" , 199 - "3""#,
            "299 - \"four\""
        ]),
        ["299 - one", "299 host:80 two", "199 - 3", "299 - four"]
    );
}

#[test]
fn h_05_what_is_no_warning_is_passed_over() {
    for line in ["", "299", "299 -", "299 - text", "2999 - \"x\"", "x - \"x\"", "299 - \"open"] {
        assert!(texts(&[line]).is_empty(), "{line}");
    }
    assert_eq!(texts(&[r#"299 - "one", rubbish"#]), ["299 - one"]);
}

#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl NoticeHandler for Heard {
    fn warning(&self, asked: &Asked<'_>, warning: &Warning) {
        self.0.lock().unwrap().push(format!("{} {}", asked.method, warning.text));
    }
}

#[test]
fn h_05_a_warning_is_told_once() {
    let once = WarnOnce::new(Heard::default());
    let asked = Asked { method: "GET", uri: "/" };
    for text in ["a", "b", "a"] {
        once.warning(&asked, &Warning { code: 299, agent: "-".into(), text: text.into() });
    }
    assert_eq!(*once.handler.0.lock().unwrap(), ["GET a", "GET b"]);
}
