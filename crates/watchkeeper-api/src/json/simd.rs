//! Which bytes of a block are which: 16 or 32 at a time where the processor can.
//!
//! With `istr`, the only module of the crate that uses `unsafe`, and for three things only:
//!
//! - loads of 16 or 32 bytes from an array that has 64, or from the 16 that a slice was split into;
//! - calls of functions that are compiled for more than the processor may have: SSE2 belongs to every
//!   x86-64, and whether there is AVX2 is asked before;
//! - taking bytes for a text that were seen to be ASCII.
//!
//! Other processors take the portable way, which gives the same answers.
#![expect(unsafe_code, reason = "loads of vectors, see the module's docs")]

#[cfg(test)]
mod tests;

use std::str::Utf8Error;

/// Bytes that are looked at together: one bit each.
pub(super) const BLOCK: usize = 64;

/// What the bytes of a block are; the lowest bit is the first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Masks {
    pub(super) quote: u64,
    pub(super) backslash: u64,
    /// Below the space.
    pub(super) control: u64,
    pub(super) space: u64,
    /// `{` and `[`.
    pub(super) open: u64,
    /// `}` and `]`.
    pub(super) close: u64,
    /// Of the brackets, which are curly; of other bytes anything.
    pub(super) curly: u64,
    pub(super) colon: u64,
    pub(super) comma: u64,
}

/// Where the first quote, backslash or control character is.
#[inline]
pub(super) fn special(bytes: &[u8]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    {
        let mut at = 0;
        while let Some(block) = bytes[at..].first_chunk::<16>() {
            // SAFETY: SSE2 is part of x86-64.
            let found = unsafe { x86::special(block) };
            if found != 0 {
                return Some(at + found.trailing_zeros() as usize);
            }
            at += 16;
        }
        portable::special(&bytes[at..]).map(|found| at + found)
    }
    #[cfg(not(target_arch = "x86_64"))]
    portable::special(bytes)
}

/// The bytes as a text. Nearly all that servers send is ASCII, and that is seen sooner.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, Utf8Error> {
    if bytes.is_ascii() {
        // SAFETY: what is ASCII is UTF-8.
        return Ok(unsafe { std::str::from_utf8_unchecked(bytes) });
    }
    std::str::from_utf8(bytes)
}

/// Whether blocks are told apart faster than byte by byte.
pub(super) const IS_FAST: bool = cfg!(target_arch = "x86_64");

/// Something that looks at blocks, and is compiled once for each way to do so.
pub(super) trait Scan {
    type Outcome;
    /// Must be `#[inline(always)]`, so that it is compiled for the processor that `masks` is for.
    fn scan(self, masks: impl Fn(&[u8; BLOCK]) -> Masks) -> Self::Outcome;
}

