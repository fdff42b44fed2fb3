//! Currencies as banks write them: codes, signs and words.

/// Signs that stand for one currency only; that of the dollar does not.
const SIGNS: [(&str, &str); 4] = [("€", "EUR"), ("£", "GBP"), ("₹", "INR"), ("₽", "RUB")];

/// A code of three capitals, or a sign or word that stands for one.
pub(super) fn parse_currency(text: &str) -> Option<String> {
    let sign = SIGNS
        .iter()
        .find(|(sign, _)| *sign == text)
        .map(|(_, code)| (*code).to_owned());
    let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_euro = ["EURO", "EUROS"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    sign.or_else(|| is_code.then(|| text.to_owned()))
        .or_else(|| is_euro.then(|| "EUR".to_owned()))
}

/// The currency whose sign stands beside an amount.
pub(super) fn currency_sign_in(text: &str) -> Option<String> {
    SIGNS
        .iter()
        .find(|(sign, _)| text.contains(sign))
        .map(|(_, code)| (*code).to_owned())
}
