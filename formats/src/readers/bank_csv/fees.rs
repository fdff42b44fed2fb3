//! The fee in a column of its own: whether it is part of the amount of its row or was paid besides.
//!
//! Banks do both, and the same title means both; `fee_evidence` decides which. Where it cannot, the amount is stored as
//! it is written, and the record reports a problem.

use rust_decimal::Decimal;
use serde_json::{Number, Value};

use super::amounts::amount;
use super::dialect::Dialect;
use super::money::is_zero;
use super::outline::CsvOutline;
use super::role::Role;
use super::rows::CsvRow;
use crate::entry::{RecordFields, quoted};

/// How the fees of a file relate to the amounts beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fees {
    /// The fee is part of the amount.
    Within,
    /// It is paid besides, and written without a minus.
    Subtracted,
    /// It is paid besides, and written with a minus.
    Added,
    /// Nothing in the file decides it.
    Undecided,
}

impl Fees {
    /// Sets the amount to the total moved, fee included.
    ///
    /// # Errors
    /// A sentence, when the fee cannot be read or nothing decides what it is.
    pub(super) fn apply(
        self,
        fields: &mut RecordFields,
        row: &CsvRow,
        dialect: &Dialect,
        outline: &CsvOutline,
    ) -> Result<(), String> {
        let Some(written) = dialect.cell(row, Role::Fee) else {
            return Ok(());
        };
        let title = dialect.header.title(Role::Fee);
        let is_besides = match self {
            Self::Within => return Ok(()),
            Self::Subtracted | Self::Added => true,
            Self::Undecided => false,
        };
        let fee = amount(written, outline.fee_decimals).map_err(|why| {
            format!("{title} {why}: the amount is stored as it is written, without it")
        })?;
        if is_zero(&fee) {
            return Ok(());
        }
        let moved = fields.get("amount").and_then(decimal);
        let moved = moved.zip(decimal(&Value::Number(fee)));
        let moved = moved.filter(|_| is_besides);
        let moved = moved.and_then(|(moved, fee)| self.total_moved(moved, fee));
        let moved = moved.and_then(|moved| moved.to_string().parse::<Number>().ok());
        let moved = moved.ok_or_else(|| {
            format!(
                "no balance of the file says whether {title} {} is part of the amount or was paid besides: the amount is \
                 stored as it is written",
                quoted(written)
            )
        })?;
        fields.insert("amount".to_owned(), Value::Number(moved));
        Ok(())
    }

    /// The total of an amount and its fee; `None` if it is too large.
    pub(super) fn total_moved(self, amount: Decimal, fee: Decimal) -> Option<Decimal> {
        match self {
            Self::Within | Self::Undecided => Some(amount),
            Self::Subtracted => amount.checked_sub(fee),
            Self::Added => amount.checked_add(fee),
        }
    }
}

/// A JSON number as an exact decimal.
pub(super) fn decimal(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => Decimal::from_str_exact(&number.to_string()).ok(),
        _ => None,
    }
}
