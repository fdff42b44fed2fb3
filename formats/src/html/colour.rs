//! Colours of CSS and of attributes, and which look alike.

/// Colours look the same if red, green and blue each differ by at most this.
const ALIKE_MAX: u8 = 6;

/// The colour names that are used to hide text in mails; text in any other named colour counts as visible.
const NAMED: [(&str, [u8; 3]); 10] = [
    ("white", [255, 255, 255]),
    ("black", [0, 0, 0]),
    ("snow", [255, 250, 250]),
    ("ivory", [255, 255, 240]),
    ("whitesmoke", [245, 245, 245]),
    ("gray", [128, 128, 128]),
    ("grey", [128, 128, 128]),
    ("silver", [192, 192, 192]),
    ("red", [255, 0, 0]),
    ("blue", [0, 0, 255]),
];

/// A colour that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    /// Red, green, blue.
    Opaque([u8; 3]),
    /// What is behind it shows.
    Clear,
}

impl Colour {
    /// Reads a colour of CSS or of an attribute.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        if text == "transparent" {
            return Some(Self::Clear);
        }
        if let Some(digits) = text.strip_prefix('#') {
            return hexadecimal(digits);
        }
        if let Some(parts) = text.strip_prefix("rgb") {
            return parts_of(parts.trim_start_matches('a'));
        }
        let named = NAMED.iter().find(|(name, _)| *name == text);
        named.map(|(_, parts)| Self::Opaque(*parts))
    }

    /// Whether text of this colour cannot be told from the other behind it.
    pub(super) fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Opaque(one), Self::Opaque(other)) => one
                .iter()
                .zip(other)
                .all(|(one, other)| one.abs_diff(other) <= ALIKE_MAX),
            _ => false,
        }
    }
}

fn hexadecimal(digits: &str) -> Option<Colour> {
    let digit = |letter: char| {
        letter
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let digits: Vec<u8> = digits.chars().map(digit).collect::<Option<_>>()?;
    let parts: Vec<u8> = match digits.len() {
        3 | 4 => digits.iter().map(|digit| digit * 17).collect(),
        6 | 8 => digits
            .chunks(2)
            .map(|pair| pair.iter().fold(0, |sum, digit| sum * 16 + digit))
            .collect(),
        _ => return None,
    };
    match *parts.as_slice() {
        [_, _, _, 0] => Some(Colour::Clear),
        [red, green, blue] | [red, green, blue, 255] => Some(Colour::Opaque([red, green, blue])),
        _ => None,
    }
}

/// `(255, 255, 255)`, `(255 255 255 / 0)`
fn parts_of(text: &str) -> Option<Colour> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let words = inner.split([',', ' ', '/']).filter(|word| !word.is_empty());
    let parts: Vec<f64> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let [red, green, blue, ..] = *parts.as_slice() else {
        return None;
    };
    match parts.get(3) {
        Some(0.0) => return Some(Colour::Clear),
        Some(opacity) if *opacity < 1.0 => return None,
        _ => {}
    }
    let part = |number: f64| number.round().clamp(0.0, 255.0) as u8;
    Some(Colour::Opaque([part(red), part(green), part(blue)]))
}
