//! Mail: folders with their roles, messages, marks, windows, and what is too long.

use chrono::Duration;
use serde_json::json;

use super::message;
use super::stage::{Sector, World};
use crate::support::stand_ins::faults::Law;
use crate::support::stand_ins::wire::raw;

const INBOX: &str = "mailFolders/in/messages";

async fn world(test: &str) -> Option<World> {
    let world = World::start(test, Sector::Mail).await?;
    {
        let mut graph = world.graph();
        graph.put("mailFolders", json!({"id": "in", "displayName": "Inbox", "parentFolderId": "root", "totalItemCount": 2, "unreadItemCount": 1}));
        graph.put(
            "mailFolders",
            json!({"id": "old", "displayName": "Old", "parentFolderId": "in"}),
        );
        graph.put(
            "mailFolders",
            json!({"id": "h", "displayName": "Hidden", "isHidden": true}),
        );
        graph
            .singles
            .insert("mailFolders/inbox".to_owned(), json!({"id": "in"}));
        for number in 0..5 {
            graph.put(INBOX, message(&format!("m{number}"), "Hello"));
        }
    }
    Some(world)
}

#[tokio::test]
async fn mail_is_read_marked_moved_and_removed() {
    let Some(mut world) = world("mail").await else {
        return;
    };
    world.sync().await.unwrap();
    world.assert_equal("in", INBOX);
    let boxes = world.store.records("mail.mailboxes");
    assert_eq!(boxes.keys().copied().collect::<Vec<_>>(), ["in", "old"]);
    let expected =
        json!({"name": "Inbox", "path": "Inbox", "role": "inbox", "total": 2, "unread": 1});
    assert_eq!(
        serde_json::Value::Object(boxes["in"].fields.clone()),
        expected
    );
    assert_eq!(boxes["old"].fields["path"], "Inbox/Old");
    let first = world.store.records("mail.messages")["in/m0"].fields.clone();
    assert_eq!(
        (&first["is_read"], &first["body_text"]),
        (&json!(false), &json!("Hello"))
    );

    world.asked("");
    world.graph().mark(INBOX, "m0", "isRead", json!(true));
    world.sync().await.unwrap();
    assert_eq!(world.store.changed, ["m0"]);
    assert_eq!(
        world.asked("/messages/m0"),
        0,
        "the marks are told, the rest is stored"
    );
    let marked = world.store.records("mail.messages")["in/m0"].fields.clone();
    assert_eq!(
        (&marked["is_read"], &marked["body_text"]),
        (&json!(true), &json!("Hello"))
    );

    let moved = world.graph().there(INBOX)["m1"].clone();
    world.graph().remove(INBOX, "m1");
    world
        .graph()
        .put("mailFolders/old/messages", serde_json::Value::Object(moved));
    world.graph().remove(INBOX, "m2");
    world.sync().await.unwrap();
    world.assert_equal("in", INBOX);
    world.assert_equal("old", "mailFolders/old/messages");
    let mails = world.store.records("mail.messages");
    assert!(mails.contains_key("old/m1") && !mails.contains_key("in/m1") && mails.len() == 4);
    assert_eq!(mails["old/m1"].fields["mailbox_id"], "old");
}

#[tokio::test]
async fn a_renamed_folder_tells_the_paths_below_it() {
    let Some(mut world) = world("a_renamed_folder").await else {
        return;
    };
    world.sync().await.unwrap();
    world.graph().put(
        "mailFolders",
        json!({"id": "in", "displayName": "Post", "parentFolderId": "root"}),
    );
    world.sync().await.unwrap();
    assert_eq!(
        world.store.records("mail.mailboxes")["old"].fields["path"],
        "Post/Old"
    );
    assert_eq!(world.store.changed, ["in", "old"]);
}

#[tokio::test]
async fn attachments_are_named_and_what_has_gone_meanwhile_is_no_failure() {
    let Some(mut world) = world("attachments").await else {
        return;
    };
    let mut mail = message("a", "Look");
    mail["hasAttachments"] = json!(true);
    world.graph().put(INBOX, mail);
    let listed = json!({"value": [{"id": "f", "name": "a.pdf", "contentType": "application/pdf", "size": 3, "isInline": false}]});
    world
        .graph()
        .singles
        .insert("messages/a/attachments".to_owned(), listed);
    // Told without its text, and gone when it is asked for.
    let gone = json!({"id": "gone", "subject": "x", "receivedDateTime": "2026-01-01T00:00:00Z"});
    world.graph().put(INBOX, gone);
    let not_found = |_: &str| raw(404, "", "{}");
    world
        .graph()
        .faults
        .once("/messages/gone", Law::Broken, not_found);
    world.sync().await.unwrap();
    let mails = world.store.records("mail.messages");
    assert_eq!(mails["in/a"].fields["attachments"][0]["filename"], "a.pdf");
    assert!(!mails.contains_key("in/gone"));
}

#[tokio::test]
async fn a_mail_that_is_too_long_costs_no_other() {
    let Some(mut world) = world("too_long").await else {
        return;
    };
    world
        .graph()
        .put(INBOX, message("long", &"x".repeat(9 << 20)));
    world.sync().await.unwrap();
    // Without the texts in its list, each is asked for by itself.
    assert_eq!(world.store.keys("in"), ["m0", "m1", "m2", "m3", "m4"]);
    let skipped: Vec<_> = world
        .store
        .skipped
        .iter()
        .map(|one| one.key.as_str())
        .collect();
    assert_eq!(skipped, ["long"]);
    world.graph().remove(INBOX, "long");
    world.graph().put(INBOX, message("m5", "Hello"));
    world.sync().await.unwrap();
    world.assert_equal("in", INBOX);
}

#[tokio::test]
async fn only_what_is_wanted_is_read_and_a_wider_window_fetches_the_rest() {
    let Some(mut world) = world("window").await else {
        return;
    };
    let mut old = message("old", "Once");
    old["receivedDateTime"] = json!("2019-01-01T00:00:00Z");
    world.graph().put(INBOX, old);
    for (days, expected) in [(Some(365), 5), (None, 6), (Some(30), 6)] {
        world.back = days.map(Duration::days);
        world.sync().await.unwrap();
        // A narrower window takes nothing away.
        assert_eq!(world.store.keys("in").len(), expected, "{days:?}");
    }
}
