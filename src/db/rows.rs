//! The one reader of rows: a caller says how many rows a statement changes or brings, how many columns each row has and of which
//! types. Anything else is an error that names the statement, never an empty or a shifted value.
//!
//! A row of a few columns is destructured as a tuple ([`columns`]); a wide one, or one whose columns are known at run time only,
//! is taken cell by cell ([`Cells`]).

use std::error::Error;

use tokio_postgres::types::{FromSql, Type};
use tokio_postgres::{Column, Row};

use super::error::StoreError;
use super::statement_error::StatementError;

/// The columns of a whole row, as a tuple of their types. A NULL is an error unless the type is an `Option`.
pub trait Columns<'row>: Sized {
    /// How many columns the row has.
    const NUMBER: usize;

    /// Reads all of them.
    ///
    /// # Errors
    /// The driver's, when one is of another type.
    fn read(row: &'row Row) -> Result<Self, tokio_postgres::Error>;
}

macro_rules! columns_of_tuple {
    ($number:literal: $($column:ident $index:literal),+) => {
        impl<'row, $($column: FromSql<'row>),+> Columns<'row> for ($($column,)+) {
            const NUMBER: usize = $number;

            fn read(row: &'row Row) -> Result<Self, tokio_postgres::Error> {
                Ok(($(row.try_get::<_, $column>($index)?,)+))
            }
        }
    };
}

columns_of_tuple!(1: A 0);
columns_of_tuple!(2: A 0, B 1);
columns_of_tuple!(3: A 0, B 1, C 2);
columns_of_tuple!(4: A 0, B 1, C 2, D 3);
columns_of_tuple!(5: A 0, B 1, C 2, D 3, E 4);
columns_of_tuple!(6: A 0, B 1, C 2, D 3, E 4, F 5);
columns_of_tuple!(7: A 0, B 1, C 2, D 3, E 4, F 5, G 6);

/// Destructures a row of `statement`, as the start does, whose errors quote the driver's.
///
/// # Errors
/// When the row has another number of columns, or one is of another type.
pub(super) fn destructure<'row, T: Columns<'row>>(
    statement: &'static str,
    row: &'row Row,
) -> Result<T, StatementError> {
    if row.len() != T::NUMBER {
        return Err(StatementError::Shape {
            statement,
            fault: another_number(row.len(), T::NUMBER),
        });
    }
    Ok(T::read(row)?)
}

/// Destructures a row of `statement`: as many columns as the tuple has, each of its type.
///
/// # Errors
/// [`StoreError::Fault`] when the row has another number of columns, or one is of another type.
pub fn columns<'row, T: Columns<'row>>(
    statement: &'static str,
    row: &'row Row,
) -> Result<T, StoreError> {
    Ok(destructure(statement, row)?)
}

/// The value of a row of `statement` with a single column.
///
/// # Errors
/// As [`columns`].
pub fn column<'row, T: FromSql<'row>>(
    statement: &'static str,
    row: &'row Row,
) -> Result<T, StoreError> {
    let (value,) = columns(statement, row)?;
    Ok(value)
}

fn another_number(found: usize, read: usize) -> String {
    format!("{found} columns where {read} are read")
}

/// The values of one row, from the first column to the last.
pub struct Cells<'row> {
    statement: &'static str,
    row: &'row Row,
    next: usize,
}

impl<'row> Cells<'row> {
    /// All cells of a row of `statement`.
    pub const fn of(statement: &'static str, row: &'row Row) -> Self {
        Self {
            statement,
            row,
            next: 0,
        }
    }

    /// The next value.
    ///
    /// # Errors
    /// [`StoreError::Fault`] when there is none, or it is of another type.
    pub fn take<T: FromSql<'row>>(&mut self) -> Result<T, StoreError> {
        if self.next >= self.row.len() {
            return Err(self.fault(&another_number(self.row.len(), self.next + 1)));
        }
        let value = self.row.try_get(self.next)?;
        self.next += 1;
        Ok(value)
    }

    /// The next value, whose column must have this name: for a row with several columns of one type.
    ///
    /// # Errors
    /// As [`Self::take`], and when the column has another name.
    pub fn named<T: FromSql<'row>>(&mut self, name: &str) -> Result<T, StoreError> {
        let column = self.row.columns().get(self.next);
        match column.map(Column::name) {
            Some(found) if found != name => {
                Err(self.fault(&format!("column {found} where {name} is read")))
            }
            _ => self.take(),
        }
    }

    /// The bytes of the next value in PostgreSQL's binary form, without a copy; `None` for NULL.
    ///
    /// # Errors
    /// As [`Self::take`], and when the column is not of exactly this type.
    pub fn take_raw(&mut self, sql_type: &Type) -> Result<Option<&'row [u8]>, StoreError> {
        let column = self.row.columns().get(self.next);
        match column.map(Column::type_) {
            Some(found) if found != sql_type => {
                Err(self.fault(&format!("a {found} where a {sql_type} is read")))
            }
            _ => Ok(self
                .take::<Option<RawValue>>()?
                .map(|RawValue(bytes)| bytes)),
        }
    }

    /// How many bytes all values of the row take in PostgreSQL's own message.
    pub fn row_bytes(&self) -> usize {
        self.row.raw_size_bytes()
    }

    /// Passes over the next `number` values.
    pub const fn skip(&mut self, number: usize) {
        self.next += number;
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// [`StoreError::Fault`] when a column was not taken.
    pub fn end(self) -> Result<(), StoreError> {
        if self.next == self.row.len() {
            return Ok(());
        }
        Err(self.fault(&another_number(self.row.len(), self.next)))
    }

    fn fault(&self, fault: &str) -> StoreError {
        StoreError::Fault {
            cause: format!("{}: {fault}", self.statement),
        }
    }
}

/// The bytes of a value of any type.
struct RawValue<'row>(&'row [u8]);

impl<'row> FromSql<'row> for RawValue<'row> {
    fn from_sql(_: &Type, bytes: &'row [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(bytes))
    }

    fn accepts(_: &Type) -> bool {
        true
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
/// As [`only`] and [`columns`].
pub fn only_value<'rows, T: FromSql<'rows>>(
    statement: &'static str,
    rows: &'rows [Row],
) -> Result<T, StoreError> {
    column(statement, only(statement, rows)?)
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
