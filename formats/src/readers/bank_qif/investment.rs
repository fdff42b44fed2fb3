//! Records of investment accounts as records of `finance.transactions`: what moved money. The action says which way, since the amounts
//! of trades have no sign.

use super::records::QifRecord;
use super::transaction::{add_category, add_day};
use super::writing::QifWriting;
use crate::entry::{RecordFields, put, quoted};

/// Actions by which money goes. Those with an `X` at their end do the same, and move the money on at once.
const OUT: [&str; 7] = [
    "buy",
    "cvrshrt",
    "miscexp",
    "margint",
    "xout",
    "withdrwx",
    "rtrncapout",
];
/// Actions by which money comes.
const IN: [&str; 13] = [
    "sell", "shtsell", "div", "intinc", "cglong", "cgmid", "cgshort", "miscinc", "rtrncap", "xin",
    "contribx", "exercise", "cash",
];
/// Actions by which shares move and no money does.
const SHARES_ALONE: [&str; 12] = [
    "shrsin", "shrsout", "stksplit", "reinvdiv", "reinvint", "reinvlg", "reinvmd", "reinvsh",
    "grant", "vest", "expire", "reminder",
];
/// Actions as a category, where they are one.
const CATEGORIES: [(&str, &str); 2] = [("div", "dividend"), ("intinc", "interest")];

/// The record of what moved money.
///
/// # Errors
/// Why it is refused, as a sentence.
pub(super) fn map(record: &QifRecord, writing: &QifWriting) -> Result<RecordFields, String> {
    let action = record.get('N').ok_or("it has no action (N)")?;
    let word = action.to_lowercase();
    let plain = word.strip_suffix('x').unwrap_or(&word);
    let is_one_of = |words: &[&str]| words.contains(&&*word) || words.contains(&plain);
    if is_one_of(&SHARES_ALONE) {
        return Err(format!("{} moves shares and no money", quoted(action)));
    }
    let is_out = match (is_one_of(&OUT), is_one_of(&IN)) {
        (true, _) => true,
        (_, true) => false,
        _ => return Err(format!("the action {} is not known", quoted(action))),
    };
    let mut fields = RecordFields::new();
    let text = record
        .get('T')
        .or_else(|| record.get('U'))
        .or_else(|| record.get('$'));
    let text = text.ok_or("it has no amount (T)")?;
    // Cash keeps the sign that it is written with, as in other accounts.
    let written = match is_out {
        true => format!("-{}", text.trim_start_matches(['-', '+'])),
        false => text.to_owned(),
    };
    put(&mut fields, "amount", Some(writing.amount(&written)?));
    add_day(&mut fields, record, writing)?;
    let (security, memo) = (record.get('Y'), record.get('M').or_else(|| record.get('P')));
    let what = [Some(action), security, memo].into_iter().flatten();
    let what: Vec<&str> = what.collect();
    put(&mut fields, "description", Some(what.join(" / ")));
    put(&mut fields, "transaction_type", Some(word.clone()));
    let category = CATEGORIES.iter().find(|(name, _)| *name == plain);
    put(
        &mut fields,
        "category",
        category.map(|(_, category)| *category),
    );
    put(&mut fields, "security", security);
    for (letter, name) in [('Q', "quantity"), ('I', "price"), ('O', "commission")] {
        let number = record.get(letter);
        put(
            &mut fields,
            name,
            number.map(|text| writing.amount_or_text(text)),
        );
    }
    add_category(
        &mut fields,
        record.get('L').filter(|text| text.starts_with('[')),
    );
    Ok(fields)
}
