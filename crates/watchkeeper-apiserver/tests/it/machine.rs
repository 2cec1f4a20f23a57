//! The state machine by itself: inputs and a moment in, outputs out, nobody waits.

use std::time::Duration;

use bytes::Bytes;
use watchkeeper_apiserver::{Config, Core, Input, Now, Output, Rng, Ticket};

/// A machine, the moment and the dice.
struct Machine {
    core: Core,
    now: Now,
    rng: Rng,
}

impl Machine {
    fn new() -> Self {
        let (now, mut rng) = (Now(Duration::from_secs(1_767_225_600)), Rng::new(1));
        Self { core: Core::new(Config::default(), now, &mut rng), now, rng }
    }

    fn request(&mut self, ticket: u64, method: &str, path: &str, body: &'static str) -> String {
        let request = http::Request::builder().method(method).uri(path);
        let request = request.body(Bytes::from_static(body.as_bytes())).expect("a request");
        self.step(Input::Request(Ticket(ticket), Box::new(request)))
    }

    fn wait(&mut self, seconds: u64) {
        self.now = self.now.plus(Duration::from_secs(seconds));
    }

    fn step(&mut self, input: Input) -> String {
        let outputs = self.core.step(input, self.now, &mut self.rng);
        let lines: Vec<String> = outputs.iter().map(|output| self.show(output)).collect();
        lines.join("\n")
    }

    fn show(&self, output: &Output) -> String {
        match output {
            Output::Reply(ticket, response) => {
                format!("{} reply {}", ticket.0, response.status().as_u16())
            }
            Output::List(ticket, response) => {
                format!("{} list {}", ticket.0, response.status().as_u16())
            }
            Output::Start(ticket, response) => {
                format!("{} start {}", ticket.0, response.status().as_u16())
            }
            Output::Frame(tickets, bytes) => {
                let frame = crate::support::show(&serde_json::from_slice(bytes).expect("JSON"));
                let lines: Vec<_> = tickets.iter().map(|to| format!("{} {frame}", to.0)).collect();
                lines.join("\n")
            }
            Output::End(ticket) => format!("{} end", ticket.0),
            Output::Commit(records) => format!("{records:?}"),
            Output::Call(ticket, call) => format!("{} call {}", ticket.0, call.address()),
            Output::Hangup(ticket) => format!("{} hangup", ticket.0),
            Output::Connect(ticket, _) => format!("{} connect", ticket.0),
            Output::Wake(ticket, at) => {
                format!("{} wake in {}s", ticket.0, at.since(self.now).as_secs())
            }
        }
    }
}

const PATH: &str = "/api/v1/namespaces/default/configmaps";

#[test]
fn a_watch_is_told_of_writes_until_its_time_is_up() {
    let mut machine = Machine::new();
    let path = format!("{PATH}?watch=1&timeoutSeconds=90&allowWatchBookmarks=true");
    let mut lines = vec![machine.request(1, "GET", &path, "")];
    let body = r#"{"metadata": {"name": "a"}, "data": {"value": "1"}}"#;
    lines.push(machine.request(2, "POST", PATH, body));
    machine.wait(60);
    lines.push(machine.step(Input::Alarm(Ticket(1))));
    machine.wait(30);
    lines.push(machine.step(Input::Alarm(Ticket(1))));
    lines.push(machine.request(3, "DELETE", &format!("{PATH}/a"), ""));
    expect_test::expect![[r#"
        1 start 200
        1 BOOKMARK -@6 end of initial events
        1 wake in 60s
        2 reply 201
        1 ADDED a@7 1
        1 BOOKMARK -@7
        1 wake in 28s
        1 end
        3 reply 200"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn a_parked_read_comes_back_with_its_revision_or_at_its_time() {
    let mut machine = Machine::new();
    let path = format!("{PATH}?resourceVersion=7");
    let mut lines = vec![machine.request(1, "GET", &path, "")];
    lines.push(machine.request(2, "POST", PATH, r#"{"metadata": {"name": "a"}}"#));
    let path = format!("{PATH}?resourceVersion=9");
    lines.push(machine.request(3, "GET", &path, ""));
    machine.wait(3);
    lines.push(machine.step(Input::Alarm(Ticket(3))));
    expect_test::expect![[r"
        1 wake in 3s
        2 reply 201
        1 reply 200
        3 wake in 3s
        3 reply 504"]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn nothing_comes_for_a_client_that_has_left() {
    let mut machine = Machine::new();
    machine.request(1, "GET", &format!("{PATH}?watch=1"), "");
    machine.request(2, "GET", &format!("{PATH}?resourceVersion=7"), "");
    assert_eq!(machine.step(Input::Gone(Ticket(1))), "");
    assert_eq!(machine.step(Input::Gone(Ticket(2))), "");
    let body = r#"{"metadata": {"name": "a"}}"#;
    assert_eq!(machine.request(3, "POST", PATH, body), "3 reply 201");
}

/// The same dice each time make the same names, so that each try meets one more that is taken.
#[test]
fn v4_2_eight_generated_names_are_tried() {
    let mut machine = Machine::new();
    let dice = machine.rng.clone();
    let body = r#"{"metadata": {"generateName": "a-"}}"#;
    let mut made = std::collections::BTreeSet::new();
    for attempt in 1..=9 {
        machine.rng = dice.clone();
        let request = http::Request::builder().method("POST").uri(PATH);
        let request = request.body(Bytes::from_static(body.as_bytes())).expect("a request");
        let input = Input::Request(Ticket(attempt), Box::new(request));
        let outputs = machine.core.step(input, machine.now, &mut machine.rng);
        let [Output::Reply(_, response)] = &outputs[..] else {
            panic!("{} outputs", outputs.len())
        };
        let answer: serde_json::Value = serde_json::from_slice(response.body()).expect("JSON");
        if attempt <= 8 {
            assert_eq!(response.status(), 201);
            assert!(made.insert(answer["metadata"]["name"].to_string()), "{made:?}");
            continue;
        }
        assert_eq!((response.status().as_u16(), &answer["reason"]), (409, &"AlreadyExists".into()));
        let cause = &answer["details"]["causes"][0];
        assert_eq!(cause["field"], "metadata.generateName");
        assert_eq!(cause["reason"], "GenerateName");
        assert_eq!(response.headers()["retry-after"], "1");
    }
}

#[test]
fn what_goes_in_and_comes_out_is_shown_without_what_it_holds() {
    let mut machine = Machine::new();
    let secret = br#"{"metadata":{"name":"s"},"stringData":{"p":"hunter2"}}"#;
    let path = "/api/v1/namespaces/default/secrets";
    let post = http::Request::post(path).header("Authorization", "Bearer hunter2");
    let post = post.body(Bytes::from_static(secret)).expect("a request");
    let watch = http::Request::get(format!("{path}?watch=true")).body(Bytes::new());
    let mut shown = String::new();
    for (ticket, request) in [(1, watch.expect("a request")), (2, post)] {
        let input = Input::Request(Ticket(ticket), Box::new(request));
        shown += &format!("{input:?}\n");
        let outputs = machine.core.step(input, machine.now, &mut machine.rng);
        shown += &format!("{outputs:?}\n");
    }
    shown += &format!("{:?}", Input::Body(Ticket(3), Ok(Bytes::from_static(secret))));
    for told in ["Request(2, POST /api/v1/", "Reply(2, 201 Created, ", "Frame([1], ", "54 bytes"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    // The data as it was sent, and as it is stored.
    assert!(!shown.contains("hunter2") && !shown.contains("aHVudGVyMg"), "{shown}");
}
