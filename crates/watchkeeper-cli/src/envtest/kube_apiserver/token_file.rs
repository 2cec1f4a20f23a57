//! The file of `--token-auth-file`: a token, a name, a uid and groups a line
//! (`apiserver/pkg/authentication/token/tokenfile`).

use std::path::Path;

use watchkeeper_apiserver::User;

use crate::Outcome;

/// The users of a file by their tokens.
///
/// # Errors
/// When it cannot be read, or a line has fewer than three values.
pub(super) fn read(file: &Path) -> Outcome<Vec<(String, User)>> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("{shown}: {error}"))?;
    users(&text).map_err(|problem| format!("{shown}: {problem}"))
}

fn users(text: &str) -> Outcome<Vec<(String, User)>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let user = |(index, line): (usize, &str)| {
        user(line).ok_or_else(|| {
            let number = index + 1;
            format!("line {number} is no token, user and uid, with commas between them")
        })
    };
    lines.map(user).collect()
}

fn user(line: &str) -> Option<(String, User)> {
    let mut values = values(line).into_iter();
    let [token, name, uid] = [values.next()?, values.next()?, values.next()?];
    let mut user = User { uid, ..User::new(name) };
    for group in values.next().unwrap_or_default().split(',').map(str::trim) {
        if !group.is_empty() {
            user = user.in_group(group);
        }
    }
    (!token.is_empty()).then_some((token, user))
}

/// Values with commas between them; quotes may be around one that has some itself (RFC 4180).
fn values(line: &str) -> Vec<String> {
    let (mut values, mut is_quoted) = (vec![String::new()], false);
    for character in line.chars() {
        match (character, values.last_mut()) {
            ('"', _) => is_quoted = !is_quoted,
            (',', _) if !is_quoted => values.push(String::new()),
            (other, Some(value)) => value.push(other),
            (_, None) => {}
        }
    }
    values.iter().map(|value| value.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use watchkeeper_apiserver::User;

    use super::users;

    #[test]
    fn a_line_is_a_user() {
        let text = "t1,alice,u1,\"devs,ops\"\n\nt2, bob ,u2\nt3,root,u3,system:masters\n";
        let read = users(text).expect("users");
        let user = |name: &str, uid: &str| User { uid: uid.to_owned(), ..User::new(name) };
        let wanted = [
            ("t1".to_owned(), user("alice", "u1").in_group("devs").in_group("ops")),
            ("t2".to_owned(), user("bob", "u2")),
            ("t3".to_owned(), user("root", "u3").in_group("system:masters")),
        ];
        assert_eq!(read, wanted);
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        let told = users("t1,alice,u1\nt2,bob").expect_err("refused");
        assert!(told.starts_with("line 2 is no token"), "{told}");
        assert!(users(",alice,u1").is_err());
    }
}
