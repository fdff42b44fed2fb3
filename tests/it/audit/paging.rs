use std::collections::HashSet;
use std::time::Duration;

use serde_json::Value;
use sextant::store::audit_read::{AuditFilter, Direction, Position, ScanBudget, ScanEnd, scan};

use super::{entry, write};
use crate::support::{TestApp, TestDatabase};

/// The ids of a page, newest first.
fn ids(page: &Value) -> Vec<i64> {
    let rows = page["rows"].as_array().unwrap();
    rows.iter()
        .map(|row| row["id"].as_str().unwrap().parse().unwrap())
        .collect()
}

async fn page(app: &TestApp, query: &str) -> Value {
    app.audit(query).await.expect(200)
}

#[actix_web::test]
async fn r102_pages_are_exact_among_rows_of_one_stamp() {
    let app = TestApp::start().await;
    let mut written = write(&app.pool, vec![entry("a", "query"); 7]).await;
    written.extend(write(&app.pool, vec![entry("a", "query"); 4]).await);
    written.reverse();

    let mut seen = Vec::new();
    let mut pages = vec![page(&app, "?limit=3").await];
    assert_eq!(pages[0]["prev"], Value::Null);
    while let Some(next) = pages.last().unwrap()["next"].as_str().map(str::to_owned) {
        pages.push(page(&app, &format!("?limit=3&before={next}")).await);
    }
    pages.iter().for_each(|page| seen.extend(ids(page)));
    assert_eq!(seen, written);
    assert_eq!(pages.len(), 4);

    let back = pages.last().unwrap()["prev"].as_str().unwrap().to_owned();
    let third = page(&app, &format!("?limit=3&after={back}")).await;
    assert_eq!(ids(&third), ids(&pages[2]));
    let again = page(
        &app,
        &format!("?limit=3&before={}", third["next"].as_str().unwrap()),
    )
    .await;
    assert_eq!(ids(&again), ids(&pages[3]));
}

#[actix_web::test]
async fn r102_a_page_stays_where_it_is_while_rows_arrive() {
    let app = TestApp::start().await;
    write(&app.pool, vec![entry("a", "query"); 4]).await;
    let first = page(&app, "?limit=2").await;
    let next = first["next"].as_str().unwrap().to_owned();
    let before = page(&app, &format!("?limit=2&before={next}")).await;
    let new = write(&app.pool, vec![entry("b", "query"); 3]).await;
    assert_eq!(
        ids(&page(&app, &format!("?limit=2&before={next}")).await),
        ids(&before)
    );

    // Going forward from the first page returns the new rows, the nearest first.
    let newest = ids(&first)[0];
    let begun = page(
        &app,
        &format!("?limit=2&after={}", before["prev"].as_str().unwrap()),
    )
    .await;
    assert_eq!(ids(&begun)[0], newest);
    let forward = page(
        &app,
        &format!("?limit=2&after={}", begun["prev"].as_str().unwrap()),
    )
    .await;
    assert_eq!(ids(&forward), [new[1], new[0]]);
    let last = page(
        &app,
        &format!("?limit=2&after={}", forward["prev"].as_str().unwrap()),
    )
    .await;
    assert_eq!(ids(&last), [new[2]]);
    assert_eq!(last["prev"], Value::Null);
}

#[actix_web::test]
async fn an_empty_page_leads_back_to_where_it_came_from() {
    let app = TestApp::start().await;
    let written = write(&app.pool, vec![entry("a", "query"); 2]).await;
    let first = page(&app, "?limit=1").await;
    let before = first["next"].as_str().unwrap();
    let second = page(&app, &format!("?limit=1&before={before}")).await;
    assert_eq!(
        (ids(&second), &second["next"]),
        (vec![written[0]], &Value::Null)
    );
    let none = page(&app, &format!("?limit=1&before={before}&agent=nobody")).await;
    assert_eq!(ids(&none), Vec::<i64>::new());
    let back = none["prev"].as_str().unwrap();
    assert_eq!(
        ids(&page(&app, &format!("?limit=1&after={back}")).await),
        [written[1]]
    );
}

#[actix_web::test]
async fn a_walk_that_spends_its_budget_goes_on_where_it_stopped() {
    let database = TestDatabase::create().await;
    let opened = database.open().await.unwrap();
    let mut wanted = Vec::new();
    for _ in 0..3 {
        write(opened.service(), vec![entry("noise", "query"); 5]).await;
        wanted.extend(write(opened.service(), vec![entry("rare", "query")]).await);
    }
    let filter = AuditFilter {
        agent: Some("rare".to_owned()),
        ..AuditFilter::default()
    };
    let budget = ScanBudget {
        slice_rows: 4,
        time: Duration::ZERO,
        ..ScanBudget::default()
    };
    for direction in [Direction::Older, Direction::Newer] {
        let mut at = match direction {
            Direction::Older => Position::newest(),
            Direction::Newer => Position::oldest(),
        };
        let mut found = HashSet::new();
        let mut walks = 0;
        loop {
            walks += 1;
            let walked = scan(opened.service(), &filter, direction, at, 2, budget)
                .await
                .unwrap();
            found.extend(walked.rows.iter().map(|row| row.id));
            match walked.end {
                ScanEnd::Spent(place) => at = place,
                ScanEnd::Full => at = walked.rows.last().unwrap().position(),
                ScanEnd::Exhausted => break,
            }
        }
        assert_eq!(found, wanted.iter().copied().collect());
        assert_eq!(walks, 5, "18 rows in slices of four");
    }
}

#[actix_web::test]
async fn a_page_without_a_filter_reads_no_more_than_it_shows() {
    let database = TestDatabase::create().await;
    let opened = database.open().await.unwrap();
    write(opened.service(), vec![entry("a", "query"); 30]).await;
    let budget = ScanBudget {
        slice_rows: 10_000,
        time: Duration::ZERO,
        ..ScanBudget::default()
    };
    let walked = scan(
        opened.service(),
        &AuditFilter::default(),
        Direction::Older,
        Position::newest(),
        10,
        budget,
    )
    .await
    .unwrap();
    assert_eq!((walked.rows.len(), walked.end), (10, ScanEnd::Full));
}
