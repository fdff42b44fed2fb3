//! `:86:`: who, what for and under which reference, as far as the bank names the parts.
//!
//! Three ways are known: numbered parts (`166?00TRANSFER?20EREF+7?32NAME`, of German and many other banks), named parts
//! (`/EREF/7/NAME/…/REMI/…`, of Dutch banks), and words. Words are the description, whole.

use super::tagged::{self, DetailPart};
use crate::readers::account_number::is_iban;

/// The most characters of a numbered part of the purpose: one that is full is cut in the middle of a word.
const PURPOSE_CHARACTERS: usize = 27;

/// What is said of a booking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mt940Details {
    /// What the bank calls it, as `SEPA-LASTSCHRIFT`.
    pub title: Option<String>,
    pub purpose: Option<String>,
    pub name: Option<String>,
    pub account: Option<String>,
    pub reference: Option<String>,
}

/// Takes the text of a `:86:` apart.
pub(super) fn details(text: &str) -> Mt940Details {
    let joined = text.replace('\n', "");
    if let Some(separator) = separator_of_parts(&joined) {
        return numbered(&joined, separator);
    }
    let named = tagged::slashed(&joined);
    if named.is_empty() {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        return Mt940Details {
            purpose: filled(words),
            ..Mt940Details::default()
        };
    }
    let mut own = Mt940Details::default();
    own.take(named);
    own
}

/// The sign before each number, where the text has numbered parts: a code of three digits, the sign, and the first number.
fn separator_of_parts(text: &str) -> Option<char> {
    let (code, rest) = text.split_at_checked(3)?;
    let separator = rest.chars().next()?;
    let number = rest.get(separator.len_utf8()..)?.get(..2)?;
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_sign = separator.is_ascii_punctuation() && separator != ',';
    (is_sign && is_digits(code) && is_digits(number)).then_some(separator)
}

fn numbered(text: &str, separator: char) -> Mt940Details {
    let mut own = Mt940Details::default();
    let (mut purpose, mut name) = (Vec::new(), String::new());
    for part in text.split(separator).skip(1) {
        let Some((number, value)) = part.split_at_checked(2) else {
            continue;
        };
        match number.parse() {
            Ok(0_u8) => own.title = filled(value.to_owned()),
            Ok(20..=29 | 60..=63) => purpose.push(value),
            Ok(31) => own.account = filled(value.to_owned()),
            Ok(32 | 33) => name.push_str(value),
            _ => {}
        }
    }
    own.name = filled(name);
    let purpose = joined(&purpose);
    let named = tagged::with_plus(&purpose);
    match named.is_empty() {
        true => own.purpose = filled(purpose),
        false => own.take(named),
    }
    own
}

/// The parts of a purpose as one text: after a part that is full without a space, since words are cut there.
fn joined(parts: &[&str]) -> String {
    let mut text = String::new();
    let mut was_full = true;
    for part in parts {
        if !was_full {
            text.push(' ');
        }
        text.push_str(part);
        was_full = part.chars().count() >= PURPOSE_CHARACTERS;
    }
    text
}

impl Mt940Details {
    fn take(&mut self, parts: Vec<(DetailPart, String)>) {
        for (part, value) in parts {
            let value = filled(value);
            match part {
                DetailPart::Reference => {
                    self.reference = value
                        .filter(|own| own != "NOTPROVIDED")
                        .or(self.reference.take());
                }
                DetailPart::Purpose => self.purpose = value.or(self.purpose.take()),
                DetailPart::Name => self.name = value.or(self.name.take()),
                DetailPart::Account => self.account = value.or(self.account.take()),
                DetailPart::Title => self.title = value.or(self.title.take()),
                DetailPart::Counterparty => {
                    self.take_counterparty(value.as_deref().unwrap_or_default())
                }
                DetailPart::Other => {}
            }
        }
    }

    /// `IBAN/BIC/name/place`.
    fn take_counterparty(&mut self, text: &str) {
        let mut parts = text.split('/').map(str::trim);
        let account = parts.next().filter(|account| is_iban(account));
        self.account = account.map(str::to_owned).or(self.account.take());
        let name = parts.nth(1).unwrap_or_default();
        self.name = filled(name.to_owned()).or(self.name.take());
    }
}

fn filled(text: String) -> Option<String> {
    let trimmed = text.trim();
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn numbered_parts_are_taken_by_their_numbers() {
        let text = "166?00GUTSCHRIFT?109310?20EREF+RE-2026-7?21SVWZ+Miete Januar fuer die W\n?22ohnung am Markt?30BYLADEM1001?31DE02120300000000202051?32ERIKA MUST?33ERMANN?34000";
        assert_eq!(
            details(text),
            Mt940Details {
                title: some("GUTSCHRIFT"),
                purpose: some("Miete Januar fuer die Wohnung am Markt"),
                name: some("ERIKA MUSTERMANN"),
                account: some("DE02120300000000202051"),
                reference: some("RE-2026-7"),
            }
        );
        let text = "005?00LASTSCHRIFT?20Strom Abschlag 01/26 Kunden?21nummer 4711";
        let purpose = "Strom Abschlag 01/26 Kundennummer 4711";
        assert_eq!(details(text).purpose, some(purpose));
    }

    #[test]
    fn named_parts_are_taken_by_their_names() {
        let text = "/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/J. Jans\nen/REMI/Factuur 12/EREF/NOTPROVIDED";
        assert_eq!(
            details(text),
            Mt940Details {
                title: some("SEPA OVERBOEKING"),
                purpose: some("Factuur 12"),
                name: some("J. Jansen"),
                account: some("NL91ABNA0417164300"),
                reference: None,
            }
        );
        let text = "/EREF/E-7//CNTP/NL32INGB0000012345/INGBNL2A/Bakker BV///REMI/USTD//Brood/";
        let own = details(text);
        assert_eq!(own.account, some("NL32INGB0000012345"));
        assert_eq!(own.name, some("Bakker BV"));
        assert_eq!((own.purpose, own.reference), (some("Brood"), some("E-7")));
    }

    #[test]
    fn words_are_the_purpose_whole() {
        let own = details("CARD PAYMENT 12/31\n  CORNER SHOP");
        assert_eq!(own.purpose, some("CARD PAYMENT 12/31 CORNER SHOP"));
        assert_eq!(own.name, None);
        assert_eq!(details(" \n"), Mt940Details::default());
    }

    proptest! {
        #[test]
        fn any_text_is_taken(text in "(\\PC|[0-9?/+]|EREF|\n){0,60}") {
            let _ = details(&text);
            let _ = details(&format!("166?00{text}"));
            let _ = details(&format!("/EREF/{text}"));
        }
    }
}
