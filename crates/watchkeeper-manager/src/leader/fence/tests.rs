use watchkeeper_api::Time;

use super::*;

const FAR: Duration = Duration::from_hours(1);

fn fence() -> Fence {
    Fence::new("default/l".to_owned(), Clock::starting_at(Time::from_unix(1_767_225_600)))
}

/// An end of the term so far ahead by the runtime's clock, and so many seconds by the other one.
fn until(fence: &Fence, at: Duration, seconds: i64) -> Until {
    let now = fence.shared.clock.micro_now().unix_micros();
    let date = MicroTime::from_unix_micros(now + seconds * 1_000_000);
    Until { at: Instant::now() + at, date }
}

/// L-14: a machine that slept has a wall clock that went on; one that was set has another that did.
#[tokio::test(start_paused = true)]
async fn l_14_the_stricter_of_two_clocks_counts() {
    let fence = fence();
    fence.open(until(&fence, FAR, 3600));
    assert!(fence.is_open());
    fence.open(until(&fence, FAR, -1));
    assert!(!fence.is_open(), "the wall clock says that it is over");
    fence.open(until(&fence, Duration::ZERO, 3600));
    assert!(!fence.is_open(), "the runtime's clock does");
}

/// A write of the last term is not one of the next.
#[tokio::test(start_paused = true)]
async fn a_write_does_not_outlive_its_term() {
    let fence = fence();
    fence.open(until(&fence, FAR, 3600));
    let write = fence.begin().expect("it is open");
    fence.open(until(&fence, FAR, 3700));
    assert!(write.until().is_some(), "renewed");
    fence.close();
    fence.open(until(&fence, FAR, 3600));
    assert!(write.until().is_none() && fence.begin().is_some());
}

#[tokio::test(start_paused = true)]
async fn what_is_at_rest_is_told_with_the_last_doubt() {
    let fence = fence();
    fence.open(until(&fence, FAR, 3600));
    assert_eq!(fence.at_rest().await, None);
    let mut answered = fence.begin().expect("it is open");
    let lost = fence.begin().expect("it is open");
    answered.answered = true;
    drop(answered);
    tokio::time::advance(Duration::from_secs(5)).await;
    let ends = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        drop(lost);
        Instant::now()
    };
    let (doubt, ended) = tokio::join!(biased; fence.at_rest(), ends);
    assert_eq!(doubt, Some(ended));
}

/// Exec, attach and port-forward begin with a GET.
#[test]
fn a_connection_that_becomes_another_is_no_read() {
    let request = |method, upgrade: bool| {
        let mut request = Request::builder().method(method).uri("/api/v1/pods/p/exec");
        if upgrade {
            request = request.header(header::UPGRADE, "websocket");
        }
        request.body(Body::empty()).unwrap()
    };
    assert!(reads(&request(Method::GET, false)));
    assert!(!reads(&request(Method::GET, true)));
    assert!(!reads(&request(Method::PATCH, false)));
}
