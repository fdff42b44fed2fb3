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
