//! What the balances of a file prove about its fees.
//!
//! Where a row has the balance after it, the balance before it (that of the previous row, or of the next if the newest
//! row is the first) proves whether the fee is part of the amount; one proof is valid for the file. An amount whose title
//! says that it is net is not changed.

use std::collections::HashMap;
use std::io::{self, BufRead};

use rust_decimal::Decimal;
use serde_json::Value;

use super::amounts::amount;
use super::dialect::Dialect;
use super::fees::{Fees, decimal};
use super::outline::CsvOutline;
use super::role::Role;
use super::row;
use super::rows::{CsvRow, CsvRows};

/// The most pairs of account and currency whose balances are followed.
const CHAINS_MAX: usize = 256;

/// Reads the rows once more, if there is a column of fees, and decides what the fees are.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn decide_fees<R: BufRead>(
    dialect: &Dialect,
    outline: &CsvOutline,
    rows: impl FnOnce() -> io::Result<CsvRows<R>>,
) -> io::Result<Fees> {
    if dialect.header.column(Role::Fee).is_none() || dialect.header.is_net {
        return Ok(Fees::Within);
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

/// The amount and the fee of one row, and the balance after it.
#[derive(Debug, Clone, Copy)]
struct BalanceStep {
    amount: Decimal,
    fee: Decimal,
    after: Decimal,
}

impl BalanceStep {
    /// Whether `before`, the amount and the fee add up to the balance after the row.
    fn leads_from(&self, before: Decimal, fees: Fees) -> bool {
        let moved = fees.total_moved(self.amount, self.fee);
        moved.and_then(|moved| before.checked_add(moved)) == Some(self.after)
    }
}

/// The account and the currency of a row, and its step; `None` if the row lacks one of the numbers, so that it proves
/// nothing. The pass over the records reports rows that cannot be read.
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

/// What the rows read so far say about the fees.
#[derive(Debug, Default)]
struct FeeEvidence {
    /// The last row of each account and currency.
    last: HashMap<String, BalanceStep>,
    has_fees: bool,
    /// How many rows fit, if the oldest row is the first of the file, and if the newest is.
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
