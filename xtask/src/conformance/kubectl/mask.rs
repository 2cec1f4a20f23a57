//! What of an answer differs from one run, or from one server, to the next: this is the whole list. Everything
//! else must be equal; the tests show that a wrong value beside these is found.

use std::path::Path;

/// How many bytes something takes at the beginning of a text, if it is there; the text before is given, too.
type Find = fn(&str, &str) -> Option<usize>;

/// What is hidden: what stands in its place, and how it is found.
const HIDDEN: &[(&str, Find)] = &[
    ("«uid»", uid),
    ("«time»", time),
    ("«time»", dated),
    ("«time»", stamped),
    ("«time»", logged),
    ("«port»", port),
    ("«ip»", address),
    ("«node port»", node_port),
    ("«event»", event),
    ("«random»", random),
    ("«random»", temporary),
    ("«age»", age),
    ("«version»", version),
    ("«token»", token),
];

/// An answer without what may differ. Blanks in a line count as one, as columns are as wide as what is in them;
/// members of JSON that comes as the server wrote it have no order, nor have events and replica sets of one second.
pub(super) fn mask(text: &str, folder: &Path) -> String {
    let text = in_order(&text.replace(&folder.display().to_string(), "«folder»"));
    let mut masked = String::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        masked += &line[..indent];
        let words: Vec<&str> = line.split_whitespace().collect();
        hide(&sorted_names(without_trigger(&words.join(" "))), &mut masked);
        masked.push('\n');
    }
    sorted_events(&masked)
}

/// The former replica sets of a deployment in the order of their names: they are told in that of the seconds in which
/// they were made, which two of one server may share.
fn sorted_names(line: &str) -> String {
    const HEAD: &str = "OldReplicaSets: ";
    let Some(names) = line.strip_prefix(HEAD) else { return line.to_owned() };
    let mut names: Vec<&str> = names.split(", ").collect();
    names.sort_unstable();
    HEAD.to_owned() + &names.join(", ")
}

/// An EndpointSlice that is described, as if nothing had been told of the change behind its last write: that is told where
/// a pod's or the Service's own change led to it, and which changes come together is a matter of moments.
fn without_trigger(line: &str) -> &str {
    const TOLD: &str = "Annotations: endpoints.kubernetes.io/last-change-trigger-time: ";
    if line.starts_with(TOLD) { "Annotations: <none>" } else { line }
}

/// Whether the line is a warning of the loop that repairs addresses of a kube-apiserver: about a Service that came
/// while it read them, if one did.
fn is_of_repair(event: &str) -> bool {
    let told = without_age(event);
    told.starts_with("Warning ClusterIPNotAllocated ")
        && told.ends_with(" is not allocated; repairing")
}

/// What a line of an event tells, in a list of events as in a description.
fn without_age(line: &str) -> &str {
    line.trim_start().trim_start_matches("«age» ")
}

/// JSON with its members in order; other texts as they are.
fn in_order(text: &str) -> String {
    let is_raw = text.starts_with("{\"");
    let value = serde_json::from_str::<serde_json::Value>(text).ok().filter(|_| is_raw);
    value.map_or_else(|| text.to_owned(), |value| value.to_string().replace("\":", "\": "))
}

/// The lines that tell of events, one after the other, in the order of their texts.
fn sorted_events(text: &str) -> String {
    /// What stands before events in a description.
    const HEAD: &str = "Events:\n  Type Reason Age From Message\n  ---- ------ ---- ---- -------\n";
    let is_event = |line: &&str| {
        let words = without_age(line);
        words.starts_with("Normal ") || words.starts_with("Warning ")
    };
    let (mut sorted, mut events, mut has_hidden) = (String::new(), Vec::new(), false);
    for line in text.lines().map(Some).chain([None]) {
        match line.filter(is_event) {
            Some(event) if is_of_repair(event) => has_hidden = true,
            Some(event) => events.push(event),
            None => {
                if std::mem::take(&mut has_hidden)
                    && events.is_empty()
                    && let Some(before) = sorted.strip_suffix(HEAD)
                {
                    sorted = format!("{before}Events: <none>\n");
                }
                events.sort_unstable();
                let lines = events.drain(..).chain(line);
                lines.for_each(|line| sorted.extend([line, "\n"]));
            }
        }
    }
    sorted
}

