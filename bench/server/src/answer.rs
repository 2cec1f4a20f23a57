//! What is answered: pods as a list or in pages, and watches with or without the present state.

use crate::frames::{Frame, Frames};
use crate::http::{Chunks, JSON, Request, other, whole};
use crate::{Order, Start};
use bench_decode::pods::LISTED;
use std::io::{BufReader, Result, copy, sink};
use std::net::TcpStream;
use watchkeeper_api::meta::v1::ListMeta;
use watchkeeper_api::pb;

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
const PROTOBUF_WATCH: &str = "application/vnd.kubernetes.protobuf;stream=watch";

/// Answers one request after another, until the client goes away.
pub fn all(mut stream: TcpStream, frames: &Frames, start: &Start) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut requests = BufReader::new(stream.try_clone()?);
    while let Some(request) = Request::read(&mut requests)? {
        match &*request.path {
            "/api/v1/pods" if request.is("watch") => {
                if watch(&mut stream, &request, frames, start)? == Order::Change {
                    // Until the client closes it.
                    return copy(&mut requests, &mut sink()).map(drop);
                }
            }
            "/api/v1/pods" => list(&mut stream, &request, frames)?,
            path => other(&mut stream, path)?,
        }
    }
    Ok(())
}

/// Tells how it ended.
fn watch(to: &mut TcpStream, request: &Request, frames: &Frames, start: &Start) -> Result<Order> {
    let seen = start.now();
    let sent = frames.of(request.protobuf);
    let mut body = Chunks::begin(to, if request.protobuf { PROTOBUF_WATCH } else { JSON })?;
    if request.is("sendInitialEvents") {
        sent.pods.iter().try_for_each(|frame| body.push(&frame.bytes))?;
        body.push(&sent.end)?;
    }
    body.flush()?;
    // What is ordered from here on, this watch hears.
    println!("sent");
    let order = start.after(seen);
    match order {
        Order::Change => {
            sent.changes.iter().try_for_each(|frame| body.push(&frame.bytes))?;
            body.flush()?;
        }
        Order::Expire => {
            body.push(&sent.expired)?;
            body.end()?;
        }
    }
    Ok(order)
}

/// A list, or the page of it that `limit` and `continue` ask for.
fn list(to: &mut TcpStream, request: &Request, frames: &Frames) -> Result<()> {
    let number = |name: &str| request.asked(name).and_then(|value| value.parse::<usize>().ok());
    let pods = &frames.of(request.protobuf).pods;
    let first = number("continue").unwrap_or(0).min(pods.len());
    let limit = number("limit").filter(|limit| *limit > 0).unwrap_or(pods.len());
    let end = pods.len().min(first.saturating_add(limit));
    let more = if end < pods.len() { end.to_string() } else { String::new() };
    if request.protobuf {
        return whole(to, "200 OK", PROTOBUF, &[&protobuf_list(&pods[first..end], &more)]);
    }
    let head = format!(
        r#"{{"kind":"PodList","apiVersion":"v1","metadata":{{"resourceVersion":"{LISTED}","continue":"{more}"}},"items":["#
    );
    let mut parts = vec![head.as_bytes()];
    for (index, frame) in pods[first..end].iter().enumerate() {
        parts.extend([if index > 0 { &b","[..] } else { b"" }, frame.object()]);
    }
    parts.push(b"]}");
    whole(to, "200 OK", JSON, &parts)
}

/// A list in its envelope, written from its end.
fn protobuf_list(pods: &[Frame], more: &str) -> Vec<u8> {
    let metadata = ListMeta {
        resource_version: LISTED.to_string().into(),
        continue_: more.into(),
        ..ListMeta::default()
    };
    let mut w = pb::Writer::new();
    w.bytes(4, b"");
    w.bytes(3, b"");
    let after = w.len();
    for frame in pods.iter().rev() {
        w.bytes(2, frame.object());
    }
    w.nested(1, &metadata);
    w.close(2, after);
    let after = w.len();
    w.bytes(2, b"PodList");
    w.bytes(1, b"v1");
    w.close(1, after);
    w.raw(&pb::MAGIC);
    w.finish()
}
