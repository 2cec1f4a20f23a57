//! `bench-listed PODS` is an embedded server that has pods. It prints its URL, reads lines and answers each:
//!
//! - `begin`: the bytes that are resident; from now on the greatest number is noted.
//! - `peak`: that number.
//! - `copies`: a URL at which the bytes of the list of all pods are sent as they are, out of memory.

use bench_apiserver::{Outcome, objects, within};
use bench_decode::process::{forget_peak, memory};
use bytes::Bytes;
use http_body_util::BodyExt as _;
use std::io::{BufRead as _, Read as _, Write as _};
use std::net::TcpListener;
use watchkeeper_apiserver::{ApiServer, serve};

const PODS: &str = "/api/v1/namespaces/default/pods";

#[tokio::main(worker_threads = 2)]
async fn main() -> Outcome {
    let pods: u64 = std::env::args().nth(1).ok_or("usage: bench-listed PODS")?.parse()?;
    let server = ApiServer::builder().build();
    for number in 0..pods {
        within::create(&server, PODS, objects::pod(&format!("web-{number}"))).await?;
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    tokio::select! {
        served = serve(listener, server.clone(), std::future::pending()) => Ok(served?),
        talked = talk(server) => talked,
    }
}

async fn talk(server: ApiServer) -> Outcome {
    while let Some(line) = tokio::task::spawn_blocking(line).await?? {
        match &*line {
            "begin" => {
                forget_peak();
                println!("{}", memory("VmRSS"));
            }
            "peak" => println!("{}", memory("VmHWM")),
            "copies" => {
                let list = within::get(&server, PODS).await?.collect().await?.to_bytes();
                println!("http://{}", copies(list)?);
            }
            _ => return Err(format!("{line}: no such line").into()),
        }
    }
    Ok(())
}

fn line() -> Outcome<Option<String>> {
    Ok(std::io::stdin().lock().lines().next().transpose()?)
}

/// Sends the bytes to whoever connects, whatever they ask for, and tells where.
fn copies(bytes: Bytes) -> Outcome<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    std::thread::spawn(move || -> Outcome {
        loop {
            let (mut stream, _) = listener.accept()?;
            stream.set_nodelay(true)?;
            // The question, which is short; and the client leaves when it has the answer.
            let _read = stream.read(&mut [0; 4096])?;
            let _sent =
                write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", bytes.len());
            let _sent = stream.write_all(&bytes);
        }
    });
    Ok(address)
}
