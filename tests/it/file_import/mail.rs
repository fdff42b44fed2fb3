//! `.eml`: every fixture completely, and the fields of what is stored, against the facts that ship with the files and
//! against Python's own modules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chrono::{Duration, NaiveDate};
use serde_json::{Map, Value, json};
use sextant::ingest::limits::SEARCHABLE_CHARACTERS_MAX;
use sextant_formats::{FileError, FileSource};

use super::{Read, fixture, fixtures, read, read_bytes, read_fixture};
use crate::support::python;

const SCRIPT: &str = "tests/peers/mail.py";

/// Fields in which we differ from the facts that ship with the files, and why.
const OTHER_THAN_SHIPPED: [(&str, &str, &str); 2] = [
    (
        "legacy-027.eml",
        "subject",
        "Latin-1 in a bare header is read as such",
    ),
    (
        "thirdparty-015.eml",
        "attachments",
        "messages within a message are not looked into, so an unclosed one hides no other",
    ),
];
/// Fields in which we differ from Python, and why.
const OTHER_THAN_PYTHON: [(&str, &str, &str); 3] = [
    (
        "legacy-027.eml",
        "subject",
        "Python puts U+FFFD for Latin-1 in a bare header",
    ),
    ("rfc-001.eml", "from", "a name is no address"),
    ("rfc-004.eml", "from", "a name is no address"),
];

