//! What is wrong with the machine that it runs on.

use crate::program::{program, refused, sentence};

#[test]
fn a_port_in_use() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let text = refused(&["--once", "--port", &port]);
    assert!(text.contains(&port) && text.contains("another port with --port"), "{text}");
}

#[test]
fn a_folder_for_temporary_files_that_cannot_be_written() {
    let output = program(&[]).env("TMPDIR", "/nonexistent").output().expect("the program");
    let text = sentence(&output);
    assert!(text.contains("below /nonexistent: ") && text.contains("set TMPDIR"), "{text}");
    assert!(!text.contains("port"), "the port is not to blame: {text}");
}

#[test]
fn a_filter_that_is_none() {
    let output = program(&["--once"]).env("RUST_LOG", "a=b=c").output().expect("the program");
    let text = sentence(&output);
    assert!(text.contains("RUST_LOG is \"a=b=c\"") && text.contains("such as debug"), "{text}");
}
