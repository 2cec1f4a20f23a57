use super::{Said, answer};
use crate::files::Files;

/// Standard output, standard error and the exit code.
fn ran(words: &[&str], files: &mut Files) -> (String, String, i32) {
    let Said { out, err, code } = answer(words, b"", files).expect("a program");
    (String::from_utf8(out).expect("text"), err, code)
}

fn printed(text: &str) -> (String, String, i32) {
    (text.to_owned(), String::new(), 0)
}

#[test]
fn programs_say_what_their_namesakes_say() {
    let mut files = Files::of_container("web-0");
    assert_eq!(ran(&["echo", "a", "b"], &mut files), printed("a b\n"));
    assert_eq!(ran(&["env"], &mut files), printed("HOME=/root\nHOSTNAME=web-0\nPATH=/bin\n"));
    assert_eq!(ran(&["ls"], &mut files), printed("etc\ntmp\n"));
    assert_eq!(ran(&["mkdir", "-p", "/tmp/a/b"], &mut files), printed(""));
    assert_eq!(ran(&["ls", "/tmp"], &mut files), printed("a\n"));
    assert_eq!(ran(&["rm", "-r", "/tmp/a"], &mut files), printed(""));
    assert_eq!(ran(&["ls", "/tmp"], &mut files), printed(""));
    assert_eq!(answer(&["vi"], b"", &mut files), None);
}

#[test]
fn what_fails_is_told_and_the_rest_is_done() {
    let mut files = Files::of_container("web-0");
    let missing = "No such file or directory";
    let (out, err, code) = ran(&["cat", "/none", "/etc/hostname", "/etc"], &mut files);
    assert_eq!((&*out, code), ("web-0\n", 1));
    assert_eq!(err, format!("cat: /none: {missing}\ncat: /etc: Is a directory\n"));
    let told = (String::new(), format!("ls: /none: {missing}\n"), 2);
    assert_eq!(ran(&["ls", "/none"], &mut files), told);
}

#[test]
fn a_test_tells_by_its_code() {
    let mut files = Files::of_container("web-0");
    for (flag, path, code) in [
        ("-d", "/etc", 0),
        ("-d", "/etc/hostname", 1),
        ("-f", "/etc/hostname", 0),
        ("-e", "/none", 1),
        ("-x", "/etc", 2),
    ] {
        assert_eq!(ran(&["test", flag, path], &mut files).2, code, "{flag} {path}");
    }
}
