//! Mail, calendars and contacts of a Microsoft account: after each round the store holds what the stand-in has.
//!
//! ```text
//! stage     an account at the stand-in, and rounds
//! contacts, mail, calendar   what comes of each     trouble   every way in which it fails
//! kills     rounds that are cut off anywhere        account   whose sign-in it is
//! judge     whether the stand-in is like Graph
//! ```

mod account;
mod calendar;
mod contacts;
mod judge;
mod kills;
mod mail;
pub mod stage;
mod trouble;

use serde_json::{Value, json};

fn contact(id: &str, name: &str) -> Value {
    json!({
        "id": id, "displayName": name, "givenName": name,
        "emailAddresses": [{"name": name, "address": format!("{id}@example.com")}],
    })
}

pub fn message(id: &str, text: &str) -> Value {
    json!({
        "id": id, "internetMessageId": format!("<{id}@example.com>"), "conversationId": "c", "subject": "Hello",
        "from": {"emailAddress": {"name": "Ann", "address": "ann@example.com"}},
        "toRecipients": [{"emailAddress": {"name": "Bob", "address": "bob@example.com"}}],
        "sentDateTime": "2026-01-02T03:04:05Z", "receivedDateTime": "2026-01-02T03:04:06Z",
        "isRead": false, "isDraft": false, "flag": {"flagStatus": "notFlagged"}, "hasAttachments": false,
        "body": {"contentType": "text", "content": text},
    })
}

fn event(id: &str, title: &str, start: &str, end: &str) -> Value {
    json!({
        "id": id, "type": "singleInstance", "iCalUId": format!("uid-{id}"), "subject": title,
        "start": {"dateTime": format!("{start}.0000000"), "timeZone": "UTC"},
        "end": {"dateTime": format!("{end}.0000000"), "timeZone": "UTC"},
        "originalStartTimeZone": "W. Europe Standard Time", "isAllDay": false,
    })
}