/// Of what `explain` says: the head without the description, names and types of fields.
pub(super) fn fields(text: &str) -> String {
    let is_told = |line: &&str| {
        let line = line.trim();
        let is_field =
            line.contains(" <") && (line.ends_with('>') || line.ends_with("> -required-"));
        let heads = ["KIND:", "GROUP:", "VERSION:", "FIELD:", "RESOURCE:", "FIELDS:", "enum:"];
        is_field || heads.iter().any(|head| line.starts_with(head))
    };
    text.lines().filter(is_told).flat_map(|line| [line, "\n"]).collect()
}

fn hide(line: &str, masked: &mut String) {
    let mut at = 0;
    while let Some(next) = line[at..].chars().next() {
        let (before, rest) = line.split_at(at);
        let found = HIDDEN.iter().find_map(|(name, find)| Some((name, find(before, rest)?)));
        match found {
            Some((name, length)) => {
                *masked += name;
                at += length;
            }
            None => {
                masked.push(next);
                at += next.len_utf8();
            }
        }
    }
}

/// Whether a word begins behind this text.
fn begins(before: &str) -> bool {
    !before.ends_with(|last: char| last.is_alphanumeric())
}

/// Whether a word has ended before this text.
fn ended(rest: &str) -> bool {
    !rest.starts_with(|next: char| next.is_alphanumeric())
}

/// How long a text is that looks as `pattern`: `9` is a digit, `f` one of hexadecimal, `a` a letter.
fn like(text: &str, pattern: &str) -> Option<usize> {
    let mut bytes = text.bytes();
    let fits = |pattern: u8, byte: u8| match pattern {
        b'9' => byte.is_ascii_digit(),
        b'f' => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        b'a' => byte.is_ascii_alphabetic(),
        other => byte == other,
    };
    let is_like =
        pattern.bytes().all(|pattern| bytes.next().is_some_and(|byte| fits(pattern, byte)));
    is_like.then_some(pattern.len())
}

fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()
}

fn uid(before: &str, rest: &str) -> Option<usize> {
    let length = like(rest, "ffffffff-ffff-ffff-ffff-ffffffffffff")?;
    (begins(before) && ended(&rest[length..])).then_some(length)
}

/// `2026-11-26T23:00:06.123456Z`
fn time(before: &str, rest: &str) -> Option<usize> {
    let mut length = like(rest, "9999-99-99T99:99:99")?;
    if rest[length..].starts_with('.') {
        length += 1 + digits(&rest[length + 1..]);
    }
    (begins(before) && rest[length..].starts_with('Z')).then_some(length + 1)
}

/// `Thu, 26 Nov 2026 23:00:06 +0000`
fn dated(before: &str, rest: &str) -> Option<usize> {
    like(rest, "aaa, 99 aaa 9999 99:99:99 +9999").filter(|_| begins(before))
}

/// `2026-11-26 23:00:06.123456789 +0000`, as diff tells it, and Go's own form of a time.
fn stamped(before: &str, rest: &str) -> Option<usize> {
    let forms = ["9999-99-99 99:99:99.999999999 +9999", "9999-99-99 99:99:99 +9999"];
    forms.into_iter().find_map(|form| like(rest, form)).filter(|_| begins(before))
}

/// In the names of files that kubectl makes for an editor or for diff.
fn temporary(before: &str, rest: &str) -> Option<usize> {
    const NAMES: [&str; 3] = ["/LIVE-", "/MERGED-", "/kubectl-edit-"];
    let length = digits(rest);
    (length > 0 && NAMES.iter().any(|name| before.ends_with(name))).then_some(length)
}

/// What stands before a line of the log of kubectl: `E1126 23:00:06.123456 4711 `
fn logged(before: &str, rest: &str) -> Option<usize> {
    let length = like(rest, "a9999 99:99:99.999999 ").filter(|_| before.is_empty())?;
    Some(length + digits(&rest[length..]))
}

