//! Real files through the whole of it: importers, push, the ingest route and the database behind it.

use serde_json::json;

use crate::support::household::{Household, fixtures, totals};

#[actix_web::test]
async fn every_bank_fixture_is_stored_or_refused_and_a_second_push_changes_nothing() {
    let household = Household::start().await;
    let (is_all_stored, told) = household.push(fixtures("bank", "ofx")).await;
    assert!(!is_all_stored);
    let [entries, stored, refused] = totals(&told);
    assert_eq!((entries, refused), (stored + refused, 2), "{told}");
    let transactions = household.count("finance.transactions").await;
    let holdings = household.count("finance.holdings").await;
    assert_eq!(
        stored,
        transactions + holdings + 2,
        "the two are accounts without transactions\n{told}"
    );
    let (_, again) = household.push(fixtures("bank", "ofx")).await;
    assert_eq!(totals(&again), [entries, stored, refused], "{again}");
    assert!(
        !again.contains(" (1 new") && again.contains("(0 new, 0 changed"),
        "{again}"
    );
    assert_eq!(household.count("finance.transactions").await, transactions);
}

#[actix_web::test]
async fn every_calendar_fixture_is_stored_or_refused_and_a_second_push_changes_nothing() {
    let household = Household::start().await;
    let (is_all_stored, told) = household.push(fixtures("calendar", "ics")).await;
    assert!(!is_all_stored);
    let [entries, stored, refused] = totals(&told);
    assert_eq!(entries, stored + refused, "{told}");
    assert!(stored > 200, "{told}");
    let series = household.count("calendar.series").await;
    assert!(household.count("calendar.events").await >= series);
    let (_, again) = household.push(fixtures("calendar", "ics")).await;
    assert_eq!(totals(&again), [entries, stored, refused], "{again}");
    assert_eq!(household.count("calendar.series").await, series);
}

#[actix_web::test]
async fn every_address_book_is_stored_or_refused_and_a_second_push_changes_nothing() {
    let household = Household::start().await;
    let (is_all_stored, told) = household.push(fixtures("contacts", "vcf")).await;
    assert!(!is_all_stored);
    assert_eq!(totals(&told), [42, 40, 2], "{told}");
    assert_eq!(household.count("contacts.people").await, 38);
    assert_eq!(household.count("contacts.groups").await, 2);
    let (_, again) = household.push(fixtures("contacts", "vcf")).await;
    assert_eq!(totals(&again), [42, 40, 2], "{again}");
    assert_eq!(household.count("contacts.people").await, 38);
    let found = household
        .rows(
            "SELECT full_name, birthday_month, birthday_day, birthday_year, anniversary, phones->0->>'e164' AS e164
            FROM contacts.people WHERE name_surname = 'Perreault'",
        )
        .await;
    let expected = json!({"full_name": "Simon Perreault", "birthday_month": 2, "birthday_day": 3, "birthday_year": null, "anniversary": "2009-08-08", "e164": "+14186569254"});
    assert_eq!(found, [expected]);
}

#[actix_web::test]
async fn statements_of_two_months_that_overlap_do_not_double() {
    let household = Household::start().await;
    let folder = tempfile::tempdir().unwrap();
    let head = "IBAN;DE89370400440532013000\n\nBuchungstag;Verwendungszweck;Betrag (EUR);Saldo\n";
    let (old, both, new) = (
        "30.01.2026;Tee;-1,50;98,50\n",
        "31.01.2026;Kaffee;-1.003,20;-904,70\n",
        "01.02.2026;Brot;-2,00;-906,70\n",
    );
    let files =
        [("january.csv", [old, both]), ("february.csv", [both, new])].map(|(name, rows)| {
            let path = folder.path().join(name);
            std::fs::write(&path, format!("{head}{}", rows.concat())).unwrap();
            path
        });
    let (is_all_stored, told) = household.push(files.to_vec()).await;
    assert!(is_all_stored, "{told}");
    let found = household
        .rows(
            "SELECT t.amount::text, t.currency, t.booked_on, t.balance_after::text AS balance, a.iban
            FROM finance.transactions t JOIN finance.accounts a ON a.id = t.account_id ORDER BY t.booked_on",
        )
        .await;
    assert_eq!(found.len(), 3);
    let expected = json!({"amount": "-1003.2000", "currency": "EUR", "booked_on": "2026-01-31", "balance": "-904.7000", "iban": "DE89370400440532013000"});
    assert_eq!(found[1], expected);
}

#[actix_web::test]
async fn a_statement_keeps_its_money_and_its_account() {
    let household = Household::start().await;
    let file = fixtures("bank", "ofx")
        .into_iter()
        .find(|path| path.ends_with("bank_medium.ofx"));
    let (is_all_stored, told) = household.push(file.into_iter().collect()).await;
    assert!(is_all_stored, "{told}");
    let found = household
        .rows(
            "SELECT t.amount::text, t.currency, t.booked_on, a.mask, a.balance_current::text AS balance
            FROM finance.transactions t JOIN finance.accounts a ON a.id = t.account_id ORDER BY t.booked_on LIMIT 1",
        )
        .await;
    let expected = json!({"amount": "-6.6000", "currency": "CAD", "booked_on": "2009-04-01", "mask": "5678", "balance": "382.3400"});
    assert_eq!(found, [expected]);
}
