//! For which tables `--create` makes a connection, and the label it gives it. Pure.

use crate::catalog::{self, Table};

/// The table of a record, if a connection can be made for it.
pub(crate) fn pushable(target: &str) -> Option<&'static Table> {
    catalog::by_target(target).filter(|table| table.is_pushable())
}

/// What a connection is called in the Console: `Mail from files`, `Finance accounts from files`.
pub(crate) fn label(table: &Table) -> String {
    let sector = table.sector.name();
    let mut letters = sector.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let sector: String = first.into_iter().chain(letters).collect();
    let is_main = catalog::push_default(table.sector).is_some_and(|main| main.name == table.name);
    match is_main {
        true => format!("{sector} from files"),
        false => format!("{sector} {} from files", table.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_names_the_sector_and_what_is_not_its_main_table() {
        let label = |target| label(pushable(target).unwrap());
        assert_eq!(label("mail.messages"), "Mail from files");
        assert_eq!(label("finance.accounts"), "Finance accounts from files");
        for target in ["mail.threads", "mail", "stars.bright"] {
            assert!(pushable(target).is_none(), "{target}");
        }
    }
}
