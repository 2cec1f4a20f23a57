//! Numbers that look random and are the same each time.

/// A splitmix64 generator.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ stream);
        random.next();
        Self(random.next() ^ stream.wrapping_mul(0xD6E8_FEB8_6659_FD93))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }

    pub fn text(&mut self, letters: &[u8], length: usize) -> String {
        (0..length)
            .map(|_| char::from(letters[self.below(letters.len() as u64) as usize]))
            .collect()
    }

    pub fn uuid(&mut self) -> String {
        let [a, b, c, d, e] = [8, 4, 4, 4, 12].map(|length| self.text(super::HEX, length));
        format!("{a}-{b}-{c}-{d}-{e}")
    }
}
