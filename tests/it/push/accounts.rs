//! Statements that do not name their account.

use super::program::Newcomer;
use crate::support::household::totals;

const CREATE: [&str; 3] = ["--create", "--secret-file", "secrets"];
/// The same coffee, paid from either account on one day.
const STATEMENT: &str = "Date,Text,Amount (EUR)\n2026-01-13,Coffee,-3.00\n";
const IBAN: &str = "Account,DE89370400440532013000\n";

async fn with(files: &[(&str, &str)]) -> Newcomer {
    let newcomer = Newcomer::arrive().await;
    for (name, text) in files {
        std::fs::write(newcomer.path(name), text).unwrap();
    }
    newcomer
}

#[actix_web::test]
async fn two_of_them_are_refused_with_the_flag_that_tells_them_apart() {
    let named = format!("{IBAN}{STATEMENT}");
    let files = [
        ("a.csv", STATEMENT),
        ("b.csv", STATEMENT),
        ("c.csv", named.as_str()),
    ];
    let newcomer = with(&files).await;
    let all = [&["a.csv", "b.csv", "c.csv"], &CREATE[..]].concat();
    let ran = newcomer.push(&all).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(1), [1, 1, 0]),
        "{}",
        ran.out
    );
    let refused = ran
        .out
        .matches("  not read: it does not say whose account it is of")
        .count();
    assert_eq!(
        (refused, ran.out.matches("--account NAME").count()),
        (2, 2),
        "{}",
        ran.out
    );
    for (file, name) in [
        ("a.csv", "Checking"),
        ("b.csv", "Joint"),
        ("c.csv", "Checking"),
    ] {
        let one = [&[file, "--account", name], &CREATE[..]].concat();
        let ran = newcomer.push(&one).await;
        assert_eq!(
            (ran.code, totals(&ran.out)),
            (Some(0), [1, 1, 0]),
            "{}",
            ran.out
        );
    }
    let client = newcomer.app.database.connect().await;
    let statement = "SELECT a.name, a.source_id FROM finance.transactions t
        JOIN finance.accounts a ON a.id = t.account_id ORDER BY a.name";
    let rows = client.query(statement, &[]).await.unwrap();
    let accounts: Vec<(String, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    let expected = [
        ("Account 3000", "DE89370400440532013000"),
        ("Checking", "Checking"),
        ("Joint", "Joint"),
    ];
    assert_eq!(
        accounts,
        expected.map(|(name, id)| (name.to_owned(), id.to_owned()))
    );
}

#[actix_web::test]
async fn one_alone_is_taken_as_before_and_so_are_two_of_one_named_account() {
    let newcomer = with(&[("a.csv", STATEMENT), ("songs.csv", "Title,Artist\nA,B\n")]).await;
    let alone = [&["a.csv", "songs.csv"], &CREATE[..]].concat();
    let ran = newcomer.push(&alone).await;
    assert!(ran.out.contains("1 entry: 1 stored (1 new"), "{}", ran.out);
    std::fs::write(
        newcomer.path("later.csv"),
        STATEMENT.replace("01-13", "02-13"),
    )
    .unwrap();
    let both = [&["a.csv", "later.csv", "--account", "Mine"], &CREATE[..]].concat();
    let ran = newcomer.push(&both).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(0), [2, 2, 0]),
        "{}",
        ran.out
    );
    let nameless = newcomer
        .push(&[&["a.csv", "--account", " "], &CREATE[..]].concat())
        .await;
    assert_eq!(nameless.code, Some(2), "{nameless:?}");
}

#[actix_web::test]
async fn a_statement_in_ofx_without_a_number_is_called_as_the_person_says() {
    let ofx = "OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKTRANLIST><STMTTRN>\
        <TRNTYPE>DEBIT<DTPOSTED>20260113<TRNAMT>-3.00<FITID>1<NAME>Coffee</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS>\
        </BANKMSGSRSV1></OFX>\n";
    let newcomer = with(&[("a.ofx", ofx)]).await;
    let ran = newcomer.push(&[&["a.ofx"], &CREATE[..]].concat()).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(1), [1, 0, 1]),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("--account NAME"), "{}", ran.out);
    let ran = newcomer
        .push(&[&["a.ofx", "--account", "Mine"], &CREATE[..]].concat())
        .await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(0), [1, 1, 0]),
        "{}",
        ran.out
    );
}
