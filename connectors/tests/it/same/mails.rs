//! Mails: one with everything that all ways can say, and one as it is shown.

use serde_json::{Value, json};

use super::{by_file, by_rounds, without};
use crate::imap::dovecot::Dovecot;
use crate::microsoft::stage::{Sector, World};
use crate::support::store::Store;

/// In the words of RFC 5322, with a text and something attached.
const MAIL: &str = "Message-ID: <a@x.test>\r\nIn-Reply-To: <b@x.test>\r\nReferences: <c@x.test> <b@x.test>\r\n\
    Date: Fri, 2 Jan 2026 03:04:05 +0000\r\nFrom: \"Doe, Ann\" <ann@x.test>\r\nTo: Bob <bob@x.test>, c@x.test\r\n\
    Cc: Dan <dan@x.test>\r\nReply-To: desk@x.test\r\nSubject: =?utf-8?B?R3LDvMOfZSwgYWxs?=\r\nImportance: high\r\n\
    List-Id: Friends <list.x.test>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Content-Transfer-Encoding: 8bit\r\n\r\nHello Bob,\r\nsee you in M\u{fc}nchen.\r\n";

/// Marks of the place where it lies, its length there, and by what it is threaded there: a file has none of them.
const OF_ITS_PLACE: [&str; 8] = [
    "is_read",
    "is_draft",
    "is_flagged",
    "is_answered",
    "received_at",
    "size",
    "thread_id",
    "keywords",
];

fn filed() -> Vec<Value> {
    let filed = by_file("message.eml", MAIL);
    assert_eq!(filed.len(), 1);
    without(&filed, &OF_ITS_PLACE)
}

#[tokio::test]
async fn a_mail_by_imap_has_the_columns_of_its_file() {
    let Some(server) = Dovecot::start("same_mail_by_imap", None) else {
        return;
    };
    server.script(&format!(
        "ok(m.append('INBOX', '', None, {MAIL:?}.encode()))"
    ));
    let mut store = Store::default();
    store.sync(&server.feed(), super::now()).await.unwrap();
    let told = by_rounds(&store, "mail.messages");
    assert_eq!(without(&told, &OF_ITS_PLACE), filed());
}

#[tokio::test]
async fn a_mail_of_microsoft_has_the_columns_of_its_file() {
    let Some(mut world) = World::start("same_mail_of_microsoft", Sector::Mail).await else {
        return;
    };
    let person = |name: Option<&str>, address: &str| json!({"emailAddress": {"name": name, "address": address}});
    let header = |name: &str, value: &str| json!({"name": name, "value": value});
    let mail = json!({
        "id": "a", "internetMessageId": "<a@x.test>", "conversationId": "c1", "subject": "Gr\u{fc}\u{df}e, all",
        "from": person(Some("Doe, Ann"), "ann@x.test"), "sender": person(Some("Doe, Ann"), "ann@x.test"),
        "toRecipients": [person(Some("Bob"), "bob@x.test"), person(None, "c@x.test")],
        "ccRecipients": [person(Some("Dan"), "dan@x.test")], "replyTo": [person(None, "desk@x.test")],
        "sentDateTime": "2026-01-02T03:04:05Z", "receivedDateTime": "2026-01-02T03:04:07Z", "isRead": true, "isDraft": false,
        "flag": {"flagStatus": "notFlagged"}, "importance": "high", "hasAttachments": false, "categories": [],
        "internetMessageHeaders": [
            header("In-Reply-To", "<b@x.test>"), header("References", "<c@x.test> <b@x.test>"),
            header("List-Id", "Friends <list.x.test>"), header("Importance", "high"),
        ],
        "body": {"contentType": "text", "content": "Hello Bob,\r\nsee you in M\u{fc}nchen.\r\n"},
    });
    world
        .graph()
        .put("mailFolders", json!({"id": "in", "displayName": "Inbox"}));
    world.graph().put("mailFolders/in/messages", mail);
    world.sync().await.unwrap();
    let told = by_rounds(&world.store, "mail.messages");
    assert_eq!(without(&told, &OF_ITS_PLACE), filed());
}
