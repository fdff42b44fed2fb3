//! Account numbers, as statements of all formats write them.

/// How many of the last characters are shown.
const MASK_CHARACTERS: usize = 4;
const IBAN_CHARACTERS_MIN: usize = 15;
const IBAN_CHARACTERS_MAX: usize = 34;

/// The last letters and digits of a number.
pub(super) fn mask_of(number: &str) -> String {
    let characters: Vec<char> = number
        .chars()
        .filter(|character| character.is_alphanumeric())
        .collect();
    let hidden = characters.len().saturating_sub(MASK_CHARACTERS);
    characters.into_iter().skip(hidden).collect()
}

/// Two letters, two digits, and a number of the length that IBANs have (ISO 13616); the check digits are the bank's to get right.
pub(super) fn is_iban(text: &str) -> bool {
    let mut bytes = text.bytes();
    let is_begun = bytes
        .by_ref()
        .take(2)
        .filter(u8::is_ascii_uppercase)
        .count()
        == 2
        && bytes.by_ref().take(2).filter(u8::is_ascii_digit).count() == 2;
    is_begun
        && (IBAN_CHARACTERS_MIN..=IBAN_CHARACTERS_MAX).contains(&text.len())
        && bytes.all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_four_are_shown_whatever_stands_between_them() {
        assert_eq!(mask_of("12 34-56"), "3456");
        assert_eq!(mask_of("7"), "7");
    }

    #[test]
    fn an_iban_is_known_by_its_form() {
        assert!(is_iban("NL91ABNA0417164300") && is_iban("NO9386011117947"));
        for other in [
            "",
            "NL91",
            "nl91abna0417164300",
            "NL91ABNA041716430 0",
            "1291ABNA0417164300",
        ] {
            assert!(!is_iban(other), "{other}");
        }
    }
}
