//! Requests without a socket.

use crate::Outcome;
use bytes::Bytes;
use http::Request;
use http_body_util::BodyExt as _;
use watchkeeper_apiserver::{ApiServer, Body};

/// Answers a GET.
pub async fn get(server: &ApiServer, path: &str) -> Outcome<Body> {
    let answer = server.answer(Request::get(path).body(Bytes::new())?).await?;
    if answer.status() != 200 {
        return Err(format!("{path}: {}", answer.status()).into());
    }
    Ok(answer.into_body())
}

/// Posts an object, which must be made; tells what the server says that it is.
pub async fn create(server: &ApiServer, path: &str, object: String) -> Outcome<Bytes> {
    let request = Request::post(path).header("content-type", "application/json");
    let answer = server.answer(request.body(Bytes::from(object))?).await?;
    let status = answer.status();
    let body = answer.into_body().collect().await?.to_bytes();
    if status != 201 {
        return Err(format!("{path}: {status}: {}", String::from_utf8_lossy(&body)).into());
    }
    Ok(body)
}
