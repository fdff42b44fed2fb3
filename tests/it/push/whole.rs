//! Real files through all parts: readers, push, the ingest route and the database behind it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
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

#[actix_web::test]
async fn every_mail_fixture_is_stored_or_refused_and_a_second_push_changes_nothing() {
    let household = Household::start().await;
    let (is_all_stored, told) = household.push(fixtures("mail", "eml")).await;
    assert!(!is_all_stored);
    let [entries, stored, refused] = totals(&told);
    assert_eq!((entries, refused), (stored + refused, 1), "{told}");
    let messages = household.count("mail.messages").await;
    let alike = 1;
    assert_eq!(
        messages + alike,
        stored,
        "two of the broken ones have no header and the same text"
    );
    assert!(household.count("mail.attachments").await > 30);
    let (_, again) = household.push(fixtures("mail", "eml")).await;
    assert_eq!(totals(&again), [entries, stored, refused], "{again}");
    assert!(!again.contains("(1 new"), "{again}");
    let changed = again.matches("(0 new, 1 changed").count() as u64;
    assert!(changed <= 2 * alike, "{again}");
    assert_eq!(household.count("mail.messages").await, messages);
}

#[actix_web::test]
async fn a_mailbox_lies_in_the_one_above_it_whichever_comes_first() {
    let household = Household::start().await;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("Maildir");
    for (mailbox, id) in [(".Work.2026", 1), (".Work", 2), (".Lost.Deep", 3), ("", 4)] {
        std::fs::create_dir_all(root.join(mailbox).join("new")).unwrap();
        std::fs::create_dir_all(root.join(mailbox).join("cur")).unwrap();
        let mail = format!("Message-ID: <{id}@x>\r\n\r\nText\r\n");
        std::fs::write(root.join(mailbox).join(format!("cur/{id}.host:2,")), mail).unwrap();
    }
    let thunderbird = folder.path().join("Archives.sbd");
    std::fs::create_dir(&thunderbird).unwrap();
    let letter = "From - Thu Jan  1 00:00:00 2026\nSubject: x\n\nText\n";
    std::fs::write(thunderbird.join("2024"), letter).unwrap();
    std::fs::write(folder.path().join("Archives"), letter.replace('x', "y")).unwrap();
    let lie = "SELECT inner_.path, outer_.path AS parent FROM mail.mailboxes inner_
        LEFT JOIN mail.mailboxes outer_ ON outer_.id = inner_.parent_id ORDER BY inner_.path";
    let expected: Vec<_> = [
        ("Archives", None),
        ("Archives/2024", Some("Archives")),
        ("INBOX", None),
        ("Lost/Deep", None),
        ("Work", None),
        ("Work/2026", Some("Work")),
    ]
    .map(|(path, parent)| json!({"path": path, "parent": parent}))
    .into();
    let changed = "SELECT max(changed_xid::text::bigint) AS last FROM mail.mailboxes";
    let mut last = Vec::new();
    for _ in 0..2 {
        let (is_all_stored, told) = household.push(vec![thunderbird.join("2024")]).await;
        assert!(is_all_stored, "{told}");
        let (is_all_stored, told) = household
            .push(vec![root.clone(), folder.path().join("Archives")])
            .await;
        assert!(is_all_stored, "{told}");
        assert_eq!(household.rows(lie).await, expected);
        last.push(household.rows(changed).await);
    }
    assert_eq!(last[0], last[1], "a second push changes no mailbox");
}

