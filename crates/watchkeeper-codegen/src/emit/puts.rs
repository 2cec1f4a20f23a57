//! The members of a struct in the order in which protobuf is written: the last number first.

use super::imports::WIDTH;
use crate::model::FieldDef;

/// `    => [4 env] (1 [2 path])`, in as many lines as that takes.
pub(super) fn text(fields: &[FieldDef]) -> String {
    let mut numbered: Vec<_> = fields.iter().filter(|field| !field.pb.numbers.is_empty()).collect();
    numbered.sort_by(|a, b| b.pb.numbers.cmp(&a.pb.numbers));
    let (mut text, mut column) = ("    =>".to_owned(), "    =>".len());
    for word in words(&numbered, 0) {
        if column + 1 + word.len() > WIDTH {
            text += "\n      ";
            column = "      ".len();
        }
        text += &format!(" {word}");
        column += 1 + word.len();
    }
    text + "\n"
}

/// What may not be broken: a member, with the parentheses that begin or end beside it.
fn words(fields: &[&FieldDef], level: usize) -> Vec<String> {
    let same_number = |a: &&FieldDef, b: &&FieldDef| a.pb.numbers[level] == b.pb.numbers[level];
    fields.chunk_by(same_number).flat_map(|run| run_words(run, level)).collect()
}

fn run_words(run: &[&FieldDef], level: usize) -> Vec<String> {
    let (first, number) = (run[0], run[0].pb.numbers[level]);
    if first.pb.numbers.len() == level + 1 {
        let word = first.pb.word.map(|word| format!("; {word}")).unwrap_or_default();
        return vec![format!("[{number} {}{word}]", first.name)];
    }
    let mut words = words(run, level + 1);
    if let Some(first) = words.first_mut() {
        *first = format!("({number} {first}");
    }
    if let Some(last) = words.last_mut() {
        last.push(')');
    }
    words
}
