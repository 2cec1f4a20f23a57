//! Each gap that users of the field's libraries have found has its answer in the documents.

use std::fs;

use crate::workspace::root;

/// How many there are.
const GAPS: u32 = 12;

#[test]
fn every_gap_has_a_section_with_its_answer() {
    let page = fs::read_to_string(root().join("docs/what-users-ask.md")).expect("the page");
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    let (mut numbers, mut empty) = (Vec::new(), Vec::new());
    for section in sections {
        let (number, rest) = section.split_once(". ").expect("a number");
        numbers.push(number.to_owned());
        if !(rest.contains("*Trouble*: ") && rest.contains("*Here*: ")) {
            empty.push(number.to_owned());
        }
    }
    assert_eq!(numbers, (1..=GAPS).map(|gap| format!("G{gap}")).collect::<Vec<_>>());
    assert!(empty.is_empty(), "no trouble or no answer in {empty:?}");
}