/// The fields of a message that are compared.
fn facts(record: &Map<String, Value>) -> Value {
    let attachments = record["attachments"].as_array().unwrap();
    let names: Vec<_> = attachments
        .iter()
        .filter_map(|one| one.get("filename"))
        .collect();
    json!({
        "message_id": record.get("message_id"),
        "subject": record.get("subject"),
        "from": record.get("from_email"),
        "sent_at": record.get("sent_at"),
        "attachments": names,
    })
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// The fields that differ, with the file's name.
fn differing(file: &str, ours: &Value, theirs: &Value) -> Vec<(String, String)> {
    let fields = ours.as_object().unwrap().iter();
    let differing = fields.filter(|(name, value)| theirs[name.as_str()] != **value);
    differing
        .map(|(name, _)| (file.to_owned(), name.clone()))
        .collect()
}

/// Asserts that all differences are known ones, and that all known ones still occur.
fn assert_known(mut differing: Vec<(String, String)>, known: &[(&str, &str, &str)]) {
    let known = known.iter();
    let mut known: Vec<_> = known
        .map(|(file, field, _)| ((*file).to_owned(), (*field).to_owned()))
        .collect();
    differing.sort();
    known.sort();
    assert_eq!(differing, known);
}

/// The facts that ship with a file, in the form of ours.
fn shipped(facts: &Value) -> Value {
    let address = facts["from"][0][1]
        .as_str()
        .filter(|address| address.contains('@'));
    let names: Vec<_> = facts["attachments"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|name| !name.is_null())
        .collect();
    let date = facts["date"].as_array().map(|date| {
        let part = |at: usize| u32::try_from(date[at].as_u64().unwrap()).unwrap();
        let day =
            NaiveDate::from_ymd_opt(date[0].as_i64().unwrap() as i32, part(1), part(2)).unwrap();
        let local = day.and_hms_opt(part(3), part(4), part(5)).unwrap();
        let instant = local - Duration::minutes(date[6].as_i64().unwrap());
        instant.format("%Y-%m-%dT%H:%M:%SZ").to_string()
    });
    json!({
        "message_id": facts["message_id"],
        "subject": facts["subject"],
        "from": address,
        "sent_at": date,
        "attachments": names,
    })
}

#[test]
fn every_message_is_stored_or_refused_for_a_reason() {
    let mut refused = BTreeMap::new();
    for path in fixtures("mail", "eml") {
        let read = read(&FileSource::File(path.clone())).unwrap();
        assert_eq!(read.len(), 1, "{}", path.display());
        assert!(
            read.records
                .iter()
                .all(|(table, ..)| table == "mail.messages")
        );
        refused.extend(
            read.refused
                .into_iter()
                .map(|(_, reason)| (file_name(&path), reason)),
        );
    }
    let empty = "it is empty: it has neither subject, sender, text nor Message-ID".to_owned();
    let expected = ["malformed-000.eml"].map(|file| (file.to_owned(), empty.clone()));
    assert_eq!(refused, BTreeMap::from(expected));
}

#[test]
fn what_ships_with_the_files_is_what_is_stored() {
    let expected = std::fs::read(fixture("mail/expected.json")).unwrap();
    let expected: BTreeMap<String, Value> = serde_json::from_slice(&expected).unwrap();
    let mut found = Vec::new();
    for (file, facts_shipped) in &expected {
        let read = read_fixture(&format!("mail/{file}"));
        let Some((.., record)) = read.records.first() else {
            continue;
        };
        let recipients = record
            .get("to")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        assert_eq!(json!(recipients), facts_shipped["to"], "{file}: to");
        found.extend(differing(file, &facts(record), &shipped(facts_shipped)));
    }
    assert_known(found, &OTHER_THAN_SHIPPED);
}

/// What Python reads in each of these files.
fn read_by_python(files: &[PathBuf]) -> BTreeMap<String, Vec<Value>> {
    python::run(SCRIPT, &[], files)
}

fn sorted(mut values: Vec<Value>) -> Vec<Value> {
    values.sort_by_key(Value::to_string);
    values
}

#[test]
fn python_reads_the_same_in_every_message() {
    if !python::installed("mail") {
        return;
    }
    let files = fixtures("mail", "eml");
    let by_python = read_by_python(&files);
    let mut found = Vec::new();
    for path in &files {
        let read = read(&FileSource::File(path.clone())).unwrap();
        let Some((.., record)) = read.records.first() else {
            continue;
        };
        let theirs = &by_python[&path.to_string_lossy().into_owned()][0];
        found.extend(differing(&file_name(path), &facts(record), theirs));
    }
    assert_known(found, &OTHER_THAN_PYTHON);
}

#[test]
fn python_reads_the_same_in_a_mailbox_and_in_a_folder_of_them() {
    if !python::installed("mailboxes") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (mailbox, maildir) = (
        folder.path().join("all.mbox"),
        folder.path().join("Maildir"),
    );
    for part in ["cur", "new", "tmp", ".Sent/cur", ".Sent/new", ".Sent/tmp"] {
        std::fs::create_dir_all(maildir.join(part)).unwrap();
    }
    let mut joined = Vec::new();
    for (ordinal, path) in fixtures("mail", "eml").iter().enumerate() {
        // As mail programs write it: one kind of line end, and each `From ` in a text quoted.
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).replace("\r\n", "\n");
        let quoted = text.replace("\nFrom ", "\n>From ");
        joined.push(format!(
            "From a@b.example Sat Nov 21 06:44:56 2026\n{}\n\n",
            quoted.trim_end()
        ));
        let part = ["cur", "new", ".Sent/cur"][ordinal % 3];
        std::fs::write(maildir.join(part).join(format!("{ordinal}.x:2,S")), text).unwrap();
    }
    std::fs::write(&mailbox, joined.concat()).unwrap();
    let by_python = read_by_python(&[mailbox.clone(), maildir.clone()]);
    for path in [mailbox, maildir] {
        let read = read(&FileSource::File(path.clone())).unwrap();
        let theirs = by_python[&path.to_string_lossy().into_owned()].clone();
        assert_eq!(read.len(), theirs.len());
        let is_compared = |facts: &Value| {
            facts["from"]
                .as_str()
                .is_some_and(|from| from.contains('@'))
        };
        let named = |facts: &Value| !facts["message_id"].is_null() && is_compared(facts);
        let ours: Vec<_> = read
            .records
            .iter()
            .map(|(.., record)| facts(record))
            .filter(named)
            .collect();
        let theirs: Vec<_> = theirs.into_iter().filter(named).collect();
        assert!(ours.len() >= 20, "{}", ours.len());
        assert_eq!(sorted(ours), sorted(theirs), "{}", path.display());
    }
}

