//! The names of the elements that give an OFX file its structure, and which of them ends which.

/// Lists whose elements are entries, and that of the securities.
pub(super) const TRADES: &str = "INVTRANLIST";
pub(super) const POSITIONS: &str = "INVPOSLIST";
pub(super) const ORDERS: &str = "INVOOLIST";
pub(super) const SECURITIES: &str = "SECLIST";
pub(super) const LISTS: [&str; 4] = [TRADES, POSITIONS, ORDERS, SECURITIES];
/// Children of those lists that are no entries.
pub(super) const NO_ENTRIES: [&str; 3] = ["DTSTART", "DTEND", "INVBANKTRAN"];
const TRANSACTIONS: [&str; 3] = ["STMTTRN", "STMTTRNP", "LOANSTMTTRN"];
/// Elements that are statements, and those that hold one as the answer to a request.
pub(super) const STATEMENTS: [&str; 4] = ["STMTRS", "CCSTMTRS", "INVSTMTRS", "LOANSTMTRS"];
pub(super) const ANSWERS: [&str; 4] = ["STMTTRNRS", "CCSTMTTRNRS", "INVSTMTTRNRS", "LOANSTMTTRNRS"];

/// Trades and positions by the names the standard gives them (OFX 2.3 §13.9): a list may hold others as well.
const HOLDINGS_AND_TRADES: [&str; 25] = [
    "BUYDEBT",
    "BUYMF",
    "BUYOPT",
    "BUYOTHER",
    "BUYSTOCK",
    "CLOSUREOPT",
    "INCOME",
    "INVEXPENSE",
    "JRNLFUND",
    "JRNLSEC",
    "MARGININTEREST",
    "REINVEST",
    "RETOFCAP",
    "SELLDEBT",
    "SELLMF",
    "SELLOPT",
    "SELLOTHER",
    "SELLSTOCK",
    "SPLIT",
    "TRANSFER",
    "POSDEBT",
    "POSMF",
    "POSOPT",
    "POSOTHER",
    "POSSTOCK",
];

/// Parts of a statement that hold entries or balances.
const SECTIONS: [&str; 9] = [
    TRADES,
    POSITIONS,
    ORDERS,
    "BANKTRANLIST",
    "BANKTRANLISTP",
    "LOANTRANLIST",
    "LEDGERBAL",
    "AVAILBAL",
    "INVBAL",
];

/// Whether an element of this name is a transaction of money.
pub(super) fn is_transaction(name: &str) -> bool {
    TRANSACTIONS.contains(&name)
}

/// Which aggregates end which, for files that close none: one of a rank ends an open one of the same rank or of
/// a higher one. 0 ends nothing and is ended by nothing but its parent's end.
pub(super) fn rank_of(name: &str) -> u8 {
    match name {
        name if name.ends_with("MSGSRSV1") => 1,
        name if ANSWERS.contains(&name) || name == "SONRS" => 2,
        name if STATEMENTS.contains(&name) => 3,
        name if SECTIONS.contains(&name) => 4,
        name if is_transaction(name) || HOLDINGS_AND_TRADES.contains(&name) => 5,
        name if name.ends_with("ACCTFROM") || name == "STATUS" || name == "FI" => 6,
        _ => 0,
    }
}
