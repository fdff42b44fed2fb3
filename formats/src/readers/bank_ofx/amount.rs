//! Amounts of OFX (OFX 2.3 §3.2.9), read strictly: what is not certain is refused, with what was written.

use serde_json::Number;

use crate::entry::quoted;

/// Decimals a column of money has; zeros beyond carry nothing and are dropped, other digits are kept.
const MONEY_DECIMALS: usize = 4;

/// A number with the digits of the file: `-6.60`, `+0012,5`, `1,234.56`. Point and comma may both mark the
/// decimals; a lone one always does (the standard knows no grouping), a second one groups thousands.
pub(super) fn amount(name: &str, text: &str) -> Result<Number, String> {
    let refused = || format!("{name} {} is not an amount", quoted(text));
    let (sign, digits) = match text.trim().strip_prefix(['-', '+']) {
        Some(digits) if text.trim_start().starts_with('-') => ("-", digits),
        Some(digits) => ("", digits),
        None => ("", text.trim()),
    };
    let (whole, decimals) = split_decimals(digits).ok_or_else(refused)?;
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let decimals = trim_zeros(decimals);
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{decimals}")
        .parse()
        .map_err(|_| refused())
}

/// The digits before and after the decimal mark.
fn split_decimals(text: &str) -> Option<(String, &str)> {
    let (whole, mark, decimals) = match text.rfind(['.', ',']) {
        Some(at) => (text.get(..at)?, text.get(at..=at)?, text.get(at + 1..)?),
        None => (text, "", ""),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let grouping = if mark == "," { '.' } else { ',' };
    let mut groups = whole.split(grouping);
    let first = groups.next()?;
    let is_grouped = groups.all(|group| group.len() == 3 && is_digits(group));
    let is_number = is_grouped
        && is_digits(first)
        && is_digits(decimals)
        && !(whole.is_empty() && decimals.is_empty());
    let is_first_group = first.len() <= 3 || !whole.contains(grouping);
    (is_number && is_first_group).then(|| (whole.replace(grouping, ""), decimals))
}

fn trim_zeros(decimals: &str) -> &str {
    let significant = decimals.trim_end_matches('0').len();
    decimals
        .get(..significant.max(MONEY_DECIMALS))
        .unwrap_or(decimals)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn amounts_keep_their_digits() {
        let table = [
            ("-6.60", "-6.60"),
            ("+0000000000100.00000", "100.0000"),
            ("000000025.635000000", "25.6350"),
            ("0.123456", "0.123456"),
            ("-1234,5", "-1234.5"),
            ("1,234", "1.234"),
            ("1.234.567,89", "1234567.89"),
            ("-1,234.56", "-1234.56"),
            (".5", "0.5"),
            ("7.", "7"),
            (" 12 ", "12"),
            ("-0.00", "-0.00"),
        ];
        for (written, expected) in table {
            assert_eq!(
                amount("TRNAMT", written).unwrap().to_string(),
                expected,
                "{written}"
            );
        }
    }

    #[test]
    fn what_is_no_amount_is_refused_with_its_text() {
        for written in [
            "$120",
            "",
            "-",
            "12a",
            "1 234",
            "1,23.4",
            "1.2.3",
            "--5",
            "1e5",
            "1234,567.8",
            "٣",
        ] {
            let reason = amount("TRNAMT", written).unwrap_err();
            assert_eq!(reason, format!("TRNAMT `{written}` is not an amount"));
        }
    }

    proptest! {
        #[test]
        fn no_text_upsets_the_reader(text in "\\PC{0,24}") {
            let _ = amount("A", &text);
        }

        #[test]
        fn a_written_decimal_comes_back(whole in 0_u64..1_000_000_000, cents in 0_u8..100, is_out: bool) {
            let written = format!("{}{whole}.{cents:02}", if is_out { "-" } else { "" });
            prop_assert_eq!(amount("A", &written).unwrap().to_string(), written);
        }
    }
}
