//! PostgreSQL's binary form of a `numeric`, read without loss: each number keeps the scale that it is stored with.

use std::fmt;

/// Decimal digits in one digit of the base 10,000.
const GROUP_DIGITS: usize = 4;
const HEAD_BYTES: usize = 8;
const POSITIVE: u16 = 0x0000;
const NEGATIVE: u16 = 0x4000;

/// A finite number. Its text is the one that PostgreSQL gives it, which is also its JSON.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numeric<'a> {
    is_negative: bool,
    /// The power of 10,000 that the first digit counts.
    weight: i16,
    /// Decimal digits behind the point.
    scale: u16,
    /// Digits of the base 10,000, two bytes each, the most significant first; trailing zeros are left out.
    digits: &'a [u8],
}

impl<'a> Numeric<'a> {
    /// Reads the bytes of a value: number of digits, weight, sign and scale of two bytes each, then the digits. `None` when they
    /// are another, or the value is no number (NaN, infinity).
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (head, digits) = bytes.split_first_chunk::<HEAD_BYTES>()?;
        let [n0, n1, w0, w1, s0, s1, d0, d1] = *head;
        let sign = u16::from_be_bytes([s0, s1]);
        let is_whole = digits.len() == 2 * usize::from(u16::from_be_bytes([n0, n1]));
        (is_whole && [POSITIVE, NEGATIVE].contains(&sign)).then_some(Self {
            is_negative: sign == NEGATIVE,
            weight: i16::from_be_bytes([w0, w1]),
            scale: u16::from_be_bytes([d0, d1]),
            digits,
        })
    }

    /// The digit that counts this power of 10,000.
    fn digit(&self, power: i32) -> u16 {
        let index = usize::try_from(i32::from(self.weight) - power).ok();
        let bytes = index.and_then(|index| self.digits.chunks_exact(2).nth(index));
        // Digits that are left out are zeros.
        match bytes {
            Some([high, low]) => u16::from_be_bytes([*high, *low]),
            _ => 0,
        }
    }
}

impl fmt::Display for Numeric<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_negative {
            formatter.write_str("-")?;
        }
        let first = i32::from(self.weight).max(0);
        write!(formatter, "{}", self.digit(first))?;
        for power in (0..first).rev() {
            write!(formatter, "{:04}", self.digit(power))?;
        }
        let mut left = usize::from(self.scale);
        let mut power = -1;
        if left > 0 {
            formatter.write_str(".")?;
        }
        while left > 0 {
            // The last group may be shown in part: its further digits are zeros.
            let (shown, divisor) = match left {
                1 => (1, 1000),
                2 => (2, 100),
                3 => (3, 10),
                _ => (GROUP_DIGITS, 1),
            };
            write!(formatter, "{:0shown$}", self.digit(power) / divisor)?;
            left -= shown;
            power -= 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: &[u16]) -> Option<String> {
        let bytes: Vec<u8> = number.iter().flat_map(|part| part.to_be_bytes()).collect();
        Numeric::read(&bytes).map(|numeric| numeric.to_string())
    }

    /// That PostgreSQL writes the same is tested against it in `tests/it/query/decimals.rs`.
    #[test]
    fn a_number_keeps_its_scale_and_what_is_none_is_refused() {
        let behind_point = u16::MAX;
        assert_eq!(text(&[2, 0, 0, 2, 1, 5000]).unwrap(), "1.50");
        assert_eq!(text(&[0, 0, 0, 4]).unwrap(), "0.0000");
        assert_eq!(text(&[1, 2, 0x4000, 0, 7]).unwrap(), "-700000000");
        assert_eq!(text(&[1, behind_point, 0, 5, 12]).unwrap(), "0.00120");
        for nan in [0xc000, 0xd000, 0xf000] {
            assert_eq!(text(&[0, 0, nan, 0]), None);
        }
        assert_eq!(text(&[2, 0, 0, 2, 1]), None);
        assert_eq!(text(&[2, 0, 0]), None);
    }
}
