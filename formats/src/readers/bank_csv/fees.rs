//! Whether a fee that stands in a column of its own is within the amount of its row or was paid besides.
//!
//! Banks do both, and the same title means both. Where a row tells the balance after it, the balance before it (that of
//! the row before, or behind, as the file goes) proves which; one proof holds for the file. An amount whose title says
//! that it is net is left alone. Where nothing proves it, the amount is stored as it is written, and the record says so.

use std::collections::HashMap;
use std::io::{self, BufRead};

use rust_decimal::Decimal;
use serde_json::{Number, Value};

use super::amounts::amount;
use super::dialect::Dialect;
use super::money::is_zero;
use super::outline::CsvOutline;
use super::role::Role;
use super::row;
use super::rows::{CsvRow, CsvRows};
use crate::entry::{RecordFields, quoted};

/// The most pairs of account and currency whose balances are followed.
const CHAINS_MAX: usize = 256;

/// What the amounts of a file are to the fees beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fees {
    /// The fee is part of the amount.
    Within,
    /// It is paid besides, and written without a minus.
    Subtracted,
    /// It is paid besides, and written with one.
    Added,
    /// Nothing in the file decides it.
    Undecided,
}

impl Fees {
    /// Reads the rows once more, if there is a column of fees.
    pub(super) fn read<R: BufRead>(
        dialect: &Dialect,
        outline: &CsvOutline,
        rows: impl FnOnce() -> io::Result<CsvRows<R>>,
    ) -> io::Result<Self> {
        if dialect.header.column(Role::Fee).is_none() || dialect.header.is_net {
            return Ok(Self::Within);
        }
        let mut evidence = FeeEvidence::default();
        for row in rows()? {
            let row = row?;
            if dialect.is_entry(&row)
                && let Some((chain, step)) = step(&row, dialect, outline)
            {
                evidence.add(chain, step);
            }
        }
        Ok(evidence.decide())
    }

    /// Sets the amount to the total moved, fee included.
    ///
    /// # Errors
    /// Why that cannot be said, as a sentence.
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

    fn total_moved(self, amount: Decimal, fee: Decimal) -> Option<Decimal> {
        match self {
            Self::Within | Self::Undecided => Some(amount),
            Self::Subtracted => amount.checked_sub(fee),
            Self::Added => amount.checked_add(fee),
        }
    }
}

/// What one row says of its balance.
#[derive(Debug, Clone, Copy)]
struct BalanceStep {
    amount: Decimal,
    fee: Decimal,
    after: Decimal,
}

impl BalanceStep {
    /// Whether it leads from one balance to its own, if the fee is this to the amount.
    fn leads_from(&self, before: Decimal, fees: Fees) -> bool {
        let moved = fees.total_moved(self.amount, self.fee);
        moved.and_then(|moved| before.checked_add(moved)) == Some(self.after)
    }
}

/// The account and the currency that a row is of, and its step.
fn step(row: &CsvRow, dialect: &Dialect, outline: &CsvOutline) -> Option<(String, BalanceStep)> {
    let fields = row::map(row, dialect, outline).ok()?;
    let written = dialect.cell(row, Role::Fee);
    let fee = written.map(|written| amount(written, outline.fee_decimals).ok());
    let fee = fee.unwrap_or_else(|| Some(0.into()))?;
    let step = BalanceStep {
        amount: decimal(fields.get("amount")?)?,
        fee: decimal(&Value::Number(fee))?,
        after: decimal(fields.get("balance_after")?)?,
    };
    let own = dialect.cell(row, Role::Own).unwrap_or_default();
    let currency = fields.get("currency").and_then(Value::as_str);
    Some((format!("{own}/{}", currency.unwrap_or_default()), step))
}

fn decimal(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => Decimal::from_str_exact(&number.to_string()).ok(),
        _ => None,
    }
}

