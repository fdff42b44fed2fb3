//! Statements of CAMT, MT940 and QIF through the program, the ingest route and the database behind it.

use super::fixture;
use super::program::{Newcomer, Ran};
use crate::support::household::totals;
use crate::support::packed;

const CREATE: [&str; 3] = ["--create", "--secret-file", "secrets"];

async fn push(newcomer: &Newcomer, arguments: &[&str]) -> Ran {
    newcomer.push(&[arguments, &CREATE].concat()).await
}

/// The rows of a query, each as a text.
async fn told(newcomer: &Newcomer, statement: &str) -> Vec<String> {
    let client = newcomer.app.database.connect().await;
    let rows = client.query(statement, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

fn statements(kind: &str) -> String {
    let folder = fixture(&format!("statements/{kind}"));
    folder.to_str().unwrap().to_owned()
}

/// What each account began with, as its statement says it, and what it has; some banks number accounts alike, and one books
/// another currency beside the account's, which are left out.
const BALANCES: [&str; 13] = [
    "1325.76.155 -12.0000 238.0000 EUR",
    "1567.50.961 9265.1200 2666.3700 EUR",
    "CH0309000000250090342 322152.1600 322689.7700 CHF",
    "CH2801234000123456789 9920.0000 9840.0000 CHF",
    "DABADKKK/1234567890 2478926.7000 3851379.4700 DKK",
    "DE14740618130000033626 33.0600 23.0600 EUR",
    "DE58740618130100033626 8.5000 13.5000 EUR",
    "FI7433010001222090 10000.0000 23644.8300 EUR",
    "FI8529501800030574 200.5000 8800.5000 EUR",
    "NL08INGB0000001234 1000.0000 1605.0000 EUR",
    "NL68INGB0000012345 436.9000 246.4500 EUR",
    "NL78SNSB0022446688 1859.1300 1660.8700 EUR",
    "PL29114010810000267002001002 0.4000 0.4300 PLN",
];

#[actix_web::test]
async fn every_account_is_right_to_the_cent_and_a_second_push_changes_nothing() {
    let newcomer = Newcomer::arrive().await;
    let folders = ["camt", "mt940"].map(statements);
    let folders = folders.each_ref().map(String::as_str);
    let first = push(&newcomer, &folders).await;
    let [entries, stored, refused] = totals(&first.out);
    assert_eq!((first.code, refused), (Some(1), 15), "{}", first.out);
    assert_eq!(entries, stored + refused);
    let known = BALANCES.map(|line| format!("'{}'", line.split(' ').next().unwrap()));
    let balances = format!(
        "SELECT concat_ws(' ', a.source_id, a.balance_current - sum(t.amount), a.balance_current, a.currency)
        FROM finance.accounts a JOIN finance.transactions t ON t.account_id = a.id AND t.currency = a.currency
        WHERE a.source_id IN ({}) GROUP BY a.id ORDER BY a.source_id COLLATE \"C\"",
        known.join(", ")
    );
    assert_eq!(told(&newcomer, &balances).await, BALANCES);
    let days = "SELECT concat_ws(' ', b.day, b.current) FROM finance.balances b JOIN finance.accounts a ON a.id = b.account_id
        WHERE a.source_id = 'DE14740618130000033626'";
    assert_eq!(told(&newcomer, days).await, ["2013-12-27 23.0600"]);
    let again = push(&newcomer, &folders).await;
    assert_eq!(totals(&again.out), [entries, stored, refused]);
    let is_nothing_new =
        |line: &str| !line.contains(" stored (") || line.contains("(0 new, 0 changed");
    assert!(again.out.lines().all(is_nothing_new), "{}", again.out);
}

#[actix_web::test]
async fn a_statement_is_found_by_its_beginning_wherever_it_lies() {
    let newcomer = Newcomer::arrive().await;
    let bytes = |name: &str| std::fs::read(fixture(&format!("statements/{name}"))).unwrap();
    let files = [
        ("January.txt", bytes("mt940/sns-nl.txt")),
        ("danske", bytes("mt940/danskebank-dk.sta")),
        ("ubs.camt053", bytes("camt/ubs-ch-v08.xml")),
        ("note.txt", b":20: pens\n".to_vec()),
    ];
    std::fs::create_dir(newcomer.path("folder")).unwrap();
    for (name, bytes) in &files {
        std::fs::write(newcomer.path(&format!("folder/{name}")), bytes).unwrap();
    }
    packed::zip(&newcomer.path("all.zip"), &files);
    packed::tgz(&newcomer.path("all.tgz"), &files);
    for place in ["folder", "all.zip", "all.tgz"] {
        let ran = push(&newcomer, &[place]).await;
        assert_eq!(
            (ran.code, totals(&ran.out)),
            (Some(0), [94, 94, 0]),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("(.txt 1)"), "{}", ran.out);
    }
    assert_eq!(newcomer.count("finance.transactions").await, 94);
    let named = push(&newcomer, &["folder/note.txt"]).await;
    assert!(
        named.out.contains("files ending in `txt` are not read"),
        "{}",
        named.out
    );
}

#[actix_web::test]
async fn a_file_whose_days_may_be_two_stores_nothing_until_it_is_answered() {
    let newcomer = Newcomer::arrive().await;
    let file = format!("{}/qifgem-bank-split.qif", statements("qif"));
    let said = [file.as_str(), "--currency", "USD", "--account", "Mine"];
    let ran = push(&newcomer, &said).await;
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(
        ran.out
            .contains("  not read: its dates can be read with the day or the month first")
            && ran.out.contains("--date-order dmy or --date-order mdy"),
        "{}",
        ran.out
    );
    assert_eq!(newcomer.count("finance.transactions").await, 0);
    let answered = push(&newcomer, &[&said[..], &["--date-order", "mdy"]].concat()).await;
    assert_eq!(
        (answered.code, totals(&answered.out)),
        (Some(0), [3, 3, 0]),
        "{}",
        answered.out
    );
    let days = "SELECT concat_ws(' ', booked_on, amount, currency) FROM finance.transactions ORDER BY booked_on";
    let expected = [
        "1994-06-01 -1000.0000 USD",
        "1994-06-02 75.0000 USD",
        "1994-06-03 -10.0000 USD",
    ];
    assert_eq!(told(&newcomer, days).await, expected);
    let dated = "!Option:MDY\n!Type:Bank\nD1/2/26\nT-1.50\n^\n";
    std::fs::write(newcomer.path("dated.qif"), dated).unwrap();
    let told_by_itself = push(
        &newcomer,
        &["dated.qif", "--currency", "USD", "--account", "Mine"],
    )
    .await;
    assert_eq!(told_by_itself.code, Some(0), "{}", told_by_itself.out);
}

/// A report of the day and the statement after it, of one booking.
fn write_both(newcomer: &Newcomer) {
    for (name, root, statement, made, status) in [
        (
            "report.xml",
            "BkToCstmrAcctRpt",
            "Rpt",
            "2026-03-02T12:00:00+01:00",
            "PDNG",
        ),
        (
            "statement.xml",
            "BkToCstmrStmt",
            "Stmt",
            "2026-03-03T01:00:00+01:00",
            "BOOK",
        ),
    ] {
        let text = format!(
            "<Document><{root}><{statement}><CreDtTm>{made}</CreDtTm><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>\
            <Ntry><Amt Ccy=\"EUR\">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>{status}</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt>\
            <AcctSvcrRef>B7</AcctSvcrRef></Ntry></{statement}></{root}></Document>"
        );
        std::fs::write(newcomer.path(name), text).unwrap();
    }
}

#[actix_web::test]
async fn what_was_pending_is_posted_once_and_never_pending_again() {
    let row = "SELECT concat_ws(' ', source_id, status) FROM finance.transactions";
    let [pending, posted] =
        ["pending", "posted"].map(|word| format!("DE89370400440532013000/B7 {word}"));
    for (files, states) in [
        (["report.xml", "statement.xml"], [&pending, &posted]),
        (["statement.xml", "report.xml"], [&posted, &posted]),
    ] {
        let newcomer = Newcomer::arrive().await;
        write_both(&newcomer);
        for (file, state) in files.iter().zip(states) {
            let ran = push(&newcomer, &[file]).await;
            assert_eq!(ran.code, Some(0), "{}", ran.out);
            assert_eq!(told(&newcomer, row).await, [state.as_str()], "after {file}");
        }
        let both = push(&newcomer, &["report.xml", "statement.xml"]).await;
        assert_eq!(both.code, Some(0), "{}", both.out);
        assert_eq!(told(&newcomer, row).await, [posted.as_str()], "both again");
    }
}
