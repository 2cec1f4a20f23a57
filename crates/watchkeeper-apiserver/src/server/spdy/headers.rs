//! The headers of a stream: one zlib stream over all blocks of a connection, which a block must not leave unfinished.

use bytes::Buf as _;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
use miniz_oxide::inflate::core::{DecompressorOxide, TINFL_LZ_DICT_SIZE, decompress};

use super::dictionary;

/// How long a block may be: those of ports have three short lines.
const LONGEST: usize = 16 << 10;
/// How many headers it may have.
const MOST: u32 = 100;
/// What separates the values of a header.
const SEPARATOR: char = '\0';

/// Names and values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::server) struct Headers(Vec<(String, String)>);

impl Headers {
    /// The first value of a header, nothing if there is none.
    pub(in crate::server) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.and_then(|(_, value)| value.split(SEPARATOR).next()).unwrap_or_default()
    }

    fn read(mut block: &[u8]) -> Result<Self, &'static str> {
        let count = block.try_get_u32().map_err(|_| "headers without a number of them")?;
        if count > MOST {
            return Err("too many headers");
        }
        let mut all = Vec::new();
        for _ in 0..count {
            let (name, value) = (text(&mut block)?, text(&mut block)?);
            if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
                return Err("a header with capital letters");
            }
            if all.iter().any(|(known, _)| *known == name) {
                return Err("a header that is there twice");
            }
            all.push((name, value));
        }
        if block.is_empty() { Ok(Self(all)) } else { Err("headers with something behind them") }
    }
}

/// A length, and as many bytes.
fn text(block: &mut &[u8]) -> Result<String, &'static str> {
    const SHORT: &str = "headers that are too short";
    let length = block.try_get_u32().map_err(|_| SHORT)?;
    let (bytes, rest) = block.split_at_checked(length as usize).ok_or(SHORT)?;
    *block = rest;
    String::from_utf8(bytes.to_vec()).map_err(|_| "headers that are no text")
}

/// Unpacks the blocks of a connection, in their order. All must pass through it, as each goes on from the last.
pub(super) struct Unpacker {
    deflate: Box<DecompressorOxide>,
    /// What blocks may repeat; it is written round and round.
    window: Box<[u8]>,
    at: usize,
    has_begun: bool,
}

impl Default for Unpacker {
    fn default() -> Self {
        let window = vec![0; TINFL_LZ_DICT_SIZE].into_boxed_slice();
        Self { deflate: Box::default(), window, at: 0, has_begun: false }
    }
}

impl Unpacker {
    pub(super) fn headers(&mut self, packed: &[u8]) -> Result<Headers, &'static str> {
        let deflated = if self.has_begun { packed } else { self.begin(packed)? };
        self.has_begun = true;
        Headers::read(&self.inflate(deflated)?)
    }

    /// Passes the beginning of a zlib stream (RFC 1950, 2.2), and takes the dictionary if that names it.
    fn begin<'a>(&mut self, packed: &'a [u8]) -> Result<&'a [u8], &'static str> {
        const NONE: &str = "headers that are no zlib stream";
        let (head, rest) = packed.split_first_chunk::<2>().ok_or(NONE)?;
        if u16::from_be_bytes(*head) % 31 != 0 || head[0] & 0x0f != 8 {
            return Err(NONE);
        }
        if head[1] & 0x20 == 0 {
            return Ok(rest);
        }
        let (id, rest) = rest.split_first_chunk::<4>().ok_or(NONE)?;
        if u32::from_be_bytes(*id) != dictionary::ID {
            return Err("headers with another dictionary than that of SPDY/3");
        }
        let known = dictionary::bytes();
        self.window[..known.len()].copy_from_slice(&known);
        self.at = known.len();
        Ok(rest)
    }

    fn inflate(&mut self, mut deflated: &[u8]) -> Result<Vec<u8>, &'static str> {
        let mut block = Vec::new();
        loop {
            let (status, read, written) = decompress(
                &mut self.deflate,
                deflated,
                &mut self.window,
                self.at,
                TINFL_FLAG_HAS_MORE_INPUT,
            );
            deflated = &deflated[read..];
            block.extend_from_slice(&self.window[self.at..self.at + written]);
            self.at = (self.at + written) % self.window.len();
            if block.len() > LONGEST {
                return Err("headers that are too long");
            }
            match status {
                TINFLStatus::NeedsMoreInput if deflated.is_empty() => return Ok(block),
                TINFLStatus::HasMoreOutput if read + written > 0 => {}
                _ => return Err("headers that cannot be unpacked"),
            }
        }
    }
}
