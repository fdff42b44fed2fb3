//! What a column of a statement may hold.

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Role {
    Booked,
    Valued,
    Amount,
    Debit,
    Credit,
    /// Whether money came or went, where the amount has no sign.
    Direction,
    Currency,
    /// The other side of the transaction, or who is paid where a column of its own says who pays.
    Name,
    Payer,
    Account,
    Description,
    /// The bank's own key of the transaction.
    Key,
    Reference,
    Balance,
    Category,
    /// The account the statement is of.
    Own,
    Status,
    /// What the bank took for it, within the amount or besides.
    Fee,
    /// When it began, where that is another day than that of its booking.
    Started,
    /// A time of day, of the date in the column before it.
    Time,
    /// The zone of that time.
    Zone,
}
