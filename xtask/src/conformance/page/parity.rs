//! What docs/parity/api-server.md says of a bullet.

/// A row of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Statement<'a> {
    pub(super) id: &'a str,
    /// The chapter that it stands in.
    pub(super) about: &'a str,
    /// Kept, or partly.
    pub(super) state: &'a str,
    /// What comes behind `Deviations: `, without the names of tests.
    pub(super) deviations: String,
}

/// The bullets of the page, in its order.
pub(super) fn statements(page: &str) -> Vec<Statement<'_>> {
    let (mut statements, mut about) = (Vec::new(), "");
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            about = title.split_once(". ").map_or(title, |(_, about)| about);
        }
        statements.extend(statement(line, about));
    }
    statements
}

fn statement<'a>(line: &'a str, about: &'a str) -> Option<Statement<'a>> {
    let row = line.strip_prefix("| V")?;
    let (number, text) = row.strip_suffix('|')?.split_once(" | ")?;
    let id = &line[2..number.len() + 3];
    let state = text.split("**").nth(1).unwrap_or("said there");
    Some(Statement { id, about, state, deviations: deviations(text.trim()) })
}

/// Whatever is said to deviate, and what is missing of what is kept in part.
fn deviations(text: &str) -> String {
    let missing = text.strip_prefix("**partly**: ");
    let mut parts = text.split("Deviation");
    let first = parts.next().filter(|_| missing.is_some());
    let first = first.map(|text| text.trim_start_matches("**partly**: "));
    let told = parts.filter_map(|part| part.split_once(": ").map(|(_, told)| told));
    let told = first.into_iter().chain(told).map(|told| told.trim().trim_end_matches('.'));
    told.collect::<Vec<_>>().join(". ")
}

#[cfg(test)]
mod tests {
    use super::{Statement, statements};

    #[test]
    fn rows_are_read_with_their_chapters() {
        let page = "# Page\n\n## V1. Errors\n\n| id | state |\n|---|---|\n\
                    | V1.1 | **kept**: `v1_1_…` |\n\
                    | V1.2 | **kept**: `v1_2_…`. Deviations: one; two. No third |\n\
                    | V1.3 | **partly**: no third. Deviation: a fourth |\n";
        let row = |id, state, deviations: &str| Statement {
            id,
            about: "Errors",
            state,
            deviations: deviations.to_owned(),
        };
        let wanted = [
            row("V1.1", "kept", ""),
            row("V1.2", "kept", "one; two. No third"),
            row("V1.3", "partly", "no third. a fourth"),
        ];
        assert_eq!(statements(page), wanted);
    }
}
