//! Checks of how many rows a statement changed: every mutation says how many it must be, and another number is an error.

use super::error::StoreError;

/// Checks that `statement` changed exactly one row.
pub fn expect_one(statement: &'static str, found: u64) -> Result<(), StoreError> {
    expect_rows(statement, 1, found)
}

/// Checks that `statement` changed exactly `expected` rows.
pub fn expect_rows(statement: &'static str, expected: u64, found: u64) -> Result<(), StoreError> {
    if found == expected {
        return Ok(());
    }
    Err(StoreError::UnexpectedRows {
        statement,
        expected,
        found,
    })
}

/// Checks that `statement` changed at most one row, and returns whether it changed one.
pub fn expect_at_most_one(statement: &'static str, found: u64) -> Result<bool, StoreError> {
    match found {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(StoreError::UnexpectedRows {
            statement,
            expected: 1,
            found,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_number_of_rows_is_an_error_that_names_the_statement() {
        assert_eq!(expect_one("agents/revoke", 1), Ok(()));
        assert_eq!(expect_at_most_one("agents/revoke", 0), Ok(false));
        let error = expect_one("agents/revoke", 2).unwrap_err();
        assert_eq!(
            error.to_string(),
            "agents/revoke touched 2 rows instead of 1"
        );
        assert!(expect_at_most_one("agents/revoke", 2).is_err());
    }
}
