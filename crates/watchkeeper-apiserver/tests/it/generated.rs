//! Requests that are made up by a seed, as the real kube-apiserver answers them: `cargo xtask conformance generated
//! --record` sends them to it and to this server, and writes down in `generated/digests.txt` what both answer alike.
//! A case that is answered otherwise has no digest.

use std::fmt::Write as _;
use std::ops::Range;

use watchkeeper_apiserver::ApiServer;
use watchkeeper_generator::{
    Answer, Case, Digest, Digests, Drawing, EDGES, Generator, Request, Told, masked, population,
};

use crate::support::Client;

const DIGESTS: &str = include_str!("generated/digests.txt");

/// So many of a hundred cases are answered alike, or the file is not what it should be.
const LEAST: usize = 90;

/// A test for each range of numbers of cases: what fails is found sooner in a few of them.
macro_rules! ranges {
    ($($module:ident $generator:ident { $($name:ident $range:expr,)+ })+) => {$(
        mod $module {
            use super::*;

            $(
                #[tokio::test(start_paused = true)]
                async fn $name() {
                    check(Generator::$generator, $range).await;
                }
            )+
        }
    )+};
}

ranges! {
    objects Objects {
        below_500 0..500,
        below_1000 500..1000,
        below_1500 1000..1500,
        below_2000 1500..2000,
        below_2500 2000..2500,
        below_3000 2500..3000,
    }
    patches Patches {
        below_500 0..500,
        below_1000 500..1000,
        below_1500 1000..1500,
        below_2000 1500..2000,
        below_2500 2000..2500,
        below_3000 2500..3000,
    }
    schemas Schemas {
        below_1000 0..1000,
        below_2000 1000..2000,
        below_3000 2000..3000,
    }
    selectors Selectors {
        below_1500 0..1500,
        below_3000 1500..3000,
    }
    edges Edges {
        below_500 EDGES..EDGES + 500,
        below_1000 EDGES + 500..EDGES + 1000,
        below_1500 EDGES + 1000..EDGES + 1500,
        below_2000 EDGES + 1500..EDGES + 2000,
        below_2500 EDGES + 2000..EDGES + 2500,
        below_3000 EDGES + 2500..EDGES + 3000,
        below_3500 EDGES + 3000..EDGES + 3500,
        below_4000 EDGES + 3500..EDGES + 4000,
        below_4500 EDGES + 4000..EDGES + 4500,
        below_5000 EDGES + 4500..EDGES + 5000,
        below_5500 EDGES + 5000..EDGES + 5500,
        below_6000 EDGES + 5500..EDGES + 6000,
    }
}

/// Sends the cases of a generator to a server of their own.
async fn check(generator: Generator, numbers: Range<u64>) {
    let digests = Digests::read(DIGESTS);
    let drawing = Drawing::of(digests.seed);
    let client = Client { server: ApiServer::new(), agent: "generated" };
    for request in population() {
        let answer = answer(&client, &Told::default(), &request).await;
        assert_eq!(answer.code, 201, "{request}: {}", answer.body);
    }
    let (mut count, mut missing, mut wrong) = (0, 0, Vec::new());
    for number in numbers.filter(|number| Generator::of(*number) == generator) {
        let case = drawing.case(number);
        let (digest, answers) = answers(&client, &case).await;
        count += 1;
        match digests.of.get(&number) {
            Some(recorded) if *recorded == digest.to_string() => {}
            Some(_) => wrong.push((number, shown(&case, &answers))),
            None => missing += 1,
        }
    }
    assert!((count - missing) * 100 >= count * LEAST, "{missing} of {count} have no digest");
    if let Some((first, text)) = wrong.first() {
        let numbers: Vec<u64> = wrong.iter().map(|(number, _)| *number).collect();
        panic!(
            "cases {numbers:?} are answered otherwise than by a real kube-apiserver. To see where, and whether it is \
             so: cargo xtask conformance generated --seed {} --case {first}\n{text}",
            digests.seed
        );
    }
}

/// What is answered to the requests of a case, masked.
async fn answers(client: &Client, case: &Case) -> (Digest, Vec<Answer>) {
    let (mut told, mut digest, mut answers) = (Told::default(), Digest::default(), Vec::new());
    for request in &case.requests {
        if request.waits && !answers.last().is_none_or(Answer::is_good) {
            break;
        }
        let answer = answer(client, &told, request).await;
        told.hear(&answer);
        let masked = masked(&answer, &request.body);
        digest.add(&masked);
        answers.push(masked);
    }
    for request in &case.after {
        told.hear(&answer(client, &told, request).await);
    }
    (digest, answers)
}

async fn answer(client: &Client, told: &Told, request: &Request) -> Answer {
    let (path, body) = (told.fill(&request.path), told.fill(&request.body));
    let headers = [("accept", "application/json"), ("content-type", request.content_type)];
    let headers = if request.content_type.is_empty() { &headers[..1] } else { &headers[..] };
    let answer = client.try_send(request.method, &path, headers, body).await.expect("an answer");
    let warnings = answer.headers.get_all("warning").iter();
    let warnings = warnings.map(|text| String::from_utf8_lossy(text.as_bytes()).into_owned());
    Answer::of(answer.code.into(), warnings.collect(), answer.text.as_bytes())
}

fn shown(case: &Case, answers: &[Answer]) -> String {
    let mut text = String::new();
    for (request, Answer { code, warnings, body }) in case.requests.iter().zip(answers) {
        // Writing to a String does not fail.
        let _ok = write!(text, "\n{request}\n    {code} {warnings:?} {body}");
    }
    text
}
