//! What is written, field by field.

use expect_test::expect;
use watchkeeper_api::pb::{Reader, Wire};

use super::*;

/// The fields of a message; `messages` are those that hold one.
fn shown(bytes: &[u8], messages: &[u32]) -> Vec<String> {
    let (mut reader, mut fields) = (Reader::new(bytes), Vec::new());
    while !reader.is_done() {
        let tag = reader.tag().expect("a tag");
        let value = match tag.wire {
            Wire::Varint => reader.integer(tag).expect("a number").to_string(),
            _ if messages.contains(&tag.number) => {
                format!("{{{}}}", shown(reader.bytes(tag).expect("a message"), &[3, 4]).join(", "))
            }
            _ if tag.number == 6 => format!("{:?}", reader.text(tag).expect("a text")),
            _ => format!("{:?}", numbers(reader.bytes(tag).expect("numbers"))),
        };
        fields.push(format!("{}: {value}", tag.number));
    }
    fields
}

fn numbers(bytes: &[u8]) -> Vec<u64> {
    let (mut reader, mut values) = (Reader::new(bytes), Vec::new());
    while !reader.is_done() {
        values.push(reader.varint().expect("a number"));
    }
    values
}

fn call(function: &str, line: u32) -> Call {
    let file = "src/main.rs".to_owned();
    Call { function: function.to_owned(), symbol: format!("_{function}"), file, line }
}

fn stack(count: u64, frames: Vec<Vec<Call>>) -> Stack {
    Stack { count, thread: "worker".to_owned(), frames }
}

fn profile() -> Profile {
    let main = || vec![call("main", 3)];
    Profile {
        began: UNIX_EPOCH + Duration::from_secs(1),
        lasted: Duration::from_secs(5),
        period: Duration::from_millis(10),
        missed: 1,
        stacks: vec![
            stack(2, vec![vec![call("leaf", 9), call("middle", 7)], main()]),
            stack(1, vec![main()]),
        ],
    }
}

/// A place is a frame, with all that was compiled into its function, and is written once.
#[test]
fn a_profile_is_the_message_of_pprof() {
    let fields = shown(&profile().encode(), &[1, 2, 4, 5, 11]);
    expect![[r#"
        4: {1: 2, 4: {1: 3, 2: 3}}
        4: {1: 1, 4: {1: 1, 2: 9}, 4: {1: 2, 2: 7}}
        5: {1: 3, 4: 6, 3: 10, 2: 9}
        5: {1: 2, 4: 6, 3: 8, 2: 7}
        5: {1: 1, 4: 6, 3: 5, 2: 4}
        6: ""
        6: "missed samples: 1"
        6: "cpu"
        6: "nanoseconds"
        6: "leaf"
        6: "_leaf"
        6: "src/main.rs"
        6: "middle"
        6: "_middle"
        6: "main"
        6: "_main"
        6: "thread"
        6: "worker"
        6: "samples"
        6: "count"
        1: {1: 13, 2: 14}
        1: {1: 2, 2: 3}
        2: {1: [2], 2: [1, 10000000], 3: {1: 11, 2: 12}}
        2: {1: [1, 2], 2: [2, 20000000], 3: {1: 11, 2: 12}}
        9: 1000000000
        10: 5000000000
        11: {1: 2, 2: 3}
        12: 10000000
        13: [1]
    "#]]
    .assert_eq(&(fields.join("\n") + "\n"));
}