#[test]
fn a_second_reading_gives_the_same_ids() {
    for path in fixtures("mail", "eml") {
        let source = FileSource::File(path);
        assert_eq!(read(&source).unwrap().ids(), read(&source).unwrap().ids());
    }
}

const MAIL: &str = "Received: from a by b; Sat, 21 Nov 2026 07:00:00 +0100\r\nReceived: from c by a; Sat, 21 Nov 2026 06:59:00 +0100\r\n\
From: =?utf-8?q?J=C3=B6rg?= <joerg@example.com>\r\nSender: list@example.com\r\nTo: Ann <ann@example.com>, bob@example.com\r\nCc: undisclosed-recipients:;\r\n\
Reply-To: <answers@example.com>\r\nSubject: =?utf-8?B?UmU6IENhZsOp?=\r\n =?utf-8?Q?_am_Abend?=\r\nDate: Sat, 21 Nov 2026 06:58:30 +0100\r\n\
Message-ID: <3@example.com>\r\nIn-Reply-To: <2@example.com>\r\nReferences: <1@example.com>\r\n <2@example.com>\r\nList-Id: \"The list\" <list.example.com>\r\n\
X-Priority: 1 (Highest)\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"m\"\r\n\r\nnot shown\r\n--m\r\nContent-Type: multipart/alternative; boundary=\"a\"\r\n\r\n\
--a\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nCaf=E9,  um\r\nsieben?\r\n\
--a\r\nContent-Type: text/html\r\n\r\n<b>Caf&eacute;</b>\r\n--a--\r\n\
--m\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename*0*=UTF-8''K%C3%A4se; filename*1*=%20neu.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nQUJDRA==\r\n\
--m\r\nContent-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nx\r\n--m\r\nContent-Type: text/plain\r\n\r\nThe list\r\n--m--\r\n";

#[test]
fn a_mail_keeps_all_that_has_a_column() {
    let read = read_bytes("a.eml", MAIL);
    let expected = json!({
        "id": "3@example.com", "message_id": "3@example.com", "in_reply_to": ["2@example.com"], "thread_id": "1@example.com",
        "subject": "Re: Café am Abend", "from_name": "Jörg", "from_email": "joerg@example.com", "sender": {"email": "list@example.com"},
        "to": [{"name": "Ann", "email": "ann@example.com"}, {"email": "bob@example.com"}], "cc": [{"name": "undisclosed-recipients"}],
        "reply_to": [{"email": "answers@example.com"}], "sent_at": "2026-11-21T05:58:30Z", "received_at": "2026-11-21T06:00:00Z",
        "list_id": "list.example.com", "importance": "high", "size": MAIL.len(), "preview": "Café, um sieben? The list",
        "body_text": "Café,  um\nsieben?\n\nThe list", "has_attachment": true, "raw": {"message": MAIL},
        "attachments": [
            {"part_id": "2", "filename": "Käse neu.pdf", "content_type": "application/pdf", "size": 4, "is_inline": false},
            {"part_id": "3", "content_type": "message/rfc822", "size": 19, "is_inline": false},
        ],
    });
    let record = read.by_id("3@example.com");
    for (name, value) in record {
        assert_eq!(value, &expected[name], "{name}");
    }
    assert_eq!(record.len(), expected.as_object().unwrap().len());
    assert_eq!(read.records[0].1, 1);
}

#[test]
fn a_mail_without_an_id_is_called_by_its_content() {
    let text = MAIL.replace("Message-ID: <3@example.com>\r\n", "");
    let (one, read_later) = (
        read_bytes("a.eml", text.clone()),
        format!("X-Mozilla-Status: 0001\r\n{text}"),
    );
    let id = one.ids()[0].to_owned();
    assert_eq!(id.len(), 32);
    assert_eq!(read_bytes("b.eml", read_later).ids(), [id.as_str()]);
    assert_ne!(
        read_bytes("b.eml", text.replace("sieben", "acht")).ids(),
        [id.as_str()]
    );
}

