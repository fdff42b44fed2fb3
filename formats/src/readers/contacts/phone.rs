//! Phone numbers in the form of E.164: those written with `+` or `00`, a country code in use and a possible
//! length. A number without its country code is never completed.

const DIGITS_MAX: usize = 15;
const NATIONAL_DIGITS_MIN: usize = 4;

/// The country codes that are in use, from first to last (ITU-T E.164, list of assigned codes).
const COUNTRY_CODES: [(u32, u32); 49] = [
    (1, 1),
    (7, 7),
    (20, 20),
    (27, 27),
    (30, 34),
    (36, 36),
    (39, 41),
    (43, 49),
    (51, 58),
    (60, 66),
    (81, 82),
    (84, 84),
    (86, 86),
    (90, 95),
    (98, 98),
    (211, 213),
    (216, 216),
    (218, 218),
    (220, 258),
    (260, 269),
    (290, 291),
    (297, 299),
    (350, 359),
    (370, 378),
    (380, 383),
    (385, 387),
    (389, 389),
    (420, 421),
    (423, 423),
    (500, 509),
    (590, 599),
    (670, 670),
    (672, 683),
    (685, 692),
    (800, 800),
    (808, 808),
    (850, 850),
    (852, 853),
    (855, 856),
    (870, 870),
    (878, 878),
    (880, 883),
    (886, 886),
    (888, 888),
    (960, 968),
    (970, 977),
    (979, 979),
    (992, 996),
    (998, 998),
];

/// How many digits follow the code, from least to most, where the limits of a country are known.
const NATIONAL_DIGITS: [(u32, usize, usize); 17] = [
    (1, 10, 10),
    (7, 10, 10),
    (20, 8, 10),
    (27, 9, 9),
    (31, 9, 11),
    (32, 8, 9),
    (33, 9, 9),
    (34, 9, 9),
    (41, 9, 12),
    (44, 7, 10),
    (45, 8, 8),
    (47, 5, 12),
    (48, 9, 9),
    (66, 8, 9),
    (91, 10, 10),
    (351, 9, 9),
    (420, 9, 12),
];

/// Countries whose numbers keep a leading zero after the code; elsewhere such a zero is a mistake.
const KEEPS_LEADING_ZERO: [u32; 5] = [39, 225, 241, 242, 378];

/// The number as `+` and its digits; `None` if that is not certain.
pub(super) fn e164(number: &str) -> Option<String> {
    let number = without_extension(number);
    let (number, has_optional_zero) = match number.contains("(0)") {
        true => (number.replacen("(0)", "", 1), true),
        false => (number, false),
    };
    let international = number
        .trim()
        .trim_start_matches(['(', '\u{200E}', '\u{202A}']);
    let international = international
        .strip_prefix('+')
        .or_else(|| international.strip_prefix("00"))?;
    let digits = digits_of(international)?;
    let (country, national) = split_country(&digits)?;
    let keeps_zero = KEEPS_LEADING_ZERO.contains(&country);
    if (national.starts_with('0') || has_optional_zero) && has_optional_zero == keeps_zero {
        return None;
    }
    let is_possible = keeps_zero || !national.starts_with('0');
    (is_possible && has_possible_length(country, national) && digits.len() <= DIGITS_MAX)
        .then(|| format!("+{digits}"))
}

/// The number without its extension, in lower case.
fn without_extension(number: &str) -> String {
    let lower = number.to_lowercase();
    let end = [";", ",", "ext", "x", "p", "w", "#", "durchwahl"]
        .iter()
        .filter_map(|mark| lower.find(mark))
        .min();
    let kept = end.and_then(|end| lower.get(..end).map(str::to_owned));
    kept.unwrap_or(lower)
}

/// The digits, if there is nothing else but grouping characters.
fn digits_of(text: &str) -> Option<String> {
    let mut digits = String::new();
    for character in text.chars() {
        match character {
            '0'..='9' => digits.push(character),
            '-' | '.' | '/' | '(' | ')' | '\u{2010}'..='\u{2015}' | '\u{200E}' | '\u{202C}' => {}
            blank if blank.is_whitespace() => {}
            _ => return None,
        }
    }
    Some(digits)
}

fn split_country(digits: &str) -> Option<(u32, &str)> {
    (1..=3).find_map(|length| {
        let (code, national) = digits.split_at_checked(length)?;
        let code: u32 = code.parse().ok()?;
        let is_known = COUNTRY_CODES
            .iter()
            .any(|(first, last)| (first..=last).contains(&&code));
        (is_known && !digits.starts_with('0')).then_some((code, national))
    })
}

fn has_possible_length(country: u32, national: &str) -> bool {
    let known = NATIONAL_DIGITS.iter().find(|(code, ..)| *code == country);
    let (least, most) = known.map_or((NATIONAL_DIGITS_MIN, DIGITS_MAX), |(_, least, most)| {
        (*least, *most)
    });
    (least..=most).contains(&national.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_is_a_number_of_the_world() {
        let table = [
            ("+49 (0)611 123456", Some("+49611123456")),
            ("0049 611/123456-11", Some("+4961112345611")),
            ("+1-418-656-9254 ext. 102", Some("+14186569254")),
            ("+1 (919) 676.9515", Some("+19196769515")),
            ("+39 06 6982", Some("+39066982")),
            ("+39 (0)6 6982", None),
            ("+49 (0611) 123456", None),
            ("(111) 555-1212", None),
            ("0611 123456", None),
            ("+49 BUSINESS", None),
            ("+...", None),
            ("+999 12345678", None),
            ("+1 234 567", None),
            ("+6666666", None),
            ("+49 12345678901234", None),
            ("011 49 611 123456", None),
            ("", None),
        ];
        for (number, expected) in table {
            assert_eq!(e164(number).as_deref(), expected, "{number}");
        }
    }
}