/// Runs a scan in the fastest way that this processor knows.
#[inline]
pub(super) fn run<S: Scan>(scan: S) -> S::Outcome {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { x86::with_avx2(scan) };
        }
        // SAFETY: SSE2 is part of x86-64.
        scan.scan(|block| unsafe { x86::masks(block) })
    }
    #[cfg(not(target_arch = "x86_64"))]
    scan.scan(portable::masks)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8,
        _mm_or_si128, _mm_set1_epi8, _mm_slli_epi16, _mm256_cmpeq_epi8, _mm256_loadu_si256,
        _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
        _mm256_slli_epi16,
    };

    use super::{BLOCK, Masks, Scan};

    /// One bit for each byte that is a quote, a backslash or a control character.
    #[target_feature(enable = "sse2")]
    #[inline]
    pub(super) fn special(bytes: &[u8; 16]) -> u32 {
        // SAFETY: the load is of 16 bytes, and `bytes` has as many.
        let bytes = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
        let quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'"' as i8));
        let backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\\' as i8));
        let control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
        let any = _mm_or_si128(_mm_or_si128(quote, backslash), control);
        _mm_movemask_epi8(any) as u32
    }

    // The masks are made behind a call: seen together with what is done with them, the compiler takes
    // them apart into bytes again.

    /// The masks of a block, with SSE2.
    #[target_feature(enable = "sse2")]
    #[inline(never)]
    pub(super) fn masks(block: &[u8; BLOCK]) -> Masks {
        let start = block.as_ptr().cast::<__m128i>();
        // SAFETY: the loads are of 16 bytes at 0, 16, 32 and 48 of 64.
        let parts = [0, 1, 2, 3].map(|part| unsafe { _mm_loadu_si128(start.add(part)) });
        let bit = _mm_set1_epi8(0x20);
        let lower = parts.map(|part| _mm_or_si128(part, bit));
        let last = _mm_set1_epi8(0x1f);
        Masks {
            quote: equal(parts, b'"'),
            backslash: equal(parts, b'\\'),
            control: bits(parts.map(|part| _mm_cmpeq_epi8(_mm_min_epu8(part, last), part))),
            space: equal(parts, b' '),
            open: equal(lower, b'{'),
            close: equal(lower, b'}'),
            curly: bits(parts.map(|part| _mm_slli_epi16::<2>(part))),
            colon: equal(parts, b':'),
            comma: equal(parts, b','),
        }
    }

    #[target_feature(enable = "sse2")]
    #[inline]
    fn equal(parts: [__m128i; 4], byte: u8) -> u64 {
        let wanted = _mm_set1_epi8(byte as i8);
        bits(parts.map(|part| _mm_cmpeq_epi8(part, wanted)))
    }

    #[target_feature(enable = "sse2")]
    #[inline]
    fn bits(parts: [__m128i; 4]) -> u64 {
        let [a, b, c, d] = parts.map(|part| u64::from(_mm_movemask_epi8(part) as u32));
        a | b << 16 | c << 32 | d << 48
    }

    /// The masks of a block, with AVX2.
    #[target_feature(enable = "avx2")]
    #[inline(never)]
    fn masks_avx2(block: &[u8; BLOCK]) -> Masks {
        // SAFETY: the loads are of 32 bytes at 0 and 32 of 64.
        let (low, high) = unsafe {
            let start = block.as_ptr().cast::<__m256i>();
            (_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1)))
        };
        let both = |low: __m256i, high: __m256i| {
            u64::from(_mm256_movemask_epi8(low) as u32)
                | u64::from(_mm256_movemask_epi8(high) as u32) << 32
        };
        let is = |byte: u8| {
            let wanted = _mm256_set1_epi8(byte as i8);
            both(_mm256_cmpeq_epi8(low, wanted), _mm256_cmpeq_epi8(high, wanted))
        };
        let bit = _mm256_set1_epi8(0x20);
        let lower = (_mm256_or_si256(low, bit), _mm256_or_si256(high, bit));
        let either = |byte: u8| {
            let wanted = _mm256_set1_epi8(byte as i8);
            both(_mm256_cmpeq_epi8(lower.0, wanted), _mm256_cmpeq_epi8(lower.1, wanted))
        };
        let last = _mm256_set1_epi8(0x1f);
        Masks {
            quote: is(b'"'),
            backslash: is(b'\\'),
            control: both(
                _mm256_cmpeq_epi8(_mm256_min_epu8(low, last), low),
                _mm256_cmpeq_epi8(_mm256_min_epu8(high, last), high),
            ),
            space: is(b' '),
            open: either(b'{'),
            close: either(b'}'),
            curly: both(_mm256_slli_epi16::<2>(low), _mm256_slli_epi16::<2>(high)),
            colon: is(b':'),
            comma: is(b','),
        }
    }

    /// Runs a scan with AVX2.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    pub(super) fn with_avx2<S: Scan>(scan: S) -> S::Outcome {
        scan.scan(|block| masks_avx2(block))
    }
}

/// Eight bytes at a time, as a number.
mod portable {
    use super::{BLOCK, Masks};

    /// As [`super::special`].
    ///
    /// In each byte of `marks` the highest bit says "special"; a borrow can set it in bytes above a
    /// special one, never below, so the lowest is right.
    pub(super) fn special(bytes: &[u8]) -> Option<usize> {
        const ONES: u64 = u64::from_le_bytes([1; 8]);
        const HIGH: u64 = ONES << 7;
        let mut words = bytes.chunks_exact(8);
        for (index, word) in words.by_ref().enumerate() {
            let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
            let quotes = word ^ (ONES * b'"' as u64);
            let backslashes = word ^ (ONES * b'\\' as u64);
            let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
            let marks = (below(quotes, 1) | below(backslashes, 1) | below(word, 0x20)) & HIGH;
            if marks != 0 {
                return Some(index * 8 + marks.trailing_zeros() as usize / 8);
            }
        }
        let rest = words.remainder();
        let found = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
        found.map(|at| bytes.len() - rest.len() + at)
    }

    /// The masks of a block, byte by byte.
    #[cfg_attr(
        all(target_arch = "x86_64", not(test)),
        expect(dead_code, reason = "what tests compare with")
    )]
    pub(super) fn masks(block: &[u8; BLOCK]) -> Masks {
        let all = |is: fn(u8) -> bool| {
            let bits = block.iter().enumerate().map(|(at, byte)| u64::from(is(*byte)) << at);
            bits.fold(0, |mask, bit| mask | bit)
        };
        Masks {
            quote: all(|byte| byte == b'"'),
            backslash: all(|byte| byte == b'\\'),
            control: all(|byte| byte < b' '),
            space: all(|byte| byte == b' '),
            open: all(|byte| matches!(byte, b'{' | b'[')),
            close: all(|byte| matches!(byte, b'}' | b']')),
            curly: all(|byte| byte & 0x20 != 0),
            colon: all(|byte| byte == b':'),
            comma: all(|byte| byte == b','),
        }
    }
}
