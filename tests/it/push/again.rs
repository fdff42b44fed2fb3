//! A second `--create` with a secret file that lacks the existing connections.

use std::path::Path;

use super::fixture;
use super::program::{Newcomer, Ran};
use crate::support::household::totals;

async fn create(newcomer: &Newcomer, secrets: &str, options: &[&str]) -> Ran {
    let arguments = ["data", "--create", "--secret-file", secrets];
    newcomer.push(&[&arguments[..], options].concat()).await
}

/// A newcomer who has pushed a calendar and a statement, with the secrets in `old`.
async fn newcomer_with_connections() -> Newcomer {
    let newcomer = Newcomer::arrive().await;
    std::fs::create_dir(newcomer.path("data")).unwrap();
    for file in ["calendar/000.ics", "bank/checking.ofx"] {
        let name = Path::new("data").join(Path::new(file).file_name().unwrap());
        std::fs::copy(fixture(file), newcomer.path(name.to_str().unwrap())).unwrap();
    }
    let ran = create(&newcomer, "old", &[]).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(0), [4, 4, 0]),
        "{ran:?}"
    );
    newcomer
}

#[actix_web::test]
async fn it_says_which_connections_exist_and_makes_no_second_ones() {
    let newcomer = newcomer_with_connections().await;
    let there = newcomer.connections().await;
    let ran = create(&newcomer, "new", &[]).await;
    assert_eq!(ran.code, Some(2), "{ran:?}");
    for connection in &there {
        let told = format!(
            "\n  {} `{}` for ",
            connection["id"].as_str().unwrap(),
            connection["label"].as_str().unwrap()
        );
        assert!(ran.err.contains(&told), "{told} is not in {}", ran.err);
    }
    assert!(
        ran.err.contains("--secret-file") && ran.err.contains("--adopt"),
        "{}",
        ran.err
    );
    assert_eq!(newcomer.connections().await.len(), there.len());
    let rehearsed = create(&newcomer, "new", &["--dry-run"]).await;
    assert_eq!(rehearsed.code, Some(1), "{rehearsed:?}");
    assert!(rehearsed.out.contains("--adopt"), "{}", rehearsed.out);
    let again = create(&newcomer, "old", &[]).await;
    assert_eq!(
        (again.code, totals(&again.out)),
        (Some(0), [4, 4, 0]),
        "{again:?}"
    );
}

#[actix_web::test]
async fn adopted_they_take_the_same_push_under_new_secrets_and_nothing_doubles() {
    let newcomer = newcomer_with_connections().await;
    let there = newcomer.connections().await;
    let rehearsed = create(&newcomer, "new", &["--adopt", "--dry-run"]).await;
    let told = rehearsed.out.matches(", under a new secret").count();
    assert_eq!((rehearsed.code, told), (Some(0), 2), "{rehearsed:?}");
    assert_eq!(
        std::fs::read_to_string(newcomer.path("new")).unwrap_or_default(),
        ""
    );
    let ran = create(&newcomer, "new", &["--adopt"]).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(0), [4, 4, 0]),
        "{ran:?}"
    );
    assert_eq!(
        ran.out.matches("  took over connection ").count(),
        2,
        "{}",
        ran.out
    );
    assert_eq!(
        ran.out.matches("(0 new, 0 changed").count(),
        2,
        "{}",
        ran.out
    );
    assert_eq!(newcomer.connections().await.len(), there.len());
    assert_eq!(newcomer.count("finance.transactions").await, 3);
    let kept = std::fs::read_to_string(newcomer.path("new")).unwrap();
    assert_eq!(kept.lines().count(), 2);
    let before = create(&newcomer, "old", &[]).await;
    assert_eq!(before.code, Some(2), "{before:?}");
    assert!(before.err.contains("refused the secret"), "{}", before.err);
    let after = create(&newcomer, "new", &["--adopt"]).await;
    assert_eq!(
        (after.code, totals(&after.out)),
        (Some(0), [4, 4, 0]),
        "{after:?}"
    );
    assert!(!after.out.contains("took over"), "{}", after.out);
    assert_eq!(std::fs::read_to_string(newcomer.path("new")).unwrap(), kept);
}

#[actix_web::test]
async fn of_two_under_one_label_none_is_taken_over_unasked() {
    let newcomer = newcomer_with_connections().await;
    let body = serde_json::json!({"provider": "push", "sector": "calendar", "label": "Calendar from files"});
    let url = format!("{}/api/connections", newcomer.url());
    let client = crate::support::http::builder().build().unwrap();
    let made = client.post(url).json(&body).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let ran = create(&newcomer, "new", &["--adopt"]).await;
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("disconnect the others"), "{}", ran.err);
    let alone = newcomer
        .push(&["data", "--adopt", "--secret-file", "new"])
        .await;
    assert!(
        alone.code == Some(2) && alone.err.contains("--create"),
        "{alone:?}"
    );
}