#[actix_web::test]
async fn a_mail_of_any_length_is_stored_and_kept_as_it_came() {
    let household = Household::start().await;
    let folder = tempfile::tempdir().unwrap();
    let texts = [
        "a short one\r\n".repeat(3),
        "ä\u{1}\t".repeat(20_000),
        // All words differ: the most that a full-text index can be asked to hold.
        (0..2_000_000).map(|word| format!("{word:x} ")).collect(),
        "日本語".repeat(200_000),
    ];
    let files: Vec<_> = (0..texts.len())
        .map(|ordinal| folder.path().join(format!("{ordinal}.eml")))
        .collect();
    for (file, text) in files.iter().zip(&texts) {
        let id = file.file_stem().unwrap().to_string_lossy().into_owned();
        let mail = format!("Subject: length\r\nMessage-ID: <{id}>\r\n\r\n{text}");
        std::fs::write(file, mail).unwrap();
    }
    let binary = folder.path().join("binary.eml");
    let bytes = [&b"Message-ID: <nul>\nSubject: \xFC\n\n\0"[..], &[0xFF; 9]].concat();
    std::fs::write(&binary, &bytes).unwrap();
    let all = files.iter().cloned().chain([binary]).collect();
    let (is_all_stored, told) = household.push(all).await;
    assert!(!is_all_stored, "{told}");
    assert_eq!(totals(&told), [5, 5, 0], "{told}");
    for (name, is_cut) in [("0", false), ("1", false), ("2", true), ("3", true)] {
        let line = format!("message {name}: its text is longer than can be stored and was cut");
        assert_eq!(told.contains(&line), is_cut, "{told}");
    }
    let found = household
        .rows("SELECT source_id, body_truncated, raw FROM mail.messages ORDER BY source_id")
        .await;
    let is_truncated: Vec<_> = found.iter().map(|row| &row["body_truncated"]).collect();
    let (yes, no) = (json!(true), json!(null));
    assert_eq!(is_truncated, [&no, &no, &yes, &yes, &no]);
    for (row, file) in found.iter().zip(&files) {
        let whole = std::fs::read(file).unwrap();
        let kept = match row["raw"]["message"].as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => STANDARD
                .decode(row["raw"]["message_base64"].as_str().unwrap())
                .unwrap(),
        };
        let is_whole = row["raw"]["truncated"].is_null();
        assert!(whole.starts_with(&kept) && is_whole == (kept.len() == whole.len()));
    }
    assert!(found[1]["raw"]["message"].is_null());
    let expected = STANDARD.encode(&bytes);
    assert_eq!(found[4]["raw"], json!({"message_base64": expected}));
}

#[actix_web::test]
async fn a_health_export_is_stored_in_its_four_tables_and_a_second_push_changes_nothing() {
    let household = Household::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("export.xml");
    let span = "startDate=\"2026-03-01 07:00:00 +0100\" endDate=\"2026-03-01 08:00:00 +0100\"";
    let record = |kind: &str, value: &str, unit: &str| {
        format!(
            "<Record type=\"HK{kind}\" sourceName=\"Watch\" {span} value=\"{value}\" unit=\"{unit}\"/>\n"
        )
    };
    let export = format!(
        "<HealthData>{}{}{}{}{}{}</HealthData>",
        record("QuantityTypeIdentifierBodyMass", "150", "lb"),
        record("QuantityTypeIdentifierOxygenSaturation", "0.97", "%"),
        record("QuantityTypeIdentifierBodyMass", "3", "parsec"),
        record(
            "CategoryTypeIdentifierSleepAnalysis",
            "HKCategoryValueSleepAnalysisAsleepREM",
            ""
        ),
        format_args!(
            "<Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" sourceName=\"Watch\" {span}/>"
        ),
        "<ActivitySummary dateComponents=\"2026-03-01\" activeEnergyBurned=\"500\" activeEnergyBurnedUnit=\"kcal\"/>",
    );
    std::fs::write(&file, export).unwrap();
    let (is_all_stored, told) = household.push(vec![file.clone()]).await;
    assert!(!is_all_stored);
    assert_eq!(totals(&told), [6, 5, 1], "{told}");
    assert!(
        told.contains("line 3, Record HKQuantityTypeIdentifierBodyMass")
            && told.contains("does not lead to kg"),
        "{told}"
    );
    let samples = household
        .rows(
            "SELECT s.metric, s.value, s.unit, s.zone_offset, d.app_bundle FROM health.samples s
            JOIN health.devices d ON d.id = s.device_id ORDER BY metric",
        )
        .await;
    let expected = json!({
        "metric": "oxygen_saturation", "value": 97, "unit": "percent", "zone_offset": "+01:00", "app_bundle": "Watch",
    });
    assert_eq!(samples[0], expected);
    assert_eq!(samples[1]["unit"], "kg");
    assert!((samples[1]["value"].as_f64().unwrap() - 68.038_855_5).abs() < 1e-9);
    let rest = household
        .rows(
            "SELECT rem_ms, extra->>'source_name' AS source, sport_name, day, energy_kcal
            FROM health.sleeps, (SELECT sport_name FROM health.workouts) w, (SELECT day, energy_kcal FROM health.days) d",
        )
        .await;
    let expected = json!({"rem_ms": 3_600_000, "source": "Watch", "sport_name": "yoga", "day": "2026-03-01", "energy_kcal": 500});
    assert_eq!(rest, [expected]);
    let (_, again) = household.push(vec![file]).await;
    assert_eq!(totals(&again), [6, 5, 1], "{again}");
    assert!(again.contains("(0 new, 0 changed"), "{again}");
}
