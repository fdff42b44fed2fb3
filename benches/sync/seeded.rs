//! Numbers and words by chance, the same in each run.

/// Words of made-up texts.
const WORDS: [&str; 24] = [
    "meeting", "invoice", "tomorrow", "please", "the", "and", "report", "quarter", "with", "for",
    "train", "ticket", "of", "attached", "thanks", "garden", "project", "question", "about",
    "station", "number", "your", "order", "in",
];

/// SplitMix64.
pub struct Chance(u64);

impl Chance {
    /// Another series of numbers for each seed.
    pub const fn of(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_F491_4F6C_DD1D))
    }

    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Less than `end`.
    pub const fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub fn word(&mut self) -> &'static str {
        let count = u64::try_from(WORDS.len()).unwrap();
        let place = usize::try_from(self.below(count)).unwrap();
        WORDS.get(place).unwrap()
    }

    /// So many words, the lines ended by `end`.
    pub fn words(&mut self, count: u64, end: &str) -> String {
        let mut text = String::new();
        for place in 1..=count {
            text.push_str(self.word());
            text.push_str(if place % 10 == 0 { end } else { " " });
        }
        text
    }

    /// So many lines of 76 characters that do not compress, as base64 has them.
    pub fn base64(&mut self, lines: u64) -> String {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for _ in 0..lines {
            let (mut bits, mut left) = (0, 0);
            for _ in 0..76 {
                if left == 0 {
                    (bits, left) = (self.next(), 10);
                }
                let digit = DIGITS.get(usize::try_from(bits & 63).unwrap());
                text.push(char::from(*digit.unwrap()));
                (bits, left) = (bits >> 6, left - 1);
            }
            text.push_str("\r\n");
        }
        text
    }
}
