//! SOCKS5 (RFC 1928), with a name and a password if there are any (RFC 1929).

use std::io;
use std::net::IpAddr;

use http::Uri;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::Login;
use crate::connector::{Wire, bare_host};

const VERSION: u8 = 5;
const NOBODY: u8 = 0;
const PASSWORD: u8 = 2;
const CONNECT: u8 = 1;

pub(super) async fn open(
    wire: &mut Wire,
    target: &Uri,
    login: Option<&Login>,
) -> Result<(), String> {
    greet(wire, login).await?;
    let (host, port) = (bare_host(target), super::port(target));
    let mut request = vec![VERSION, CONNECT, 0];
    match host.parse() {
        Ok(IpAddr::V4(address)) => {
            request.push(1);
            request.extend(address.octets());
        }
        Ok(IpAddr::V6(address)) => {
            request.push(4);
            request.extend(address.octets());
        }
        Err(_) => {
            request.push(3);
            short(&mut request, host, "the server's name")?;
        }
    }
    request.extend(port.to_be_bytes());
    send(wire, &request).await?;
    let [version, code, _, kind] = read(wire).await?;
    if version != VERSION {
        return Err(no_socks());
    }
    if code != 0 {
        return Err(refusal(code, host, port));
    }
    // Where the proxy stands; nobody wants to know.
    match kind {
        1 => read::<6>(wire).await.map(|_| ()),
        4 => read::<18>(wire).await.map(|_| ()),
        3 => {
            let [length] = read(wire).await?;
            let mut rest = vec![0; usize::from(length) + 2];
            wire.read_exact(&mut rest).await.map(|_| ()).map_err(|error| lost(&error))
        }
        _ => Err(no_socks()),
    }
}

async fn greet(wire: &mut Wire, login: Option<&Login>) -> Result<(), String> {
    let offer: &[u8] =
        if login.is_some() { &[VERSION, 2, NOBODY, PASSWORD] } else { &[VERSION, 1, NOBODY] };
    send(wire, offer).await?;
    match (read(wire).await?, login) {
        ([VERSION, NOBODY], _) => Ok(()),
        ([VERSION, PASSWORD], Some(login)) => {
            let mut words = vec![1];
            short(&mut words, &login.name, "the name")?;
            short(&mut words, &login.password, "the password")?;
            send(wire, &words).await?;
            match read(wire).await? {
                [_, 0] => Ok(()),
                [_, _] => Err("does not take the name and password in its URL".to_owned()),
            }
        }
        ([VERSION, _], None) => {
            Err("wants to know who we are; put a name and a password into its \
                                     URL (socks5://name:password@host:port)"
                .to_owned())
        }
        ([VERSION, _], Some(_)) => Err("takes no name and password".to_owned()),
        _ => Err(no_socks()),
    }
}

/// A text after its length.
fn short(request: &mut Vec<u8>, text: &str, what: &str) -> Result<(), String> {
    let length = u8::try_from(text.len());
    request.push(length.map_err(|_| format!("cannot be asked: {what} is longer than 255 bytes"))?);
    request.extend(text.as_bytes());
    Ok(())
}

async fn send(wire: &mut Wire, bytes: &[u8]) -> Result<(), String> {
    wire.write_all(bytes).await.map_err(|error| lost(&error))?;
    wire.flush().await.map_err(|error| lost(&error))
}

async fn read<const N: usize>(wire: &mut Wire) -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    wire.read_exact(&mut bytes).await.map_err(|error| lost(&error))?;
    Ok(bytes)
}

fn lost(error: &io::Error) -> String {
    format!("hung up ({error}); is it a SOCKS5 proxy?")
}

fn no_socks() -> String {
    "does not speak SOCKS5; is its scheme right?".to_owned()
}

fn refusal(code: u8, host: &str, port: u16) -> String {
    let what = match code {
        2 => "does not allow it",
        3 => "the network is unreachable",
        4 => "the host is unreachable; does the proxy know that name?",
        5 => "nothing listens there",
        6 => "it took too long",
        _ => "it gave no reason that is known",
    };
    format!("opened no way to {host}:{port}: {what} ({code})")
}
