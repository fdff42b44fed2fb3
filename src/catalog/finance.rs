//! Finance: accounts, transactions and holdings. A negative amount is money out, everywhere.

use sextant_actors::domain::Sector;

use super::{Field, InferredDay, Months, Origin, SplitColumns, Table, Weight};

pub(super) const TABLES: &[Table] = &[TRANSACTIONS, ACCOUNTS, HOLDINGS, BALANCES];

/// The account that a source names, and the one that is served in its place.
const ACCOUNTS_OF_ROWS: SplitColumns = SplitColumns {
    told: "own_account_id",
    merged: "merged_account_id",
};

const TRANSACTIONS: Table = Table::new(
    Sector::Finance,
    "transactions",
    Origin::Pushed,
    "What moved on an account, one row a booking. What is pending may have no booking day yet: booked_on_from then says \
     what booked_on was made of.",
    &[
        Field::reference(
            "account_id",
            "accounts",
            Some("account"),
            "The account it moved on.",
        )
        .split(ACCOUNTS_OF_ROWS),
        Field::text("status", "Whether the bank has booked it.").one_of(&["pending", "posted"]),
        Field::money("amount", "Negative is money out.").required(),
        Field::text("currency", "ISO 4217 code.").kind(),
        Field::date("booked_on", "The day the bank booked it.").required(),
        Field::text(
            "booked_on_from",
            "What the day of a pending row was made of, as long as the bank has told none.",
        )
        .one_of(DAY_SOURCES),
        Field::date("value_on", "The day it counts from."),
        Field::timestamp("transacted_at", "When it was made, if known."),
        Field::text("description", "As the bank wrote it.")
            .searchable(Weight::A)
            .untrusted(),
        Field::text("counterparty_name", "Who was paid or paid.")
            .searchable(Weight::A)
            .untrusted(),
        Field::text(
            "counterparty_account",
            "Their account, as the bank shows it.",
        ),
        Field::text("merchant_name", "The merchant, cleaned.")
            .searchable(Weight::A)
            .untrusted(),
        Field::text("mcc", "Merchant category code, ISO 18245."),
        Field::text("category", "What it was spent on.")
            .kind()
            .searchable(Weight::B),
        Field::text("payment_channel", "Card, transfer, cash, …").kind(),
        Field::text("reference", "The payment's own reference.")
            .searchable(Weight::C)
            .untrusted(),
        Field::money("balance_after", "The account's balance after it."),
        Field::json("fx", "The original amount and rate of a foreign payment."),
        Field::reference(
            "replaces_id",
            "transactions",
            None,
            "The pending row that this one took over; it is deleted.",
        )
        .may_be_gone(),
        Field::boolean(
            "source_id_is_synthetic",
            "The source gave no id of its own.",
        ),
    ],
)
.default_order(&["-booked_on"])
.served_once()
.months(&Months {
    name: "transactions_by_month",
    by_sign: "transactions_by_month_and_sign",
    day: "booked_on",
    amount: "amount",
    alike: &["account_id", "status", "currency", "category"],
})
.inferred_day(&InferredDay {
    day: "booked_on",
    source: "booked_on_from",
    applies_to: ("status", "pending"),
    sources: DAY_SOURCES,
});

/// The sources of a pending row's booking day, in the order of preference (docs/pushing.md#records).
const DAY_SOURCES: &[&str] = &["transacted_at", "value_on", "first_seen"];

const ACCOUNTS: Table = Table::new(
    Sector::Finance,
    "accounts",
    Origin::Pushed,
    "Bank, card and investment accounts with their present balance.",
    &[
        Field::text("name", "What the bank or the person calls it.")
            .required()
            .searchable(Weight::A)
            .untrusted(),
        Field::text("official_name", "The bank's full name for it.")
            .searchable(Weight::B)
            .untrusted(),
        Field::text("institution_name", "The bank.")
            .searchable(Weight::A)
            .untrusted(),
        Field::text("institution_id", "The bank's number or BIC."),
        Field::text("institution_domain", "The bank's internet domain."),
        Field::text("type", "Kind of account.").one_of(&[
            "depository",
            "credit",
            "loan",
            "investment",
            "crypto",
            "cash",
            "other",
        ]),
        Field::text("subtype", "Checking, savings, …").kind(),
        Field::text("currency", "ISO 4217 code.").kind(),
        Field::text("mask", "The last four digits."),
        Field::text("iban", "International account number."),
        Field::money("balance_current", "What is there, or owed."),
        Field::money("balance_available", "What can be spent."),
        Field::money("balance_limit", "The credit limit."),
        Field::timestamp("balance_as_of", "When the balances were true. An older statement pushed later tells its own day (`balances`) and leaves them."),
        Field::text("status", "Whether the bank still answers for it.").one_of(&[
            "ok",
            "stale",
            "needs_sign_in",
        ]),
        Field::text("bank_error_code", "What the bank reported last."),
        Field::text("bank_error_message", "The same in words.").untrusted(),
        Field::timestamp("consent_expires_at", "When the bank's consent ends."),
    ],
)
.default_order(&["-balance_as_of"])
.served_once();

const HOLDINGS: Table = Table::new(
    Sector::Finance,
    "holdings",
    Origin::Pushed,
    "What an investment account holds, one row a position and day.",
    &[
        Field::reference(
            "account_id",
            "accounts",
            Some("account"),
            "The account that holds it.",
        )
        .split(ACCOUNTS_OF_ROWS),
        Field::date("day", "The day of the position.").formerly("as_of"),
        Field::text("symbol", "Ticker.")
            .kind()
            .searchable(Weight::A),
        Field::text("isin", "International securities number."),
        Field::text("name", "The security's name.")
            .searchable(Weight::A)
            .untrusted(),
        Field::quantity("quantity", "How many.").measured_in(&["symbol", "isin", "name"]),
        Field::quantity("price", "Price of one.").measured_in(&["currency"]),
        Field::money("market_value", "What the position is worth."),
        Field::money("cost_basis", "What it cost."),
        Field::text("currency", "ISO 4217 code.").kind(),
    ],
)
.default_order(&["-day"])
.served_once()
.one_of(&[&["symbol", "isin", "name"]]);

const BALANCES: Table = Table::new(
    Sector::Finance,
    "balances",
    Origin::Derived,
    "An account's balance over time: one row for each day on which it was told. On any other day it is that of the last row before.",
    &[
        Field::reference("account_id", "accounts", None, "The account."),
        Field::date("day", "The day.").formerly("as_of"),
        Field::money("current", "What was there, or owed."),
        Field::money("available", "What could be spent."),
        Field::text("currency", "ISO 4217 code.").kind(),
    ],
)
.default_order(&["-day"]);