/// How many rows fit each meaning of the fee, in one order of rows.
#[derive(Debug, Default)]
struct ReadingCounts {
    /// Rows without a fee: they prove only the order of rows.
    plain: u64,
    within: u64,
    subtracted: u64,
    added: u64,
}

impl ReadingCounts {
    fn add(&mut self, step: &BalanceStep, before: Decimal) {
        let counts = [
            (Fees::Within, &mut self.within),
            (Fees::Subtracted, &mut self.subtracted),
            (Fees::Added, &mut self.added),
        ];
        if step.fee.is_zero() {
            self.plain += u64::from(step.leads_from(before, Fees::Within));
            return;
        }
        for (fees, count) in counts {
            *count += u64::from(step.leads_from(before, fees));
        }
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            plain: self.plain + other.plain,
            within: self.within + other.within,
            subtracted: self.subtracted + other.subtracted,
            added: self.added + other.added,
        }
    }
}

#[derive(Debug, Default)]
struct FeeEvidence {
    /// The row before, of each account and currency.
    last: HashMap<String, BalanceStep>,
    has_fees: bool,
    /// How the rows fit if the oldest stands first, and if the newest does.
    oldest_first: ReadingCounts,
    newest_first: ReadingCounts,
}

impl FeeEvidence {
    fn add(&mut self, chain: String, step: BalanceStep) {
        self.has_fees |= !step.fee.is_zero();
        if self.last.len() >= CHAINS_MAX && !self.last.contains_key(&chain) {
            self.last.clear();
        }
        if let Some(before) = self.last.insert(chain, step) {
            self.oldest_first.add(&step, before.after);
            self.newest_first.add(&before, step.after);
        }
    }

    fn decide(&self) -> Fees {
        let counts = match self.oldest_first.plain.cmp(&self.newest_first.plain) {
            std::cmp::Ordering::Greater => &self.oldest_first,
            std::cmp::Ordering::Less => &self.newest_first,
            std::cmp::Ordering::Equal => &self.oldest_first.plus(&self.newest_first),
        };
        match (counts.within, counts.subtracted, counts.added) {
            (1.., 0, 0) => Fees::Within,
            (0, 1.., 0) => Fees::Subtracted,
            (0, 0, 1..) => Fees::Added,
            _ => Fees::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(steps: &[(i64, i64, i64)]) -> Fees {
        let read = |steps: &mut dyn Iterator<Item = &(i64, i64, i64)>| {
            let mut evidence = FeeEvidence::default();
            for (amount, fee, after) in steps {
                let [amount, fee, after] =
                    [amount, fee, after].map(|number| Decimal::from(*number));
                evidence.add(String::new(), BalanceStep { amount, fee, after });
            }
            evidence.decide()
        };
        let fees = read(&mut steps.iter());
        assert_eq!(
            fees,
            read(&mut steps.iter().rev()),
            "a file goes either way"
        );
        fees
    }

    #[test]
    fn balances_prove_what_a_fee_is_to_its_amount() {
        let start = (-10, 0, 90);
        assert_eq!(decided(&[start, (-5, 1, 84)]), Fees::Subtracted);
        assert_eq!(decided(&[start, (-5, 1, 85)]), Fees::Within);
        assert_eq!(decided(&[start, (50, -1, 139)]), Fees::Added);
        assert_eq!(decided(&[start, (-5, 1, 70)]), Fees::Undecided);
        assert_eq!(decided(&[start, (-5, 1, 84), (-5, 1, 79)]), Fees::Undecided);
        assert_eq!(decided(&[(-5, 1, 84)]), Fees::Undecided);
    }

    #[test]
    fn which_way_a_file_goes_is_told_by_its_other_rows() {
        // Read from its end, the last two would prove that the fee is within.
        let steps = [(-10, 0, 90), (-20, 0, 70), (-5, 1, 64), (5, 0, 69)];
        assert_eq!(decided(&steps), Fees::Subtracted);
    }
}
