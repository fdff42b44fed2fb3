//! Refusals, limits and answers that are none: each is told, and nothing that is stored goes.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use sextant_connectors::failure::{FailureKind, RetryAfter, SourceFailure};
use sextant_connectors::google::{GoogleCalendarFeed, GooglePeopleFeed};
use sextant_connectors::round::Feed as _;

use super::stage::Stage;
use crate::support::stand_ins::bearers::Bearers;
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::google::agenda::event;
use crate::support::stand_ins::google::refusal;
use crate::support::stand_ins::wire::{self, raw};

const OP: &str = "op@x.test";
const EVENTS: &str = "/events";
const PEOPLE: &str = "/connections";

/// A stage with an event and a person that are stored.
async fn stage(test: &str) -> Option<Stage> {
    let mut stage = Stage::start(test).await?;
    stage.google().agenda.calendar(OP).put("a", event("A"));
    stage.google().book.put("c1", "Ada", &[]);
    stage.sync_calendar().await.unwrap();
    stage.sync_contacts().await.unwrap();
    Some(stage)
}

async fn failures(stage: &mut Stage) -> [SourceFailure; 2] {
    [
        stage.sync_calendar().await.unwrap_err(),
        stage.sync_contacts().await.unwrap_err(),
    ]
}

/// What is stored is as it was, and the next round goes on.
async fn assert_goes_on(stage: &mut Stage, of: &str) {
    stage.assert_calendar_equal(of);
    stage.assert_contacts_equal(of);
    stage.google().agenda.calendar(OP).put("b", event(of));
    stage.google().book.put("c2", of, &[]);
    stage.sync_calendar().await.unwrap();
    stage.sync_contacts().await.unwrap();
    stage.assert_calendar_equal(of);
    stage.assert_contacts_equal(of);
}

#[tokio::test]
async fn a_rate_limit_is_obeyed_however_it_is_said() {
    let Some(mut stage) = stage("a_rate_limit").await else {
        return;
    };
    let wait = RetryAfter::Wait(Duration::from_secs(90));
    let at = RetryAfter::At(SystemTime::UNIX_EPOCH + Duration::from_secs(1_893_456_000));
    for (status, reason, header, after) in [
        (429, "rateLimitExceeded", "", None),
        (429, "RESOURCE_EXHAUSTED", "retry-after: 90\r\n", Some(wait)),
        (403, "userRateLimitExceeded", "", None),
        (
            403,
            "quotaExceeded",
            "retry-after: Tue, 01 Jan 2030 00:00:00 GMT\r\n",
            Some(at),
        ),
    ] {
        for path in [EVENTS, PEOPLE] {
            let refusal = refusal(status, reason, header);
            stage.google().faults.once(path, Law::Kept, refusal);
        }
        for failure in failures(&mut stage).await {
            assert_eq!(failure.kind, FailureKind::RateLimited, "{failure}");
            assert_eq!(failure.retry_after, after, "{reason}");
            assert!(failure.message.contains(reason));
        }
        assert_goes_on(&mut stage, reason).await;
    }
}

#[tokio::test]
async fn what_google_says_is_cut_and_cleaned_and_its_reason_is_kept() {
    let Some(mut stage) = stage("what_google_says").await else {
        return;
    };
    let said = format!("see https://op:word@x.test/a\u{7} {}", "x".repeat(900));
    let error =
        json!({"error": {"code": 400, "message": said, "errors": [{"reason": "badRequest"}]}});
    for path in [EVENTS, PEOPLE] {
        let error = error.clone();
        let refusal = move |_: &str| wire::json(400, "", &error);
        stage.google().faults.once(path, Law::Kept, refusal);
    }
    for failure in failures(&mut stage).await {
        let said = "the source answered 400: badRequest: see https://x.test/a xxx";
        assert!(failure.message.starts_with(said), "{failure}");
        assert!(failure.message.chars().count() < 550, "{failure}");
    }
    assert_goes_on(&mut stage, "words").await;
}

#[tokio::test]
async fn a_refused_token_is_renewed_once_and_a_dead_one_is_told() {
    let Some(mut stage) = stage("a_refused_token").await else {
        return;
    };
    stage.tokens.give_next("token-2");
    stage.google().bearers = Bearers::only("token-2");
    assert_goes_on(&mut stage, "renewed").await;
    assert_eq!(stage.tokens.renewals(), 1);

    stage.google().bearers = Bearers::only("token-3");
    for failure in failures(&mut stage).await {
        assert_eq!(failure.kind, FailureKind::SignInEnded, "{failure}");
        assert!(!format!("{failure:?}").contains("token-"), "{failure:?}");
    }
    // Another that is not taken either is not asked for a third time.
    stage.tokens.give_next("token-4");
    stage.asked();
    let failure = stage.calendar_feed().check().await.unwrap_err();
    assert_eq!(
        (failure.kind, failure.status),
        (FailureKind::CredentialRefused, Some(401))
    );
    assert_eq!(stage.asked().len(), 2);
    stage.google().bearers = Bearers::only("token-4");
    assert_goes_on(&mut stage, "signed in again").await;
}

