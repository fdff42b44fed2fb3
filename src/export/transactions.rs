//! `transactions.csv` (RFC 4180): bookings under column titles that `sextant push` and other programs know.
//!
//! A text that begins with `= + - @`, a tab or a line end gets an apostrophe before it, as in the audit log's CSV: a spreadsheet would
//! otherwise run it as a formula. Amounts and dates have no such prefix. The table's own lines hold every text unchanged.

use serde_json::Value;
use sextant_actors::domain::Sector;

use super::ExportRequest;
use super::document::{Document, Section, text};

pub(super) const DOCUMENT: Document = Document {
    name: "transactions.csv",
    sector: Sector::Finance,
    head,
    sections: &[Section {
        sql: include_str!("../../sql/statements/export/transactions.sql"),
        write,
    }],
    foot: "",
};

/// The first characters of what a spreadsheet takes for a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];
/// The characters for which a cell is quoted.
const QUOTED: [char; 4] = ['"', ',', '\r', '\n'];

/// How a column is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Text,
    /// A number or date made by the service: never a formula.
    Figure,
}

const COLUMNS: [(&str, &str, Cell); 16] = [
    ("Booking date", "booked_on", Cell::Figure),
    ("Value date", "value_on", Cell::Figure),
    ("Amount", "amount", Cell::Figure),
    ("Currency", "currency", Cell::Text),
    ("Counterparty name", "counterparty_name", Cell::Text),
    ("Counterparty account", "counterparty_account", Cell::Text),
    ("Description", "description", Cell::Text),
    ("Merchant name", "merchant_name", Cell::Text),
    ("Category", "category", Cell::Text),
    ("Reference", "reference", Cell::Text),
    ("Status", "status", Cell::Text),
    ("Balance", "balance_after", Cell::Figure),
    ("Own account", "account", Cell::Text),
    ("Account name", "account_name", Cell::Text),
    ("Transacted at", "transacted_at", Cell::Figure),
    ("Transaction ID", "source_id", Cell::Text),
];

fn head(_: &ExportRequest) -> Vec<u8> {
    let titles: Vec<&str> = COLUMNS.iter().map(|(title, ..)| *title).collect();
    (titles.join(",") + "\r\n").into_bytes()
}

fn write(row: &Value, _: &ExportRequest, out: &mut Vec<u8>) {
    let cells = COLUMNS.map(|(_, name, cell)| {
        // A field without a value is an empty cell.
        let value = text(row, name).unwrap_or_default();
        quoted(value, cell)
    });
    out.extend_from_slice((cells.join(",") + "\r\n").as_bytes());
}

fn quoted(value: &str, cell: Cell) -> String {
    let mark = match cell {
        Cell::Text if value.starts_with(FORMULA) => "'",
        _ => "",
    };
    match value.contains(QUOTED) {
        true => format!("\"{mark}{}\"", value.replace('"', "\"\"")),
        false => format!("{mark}{value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_and_no_formula_while_amounts_stay_numbers() {
        assert_eq!(quoted("=1+1", Cell::Text), "'=1+1");
        assert_eq!(quoted("-a,\"b\"", Cell::Text), "\"'-a,\"\"b\"\"\"");
        assert_eq!(quoted("-12.50", Cell::Figure), "-12.50");
        assert_eq!(quoted("two\nlines", Cell::Text), "\"two\nlines\"");
    }
}
