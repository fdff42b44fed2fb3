//! How many rows a statement touches or brings, and which columns: a caller says so, and anything else is an error, never an
//! empty answer.

use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

use super::error::StoreError;

/// The values of one row, from the first column to the last.
pub struct Cells<'row> {
    row: &'row Row,
    next: usize,
}

impl<'row> Cells<'row> {
    /// All of them.
    pub const fn of(row: &'row Row) -> Self {
        Self { row, next: 0 }
    }

    /// The next one.
    ///
    /// # Errors
    /// [`StoreError::Fault`] when there is none, or it is of another type.
    pub fn take<T: FromSql<'row>>(&mut self) -> Result<T, StoreError> {
        let value = self.row.try_get(self.next)?;
        self.next += 1;
        Ok(value)
    }

    /// Nothing is left.
    ///
    /// # Errors
    /// [`StoreError::Fault`] when a column was not taken.
    pub fn end(self) -> Result<(), StoreError> {
        if self.next == self.row.len() {
            return Ok(());
        }
        Err(StoreError::Fault {
            cause: format!("{} columns where {} were read", self.row.len(), self.next),
        })
    }
}

/// The row of a statement that brings exactly one.
///
/// # Errors
/// [`StoreError::UnexpectedRows`] when it brought another number.
pub fn only<'rows, T>(statement: &'static str, rows: &'rows [T]) -> Result<&'rows T, StoreError> {
    match rows {
        [row] => Ok(row),
        _ => Err(StoreError::UnexpectedRows {
            statement,
            expected: 1,
            found: rows.len() as u64,
        }),
    }
}

/// The value of a statement that brings exactly one, in one row.
///
/// # Errors
/// As [`only`] and [`Cells`].
pub fn only_value<'rows, T: FromSql<'rows>>(
    statement: &'static str,
    rows: &'rows [Row],
) -> Result<T, StoreError> {
    let mut cells = Cells::of(only(statement, rows)?);
    let value = cells.take()?;
    cells.end()?;
    Ok(value)
}

/// A number of things, which PostgreSQL counts in signed numbers.
///
/// # Errors
/// [`StoreError::Fault`] when it is below zero.
pub fn count(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::Fault {
        cause: "a count below zero".to_owned(),
    })
}

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

    #[test]
    fn no_row_and_a_second_one_are_no_row() {
        assert_eq!(only("a/read", &[7]), Ok(&7));
        for rows in [&[][..], &[7, 8]] {
            assert!(only("a/read", rows).is_err(), "{rows:?}");
        }
        assert_eq!(count(3), Ok(3));
        assert!(count(-1).is_err());
    }
}
