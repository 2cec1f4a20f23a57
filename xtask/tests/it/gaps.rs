//! Each gap that users of the field's libraries have found has its answer in the documents, and code that shows it.

use std::fs;

use crate::workspace::root;

/// How many there are.
const GAPS: u32 = 12;

#[test]
fn every_gap_has_a_section_with_its_answer() {
    let page = fs::read_to_string(root().join("docs/what-users-ask.md")).expect("the page");
    assert_eq!(judge(&page), [""; 0]);
}

#[test]
fn what_is_wrong_with_an_answer_is_found() {
    let section = |gap| {
        format!(
            "\n## G{gap}. Trouble\n\n*Trouble*: it hurts.\n\n*Here*: no.\n\n```rust\nassert!(true);\n```\n"
        )
    };
    let good: String = (1..=GAPS).map(section).collect();
    assert_eq!(judge(&good), [""; 0]);
    let without_code =
        good.replace(&section(3), "\n## G3. Trouble\n\n*Trouble*: a.\n\n*Here*: b.\n");
    assert_eq!(judge(&without_code), ["G3 has no code that runs"]);
    // What is not compiled may be wrong.
    for untried in ["```rust,ignore", "```text", "```rust,no_run"] {
        let page = good.replace(&section(3), &section(3).replace("```rust", untried));
        assert_eq!(judge(&page), ["G3 has no code that runs"], "{untried}");
    }
    let without_answer = good.replace(&section(4), &section(4).replace("*Here*: ", ""));
    assert_eq!(judge(&without_answer), ["G4 has no trouble or no answer"]);
    assert_eq!(judge(&good.replace(&section(12), "")), ["G12 is missing"]);
}

/// What is wrong with the page. Its examples are tests of the crate `watchkeeper`.
fn judge(page: &str) -> Vec<String> {
    let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
    let mut problems = Vec::new();
    for gap in (1..=GAPS).map(|gap| format!("G{gap}")) {
        let section = sections.iter().find(|section| section.starts_with(&format!("{gap}. ")));
        let Some(section) = section else {
            problems.push(format!("{gap} is missing"));
            continue;
        };
        if !(section.contains("*Trouble*: ") && section.contains("*Here*: ")) {
            problems.push(format!("{gap} has no trouble or no answer"));
        }
        if !section.contains("\n```rust\n") {
            problems.push(format!("{gap} has no code that runs"));
        }
    }
    problems
}