/// Where a server of this machine listens.
fn port(before: &str, rest: &str) -> Option<usize> {
    let length = digits(rest);
    (length > 0 && before.ends_with("127.0.0.1:")).then_some(length)
}

/// Of pods and services, which are in one private network.
fn address(before: &str, rest: &str) -> Option<usize> {
    let mut length = 0;
    for part in ["10.", ".", "."] {
        length += like(&rest[length..], part)?;
        length += digits(&rest[length..]);
    }
    (begins(before) && ended(&rest[length..])).then_some(length)
}

/// Of a Service: drawn, unless it is asked for.
fn node_port(before: &str, rest: &str) -> Option<usize> {
    let length = like(rest, "39999")?;
    let is_apart = before.ends_with([':', ' ']) && !before.ends_with("nodePort: ");
    (is_apart && rest[length..].starts_with("/TCP")).then_some(length)
}

/// The end of the name of an event.
fn event(before: &str, rest: &str) -> Option<usize> {
    let length = like(rest, "ffffffffffffffff")?;
    (before.ends_with('.') && ended(&rest[length..])).then_some(length)
}

/// What a server draws for a name behind a dash: five letters, without those that make words.
fn random(before: &str, rest: &str) -> Option<usize> {
    const DRAWN: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    let drawn = rest.bytes().take_while(|byte| DRAWN.contains(byte)).count();
    let is_behind = before.strip_suffix('-').is_some_and(|name| !begins(name));
    let is_whole = ended(&rest[drawn..]) && !rest[drawn..].starts_with('-');
    (drawn == 5 && is_behind && is_whole).then_some(drawn)
}

/// How long ago something was: `5s`, `2m3s`, `4d`, as a word of its own or in brackets.
fn age(before: &str, rest: &str) -> Option<usize> {
    let mut length = 0;
    for _ in 0..2 {
        let number = digits(&rest[length..]);
        let unit = rest[length + number..].starts_with(['s', 'm', 'h', 'd', 'y']);
        length += if number > 0 && unit { number + 1 } else { 0 };
    }
    let is_apart = before.is_empty() || before.ends_with([' ', '(']);
    let is_whole = rest[length..].is_empty() || rest[length..].starts_with([' ', ')']);
    (length > 0 && is_apart && is_whole).then_some(length)
}

/// The version of an object or of a list.
fn version(before: &str, rest: &str) -> Option<usize> {
    const NAMES: [&str; 4] = [
        "resourceVersion: \"",
        "\"resourceVersion\": \"",
        "\"resourceVersion\":\"",
        "Resource Version: ",
    ];
    let length = digits(rest);
    (length > 0 && NAMES.iter().any(|name| before.ends_with(name))).then_some(length)
}

