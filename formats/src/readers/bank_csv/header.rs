//! What each column holds, known by its title.

use super::currency::parse_currency;
use super::role::Role;
use super::titles::TITLES;

/// What is made of these columns is not all that they say: their cells are kept as they are written, too.
const KEPT: [Role; 4] = [Role::Fee, Role::Started, Role::Time, Role::Zone];

/// Titles that only cards have on which charges are positive: what is owed grows.
const CARD_OF_CHARGES: [&str; 4] = [
    "card member",
    "purchased by",
    "appears on your statement as",
    "karteninhaber",
];
/// Titles of amounts that are without the fee beside them.
const NET: [&str; 2] = ["net", "netto"];
/// Titles that only statements of accounts have, most of them for a column that names one.
const ACCOUNTS: [&str; 5] = [
    "account",
    "account number",
    "account name",
    "sort code",
    "détail de l'écriture",
];

/// What the columns of a file hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CsvHeader {
    pub titles: Vec<String>,
    /// Each role with the place of its column.
    columns: Vec<(Role, usize)>,
    /// What a title says of the amounts under it: `Amount (EUR)`.
    pub currency: Option<String>,
    pub is_card_of_charges: bool,
    pub names_account: bool,
    /// The amount's title says that the fee is taken off already.
    pub is_net: bool,
}

impl CsvHeader {
    /// The header of a file by the titles of its columns.
    pub(super) fn from_titles(cells: &[String]) -> Self {
        let known: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
        let columns = TITLES.iter().filter_map(|(role, titles)| {
            let at = titles
                .split('|')
                .find_map(|title| known.iter().position(|cell| cell == title))?;
            Some((*role, at))
        });
        let has_any = |titles: &[&str]| known.iter().any(|cell| titles.contains(&cell.as_str()));
        let mut header = Self {
            titles: cells.to_vec(),
            columns: columns.collect(),
            currency: None,
            is_card_of_charges: has_any(&CARD_OF_CHARGES),
            names_account: has_any(&ACCOUNTS),
            is_net: false,
        };
        let amount = header.column(Role::Amount).and_then(|at| known.get(at));
        header.is_net = amount.is_some_and(|title| NET.contains(&title.as_str()));
        let money = [Role::Amount, Role::Debit, Role::Credit]
            .into_iter()
            .filter_map(|role| cells.get(header.column(role)?));
        header.currency = money.filter_map(|title| currency_in(title)).next();
        header
    }

    /// The header of a file without one: its columns are named by their numbers.
    pub(super) fn untitled(columns: usize, roles: &[(Role, usize)]) -> Self {
        Self {
            titles: (1..=columns)
                .map(|number| format!("column {number}"))
                .collect(),
            columns: roles.to_vec(),
            ..Self::default()
        }
    }

    /// The place of the column of this role.
    pub(super) fn column(&self, role: Role) -> Option<usize> {
        self.columns
            .iter()
            .find(|(known, _)| *known == role)
            .map(|(_, at)| *at)
    }

    /// Whether all that a column says is in fields of the record.
    pub(super) fn is_used(&self, at: usize) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|(role, used)| *used == at && !KEPT.contains(role))
    }

    /// The column's title, for reasons that refuse it.
    pub(super) fn title(&self, role: Role) -> &str {
        let title = self.column(role).and_then(|at| self.titles.get(at));
        title.map_or("", String::as_str)
    }

    pub(super) fn has_date(&self) -> bool {
        self.column(Role::Booked)
            .or_else(|| self.column(Role::Valued))
            .is_some()
    }

    pub(super) fn has_money(&self) -> bool {
        self.column(Role::Amount).is_some()
            || (self.column(Role::Debit).is_some() && self.column(Role::Credit).is_some())
    }
}

/// A title in lower case without what it says of its currency.
fn plain(title: &str) -> String {
    let lower = title.trim().trim_matches(['*', ':']).to_lowercase();
    let words = lower.split_whitespace().collect::<Vec<_>>().join(" ");
    match currency_in(title) {
        Some(_) => {
            let end = words.rfind(['(', ' ']).unwrap_or(words.len());
            let kept = words.get(..end).unwrap_or_default().trim_end();
            let bare = [" in", " en"]
                .iter()
                .find_map(|word| kept.strip_suffix(word));
            bare.unwrap_or(kept).trim_end().to_owned()
        }
        None => words,
    }
}

/// `EUR` of `Amount (EUR)`, `Betrag in EUR`, `Betrag (€)`.
fn currency_in(title: &str) -> Option<String> {
    let last = title
        .trim()
        .rsplit([' ', '('])
        .next()?
        .trim_end_matches(')');
    let has_other_words = last.len() < title.trim().len();
    parse_currency(last).filter(|_| has_other_words)
}

#[cfg(test)]
mod tests {
    use super::Role::{Amount, Balance, Booked};
    use super::*;

    #[test]
    fn titles_are_known_with_their_currency() {
        let titles = ["Buchungstag", "Betrag (EUR)", "Umsatz in EUR", "Saldo"].map(str::to_owned);
        let header = CsvHeader::from_titles(&titles);
        assert_eq!(
            (
                header.column(Booked),
                header.column(Amount),
                header.column(Balance)
            ),
            (Some(0), Some(1), Some(3))
        );
        assert_eq!(header.currency.as_deref(), Some("EUR"));
        assert_eq!(plain("Amount (£)"), "amount");
        assert_eq!(plain("Money Out"), "money out");
    }
}