/// The id was computed before `to` had this name, and must not change: a folder that is pushed again would duplicate
/// mails.
#[test]
fn the_id_of_a_mail_without_one_of_its_own_stays() {
    let text = "From: Ada <ada@example.com>\nTo: Bob <bob@example.com>, carol@example.com\nSubject: Nameless\n\
        Date: Tue, 3 Mar 2026 10:00:00 +0000\n\nHello\n";
    let read = read_bytes("nameless.eml", text);
    assert_eq!(read.ids(), ["68c5f8bf93bf24aee34a7406cb037ce9"]);
}

#[test]
fn the_store_takes_what_a_long_mail_is_cut_to() {
    let subject = "s".repeat(5_000);
    let text = format!(
        "Subject: {subject}\r\nFrom: {subject} <a@b.example>\r\n\r\n{}",
        "日本 ".repeat(200_000)
    );
    let read = read_bytes("a.eml", text);
    let record = &read.records[0].2;
    let searchable = ["subject", "from_name", "from_email", "body_text"];
    let characters: usize = searchable
        .iter()
        .map(|name| record[*name].as_str().unwrap().chars().count())
        .sum();
    assert!(
        characters <= SEARCHABLE_CHARACTERS_MAX
            && record["body_text"].as_str().unwrap().len() <= 256 * 1024
    );
    assert_eq!(
        (&record["body_truncated"], &record["raw"]["truncated"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(record["preview"].as_str().unwrap().chars().count(), 256);
}

fn reason(read: Read) -> String {
    assert_eq!(read.len(), 1);
    read.refused.into_iter().next().unwrap().1
}

#[test]
fn what_is_no_mail_is_refused() {
    let bytes: Vec<u8> = (0..=255).cycle().take(5_000).collect();
    assert!(reason(read_bytes("a.eml", bytes)).starts_with("it is no mail message"));
    assert!(
        reason(read_bytes("a.eml", "just: a text\n\nof lines\n"))
            .starts_with("it is no mail message")
    );
    let long = format!(
        "Subject: x\n\n{}",
        "not base64 at all, and on it goes\n".repeat(1_200_000)
    );
    assert!(reason(read_bytes("a.eml", long)).starts_with("it is longer than 16777216 bytes"));
    for name in ["a.eml", "a.mbox", "a.emlx"] {
        let source = |bytes: &[u8]| FileSource::Bytes {
            name: name.to_owned(),
            bytes: bytes.into(),
        };
        let refused = read(&source(b"")).err().unwrap();
        assert!(matches!(refused, FileError::Empty), "{refused}");
    }
    let beginning = FileSource::Bytes {
        name: "a.emlx".to_owned(),
        bytes: b"x".as_slice().into(),
    };
    let message = "this is no .emlx: it does not begin with the length of its message";
    assert_eq!(read(&beginning).err().unwrap().to_string(), message);
    let source = FileSource::Bytes {
        name: "a.mbox".to_owned(),
        bytes: MAIL.as_bytes().into(),
    };
    assert!(
        read(&source)
            .err()
            .unwrap()
            .to_string()
            .starts_with("this is no mbox")
    );
}

#[test]
fn messages_within_messages_do_not_fill_the_stack() {
    let nested = "Content-Type: message/rfc822\n\n".repeat(20_000);
    let many = format!("Subject: deep\nMessage-ID: <d@e.example>\n{nested}");
    let encoded = format!(
        "Subject: deep\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}",
        base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &nested)
    );
    for text in [many, encoded] {
        assert_eq!(read_bytes("a.eml", text).records[0].2["subject"], "deep");
    }
}

#[test]
fn no_damage_to_a_mail_stops_the_reading() {
    for path in fixtures("mail", "eml") {
        let whole = std::fs::read(&path).unwrap();
        for step in 1..12 {
            let mut damaged = whole.clone();
            damaged.truncate(whole.len() * step / 12);
            let mid = damaged.len() / 2;
            for (at, byte) in damaged.iter_mut().enumerate().skip(mid) {
                if at.wrapping_mul(2_654_435_761) % 97 == step {
                    *byte = b"\0\xFF\n-:;=\"("[at % 9];
                }
            }
            assert_eq!(read_bytes("a.eml", damaged).len(), 1);
        }
    }
}