/// Of a service account.
fn token(before: &str, rest: &str) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&c);
    let length = rest.len() - rest.trim_start_matches(is_part).len();
    (begins(before) && rest.starts_with("eyJ") && length > 100).then_some(length)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{fields, mask};

    fn masked(text: &str) -> String {
        mask(text, Path::new("/some/folder")).trim_end().to_owned()
    }

    #[test]
    fn what_may_differ_is_hidden() {
        for (text, expected) in [
            ("uid: 4db48e62-da2f-4a6b-9e0f-0123456789ab", "uid: «uid»"),
            ("{\"t\":\"2026-11-26T23:00:06Z\"}", "{\"t\": \"«time»\"}"),
            ("renewTime: \"2026-11-26T23:00:06.123456Z\"", "renewTime: \"«time»\""),
            ("Start Time:  Thu, 26 Nov 2026 23:00:06 +0000", "Start Time: «time»"),
            ("E1126 23:00:06.123456   4711 memcache.go:265] no", "«time» memcache.go:265] no"),
            ("https://127.0.0.1:36197/api", "https://127.0.0.1:«port»/api"),
            ("IP: 10.96.14.2", "IP: «ip»"),
            (
                "--- /tmp/LIVE-123/v1.Pod.a 2026-11-26 23:00:06.123456789 +0000",
                "--- /tmp/LIVE-«random»/v1.Pod.a «time»",
            ),
            (
                "Annotations:  endpoints.kubernetes.io/last-change-trigger-time: 2026-11-26T23:00:06Z",
                "Annotations: <none>",
            ),
            ("Annotations:  a: 2026-11-26T23:00:06Z", "Annotations: a: «time»"),
            ("web.18a6f0e1d2c3b4a5 x", "web.«event» x"),
            ("web-7c5ddbdf54-x2k9p   1/1", "web-7c5ddbdf54-«random» 1/1"),
            ("Running 0 2m3s", "Running 0 «age»"),
            ("(x2 over 15s)", "(x2 over «age»)"),
            ("  resourceVersion: \"123\"", "  resourceVersion: \"«version»\""),
            (
                "certificate-authority: /some/folder/ca.crt",
                "certificate-authority: «folder»/ca.crt",
            ),
        ] {
            assert_eq!(masked(text), expected);
        }
        assert_eq!(masked("{\"b\":1,\"a\":2}"), "{\"a\": 2,\"b\": 1}");
        let events = "Events:\n  Normal  Started  3s\n  Normal  Created  3s\n";
        assert_eq!(masked(events), "Events:\n  Normal Created «age»\n  Normal Started «age»");
        let head =
            "Events:\n  Type  Reason  Age  From  Message\n  ----  ------  ----  ----  -------\n";
        let repaired = "  Warning  ClusterIPNotAllocated  3s  ipallocator  Cluster IP [IPv4]: 10.96.1.2 is not allocated; repairing\n";
        let created = "  Normal  Created  3s\n";
        assert_eq!(masked(&format!("{head}{repaired}")), masked("Events:  <none>"));
        let (both, one) = (format!("{head}{repaired}{created}"), format!("{head}{created}"));
        assert_eq!(masked(&both), masked(&one));
        let sets =
            "OldReplicaSets:  web-7c5 (0/0 replicas created), web-6d4 (0/0 replicas created)";
        let sorted =
            "OldReplicaSets: web-6d4 (0/0 replicas created), web-7c5 (0/0 replicas created)";
        assert_eq!(masked(sets), sorted);
        assert_eq!(masked("443:31121/TCP"), "443:«node port»/TCP");
        let token = format!("eyJ{}.x_y-z", "a".repeat(100));
        assert_eq!(masked(&token), "«token»");
    }

    #[test]
    fn what_stands_beside_is_not() {
        for text in [
            "uid: 4db48e62",
            "IP: 11.96.14.2",
            "127.0.0.2:80",
            "web-7c5ddbdf54",
            "web-front  web-abcde",
            "delay=0s timeout=1s",
            "\"period\": \"30s\"",
            "generation: 2",
            "resourceVersions: 3",
            "2026-11-26",
        ] {
            let words: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(masked(text), words.join(" "));
        }
    }

    #[test]
    fn descriptions_are_no_fields() {
        let text = "KIND: Pod\n\nDESCRIPTION:\n  Some words < more\nFIELDS:\n  spec <PodSpec>\n    What it is.\n";
        assert_eq!(fields(text), "KIND: Pod\nFIELDS:\n  spec <PodSpec>\n");
    }

    #[test]
    fn a_wrong_value_is_found() {
        for (right, wrong) in [
            ("web 1/1 1 1 5s", "web 0/1 1 1 5s"),
            ("uid: 4db48e62-da2f-4a6b-9e0f-0123456789ab", "uid: \"\""),
            ("creationTimestamp: \"2026-11-26T23:00:06Z\"", "creationTimestamp: null"),
            ("web-7c5ddbdf54-x2k9p", "web-7c5ddbdf55-x2k9p"),
            ("web   5s", "web <unknown>"),
            ("  indented", "    indented"),
            ("ClusterIP 10.96.0.1", "ClusterIP None"),
            ("OldReplicaSets: a (0/0), b (1/1)", "OldReplicaSets: a (1/1), b (0/0)"),
            ("Normal ClusterIPNotAllocated 3s", "Normal ClusterIPAllocated 3s"),
        ] {
            assert_ne!(masked(right), masked(wrong), "{right}");
        }
    }
}
