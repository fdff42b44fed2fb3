//! Statements without a header, as a few banks write them: columns known by their values alone.
//!
//! Any table may hold a date and a number, so more is asked than of a header: every row has a date, one amount with two
//! decimals and a text, some amount has a minus, and no second column could be the amount.

use super::amounts;
use super::dates::is_like_a_date;
use super::header::CsvHeader;
use super::role::Role;
use super::rows::CsvRow;

const COLUMNS_MIN: usize = 3;
const COLUMNS_MAX: usize = 64;
const DECIMALS: usize = 2;

/// The header that these rows, the first of their file, would have.
pub(super) fn header_of(rows: &[CsvRow]) -> Option<CsvHeader> {
    let rows: Vec<_> = rows.iter().filter(|row| !row.is_empty()).collect();
    let columns = rows.first()?.cells.len();
    let is_table = rows
        .iter()
        .all(|row| row.cells.len() == columns && !row.is_cut);
    if !is_table || !(COLUMNS_MIN..=COLUMNS_MAX).contains(&columns) {
        return None;
    }
    let is_all = |at: usize, is: fn(&str) -> bool| {
        let mut cells = rows.iter().filter_map(|row| row.cells.get(at));
        cells.all(|cell| is(cell))
    };
    let booked = (0..columns).find(|at| is_all(*at, is_like_a_date))?;
    let mut money = (0..columns).filter(|at| is_all(*at, is_money));
    let (amount, None) = (money.next()?, money.next()) else {
        return None;
    };
    let mut amounts = rows.iter().filter_map(|row| row.cells.get(amount));
    let has_minus = amounts.any(|cell| amounts::has_minus(cell) == Some(true));
    let letters = |at: usize| -> usize {
        let cells = rows.iter().filter_map(|row| row.cells.get(at));
        cells
            .map(|cell| cell.chars().filter(|char| char.is_alphabetic()).count())
            .sum()
    };
    let others = (0..columns).filter(|at| ![booked, amount].contains(at));
    let text = others
        .max_by_key(|at| letters(*at))
        .filter(|at| letters(*at) > 0)?;
    let roles = [
        (Role::Booked, booked),
        (Role::Amount, amount),
        (Role::Description, text),
    ];
    has_minus.then(|| CsvHeader::untitled(columns, &roles))
}

fn is_money(cell: &str) -> bool {
    let decimals = cell
        .trim()
        .rsplit_once(['.', ','])
        .map(|(_, decimals)| decimals);
    let is_fraction =
        |text: &str| text.len() == DECIMALS && text.bytes().all(|byte| byte.is_ascii_digit());
    amounts::has_minus(cell).is_some() && decimals.is_some_and(is_fraction) && !is_like_a_date(cell)
}
