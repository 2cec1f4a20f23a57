//! Members, pieces, and what is cut or broken.

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// What comes in pieces of `size` is unpacked to.
fn unpacked(packed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    let mut gunzip = Gunzip::new();
    let mut all = Vec::new();
    for piece in packed.chunks(size) {
        gunzip.push(Bytes::copy_from_slice(piece));
        while let Some(bytes) = gunzip.pull()? {
            all.extend_from_slice(&bytes);
        }
    }
    all.extend(gunzip.finish()?.unwrap_or_default());
    Ok(all)
}

#[test]
fn several_members_are_one_body_however_they_come() {
    let text = "a list, ".repeat(20_000);
    let body = [packed(&text), packed(""), packed("the end")].concat();
    let whole = format!("{text}the end").into_bytes();
    for size in [1, 7, STEP, 1 << 20] {
        assert_eq!(unpacked(&body, size).unwrap(), whole, "in pieces of {size}");
    }
    assert_eq!(unpacked(b"", 1).unwrap(), b"", "no body at all");
}

#[test]
fn a_member_is_told_when_it_is_whole() {
    let mut gunzip = Gunzip::new();
    gunzip.push(packed("an event\n").into());
    assert_eq!(gunzip.pull().unwrap().unwrap(), "an event\n");
}

#[test]
fn what_is_cut_or_broken_is_an_error() {
    let body = packed(&"text ".repeat(1000));
    for length in [5, 30, body.len() - 6, body.len() - 1] {
        unpacked(&body[..length], 64).unwrap_err();
    }
    let mut broken = body.clone();
    broken[body.len() - 8] ^= 1;
    unpacked(&broken, 64).unwrap_err();
    unpacked(b"{\"kind\":\"List\"}", 64).unwrap_err();
}

/// A thousandfold is what the format allows; it comes in pieces.
#[test]
fn a_bomb_comes_in_pieces() {
    let body = packed(&"\0".repeat(64 << 20));
    let mut gunzip = Gunzip::new();
    gunzip.push(body.into());
    let first = gunzip.pull().unwrap().unwrap();
    assert!(first.len() <= 8 << 20, "{}", first.len());
}