#[tokio::test]
async fn r129_a_scope_that_was_not_granted_is_told() {
    let Some(mut stage) = stage("r129_a_scope").await else {
        return;
    };
    stage.google().scopes = vec!["calendar.readonly"];
    stage.calendar_feed().check().await.unwrap();
    let failure = stage.people_feed().check().await.unwrap_err();
    assert_eq!(
        (failure.kind, failure.status),
        (FailureKind::Rejected, Some(403))
    );
    assert!(failure.message.contains("insufficientPermissions"));
    stage.sync_calendar().await.unwrap();
    assert!(stage.sync_contacts().await.is_err());
    stage.google().scopes.push("contacts.readonly");
    assert_goes_on(&mut stage, "granted").await;
}

#[tokio::test]
async fn answers_that_are_none_remove_nothing() {
    let Some(mut stage) = stage("answers_that_are_none").await else {
        return;
    };
    let bodies = [
        "<html><body>Sign in to the seeded-hotel</body></html>",
        "",
        "[]",
        "{\"items\": 5, \"connections\": 5, \"contactGroups\": 5}",
        "{\"items\": [{\"id\": \"a\"",
        // Without a token of any kind the list was cut off.
        "{\"items\": [], \"connections\": []}",
    ];
    for body in bodies {
        for path in [EVENTS, PEOPLE] {
            let answer = move |_: &str| raw(200, "", body);
            stage.google().faults.once(path, Law::Broken, answer);
        }
        for failure in failures(&mut stage).await {
            assert_eq!(failure.kind, FailureKind::Malformed, "{body}: {failure}");
            assert!(!failure.message.contains("seeded"), "{failure}");
        }
        assert_goes_on(&mut stage, "garbage").await;
    }
    // Nobody has no calendar and no group.
    for (path, body) in [
        ("/calendarList", json!({"items": [], "nextSyncToken": "x"})),
        ("/contactGroups", json!({"nextSyncToken": "x"})),
    ] {
        let answer = move |_: &str| wire::json(200, "", &body);
        stage.google().faults.once(path, Law::Kept, answer);
    }
    for failure in failures(&mut stage).await {
        assert_eq!(failure.kind, FailureKind::Unavailable, "{failure}");
    }
    for path in ["/calendarList", "/contactGroups"] {
        let answer = |_: &str| raw(503, "", "<html>");
        stage.google().faults.once(path, Law::Broken, answer);
    }
    for failure in failures(&mut stage).await {
        assert_eq!(failure.kind, FailureKind::Unavailable, "{failure}");
    }
    assert_goes_on(&mut stage, "nothing at all").await;
}

#[tokio::test]
async fn a_page_that_ends_in_its_middle_is_asked_for_again() {
    let Some(mut stage) = stage("google_a_page_that_ends").await else {
        return;
    };
    {
        let mut google = stage.google();
        (google.agenda.page_max, google.book.page_max) = (2, 2);
        for number in 0..7 {
            let name = format!("n{number}");
            google.agenda.calendar(OP).put(&name, event(&name));
            google.book.put(&name, &name, &[]);
        }
        // The second page of each list, whose first is stored.
        google.faults.cut_off("pageToken=");
        google.faults.cut_off("pageToken=");
    }
    for failure in failures(&mut stage).await {
        assert_eq!(failure.kind, FailureKind::Unavailable, "{failure}");
    }
    assert_eq!(stage.contacts.keys("people").len(), 3);
    stage.sync_calendar().await.unwrap();
    stage.sync_contacts().await.unwrap();
    stage.assert_calendar_equal("whole");
    stage.assert_contacts_equal("whole");
}

#[tokio::test]
async fn a_list_without_an_end_is_ended() {
    let Some(mut stage) = stage("a_list_without_an_end").await else {
        return;
    };
    let pages: [fn(&str) -> Value; 2] = [
        // Always the same items, by other tokens: a fault that was seen at another provider.
        |target| json!({"items": [{"id": "z"}], "connections": [{"resourceName": "people/z"}], "nextPageToken": target}),
        |_| json!({"items": [], "connections": [], "nextPageToken": "same"}),
    ];
    for page in pages {
        let page = move |target: &str| wire::json(200, "", &page(target));
        for path in [EVENTS, PEOPLE] {
            stage.google().faults.always(path, Law::Broken, page);
        }
        stage.asked();
        for failure in failures(&mut stage).await {
            assert_eq!(failure.kind, FailureKind::Malformed, "{failure}");
        }
        assert!(stage.asked().len() < 10);
        stage.google().faults.clear();
        assert_goes_on(&mut stage, "endless").await;
    }
}

#[tokio::test]
async fn a_redirect_to_a_foreign_host_gets_no_token() {
    let Some(stage) = stage("google_redirect_to_foreign").await else {
        return;
    };
    let sink = stage.sink().await;
    let calendar = GoogleCalendarFeed::new(stage.client(Some(&sink)));
    let people = GooglePeopleFeed::new(stage.client(Some(&sink)));
    for status in [301, 302, 307, 308] {
        for path in ["/calendarList", "/contactGroups"] {
            let moved = move |_: &str| raw(status, "location: https://sink.test/caught\r\n", "");
            stage.google().faults.once(path, Law::Broken, moved);
        }
        for failure in [
            calendar.check().await.unwrap_err(),
            people.check().await.unwrap_err(),
        ] {
            assert_eq!(failure.kind, FailureKind::ForbiddenAddress, "{failure}");
        }
    }
    assert_eq!(sink.received(), [""; 0]);
}
