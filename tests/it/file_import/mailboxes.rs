//! `.mbox`, Maildir and `.emlx`, as common programs write them.

use std::path::Path;

use serde_json::{Value, json};
use sextant_formats::is_maildir;
use sextant_formats::{FileSource, FileWalk, Options};

use super::{Read, read, read_bytes, read_bytes_with};
use crate::support::packed;

fn mail(id: &str, more: &str) -> String {
    format!(
        "Message-ID: <{id}@example.com>\nFrom: Ann <ann@example.com>\nSubject: {id}\nDate: Sat, 21 Nov 2026 06:44:56 +0100\n{more}\nText of {id}\n"
    )
}

fn mailbox(separator: &str, mails: &[String]) -> String {
    mails
        .iter()
        .map(|mail| format!("{separator}\n{mail}\n"))
        .collect()
}

fn field<'a>(read: &'a Read, id: &str, name: &str) -> &'a Value {
    read.by_id(&format!("{id}@example.com"))
        .get(name)
        .unwrap_or(&Value::Null)
}

#[test]
fn thunderbird_has_no_extension_and_its_states_in_bits() {
    let text = mailbox(
        "From - Sat Nov 21 06:44:56 2026",
        &[
            mail(
                "read",
                "X-Mozilla-Status: 0003\nX-Mozilla-Status2: 00000000\nX-Mozilla-Keys: $label1                    \n",
            ),
            mail("new", "X-Mozilla-Status: 0004\n"),
            mail("gone", "X-Mozilla-Status: 0009\n"),
        ],
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Archives.sbd");
    std::fs::create_dir(&path).unwrap();
    let path = path.join("Gesendet");
    std::fs::write(&path, text.replace('\n', "\r\n")).unwrap();
    let read = read(&FileSource::File(path)).unwrap();
    assert_eq!(read.ids(), ["read@example.com", "new@example.com"]);
    assert_eq!(
        (
            field(&read, "read", "is_read"),
            field(&read, "new", "is_read")
        ),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        (
            field(&read, "read", "is_answered"),
            field(&read, "new", "is_flagged")
        ),
        (&json!(true), &json!(true))
    );
    assert_eq!(field(&read, "read", "categories"), &json!(["$label1"]));
    let mailbox = json!({"id": "Archives/Gesendet", "name": "Gesendet", "path": "Archives/Gesendet", "parent_id": "Archives", "role": "sent"});
    assert_eq!(field(&read, "read", "mailbox"), &mailbox);
    assert_eq!(field(&read, "read", "received_at"), "2026-11-21T05:44:56Z");
    assert!(
        read.refused[0].0.ends_with("message gone@example.com")
            && read.refused[0].1.contains("deleted")
    );
}

#[test]
fn gmail_says_by_labels_where_a_mail_lies() {
    let text = mailbox(
        "From 1851024@xxx Sat Nov 21 06:44:56 +0000 2026",
        &[
            mail(
                "inbox",
                "X-GM-THRID: 1851\nX-Gmail-Labels: Inbox,Unread,\"Trips, long\",Category Updates\n",
            ),
            mail(
                "sent",
                "X-GM-THRID: 1851\nReferences: <other@example.com>\nX-Gmail-Labels: =?UTF-8?Q?Gesendet,Ge=C3=B6ffnet,Markiert?=\n",
            ),
            mail("kept", "X-Gmail-Labels: Archived,Opened\n"),
        ],
    );
    let read = read_bytes("All mail Including Spam and Trash.mbox", text);
    assert_eq!(
        field(&read, "inbox", "thread_id"),
        field(&read, "sent", "thread_id")
    );
    assert_eq!(field(&read, "inbox", "thread_id"), "1851");
    assert_eq!(
        field(&read, "inbox", "categories"),
        &json!(["Trips, long", "Category Updates"])
    );
    assert_eq!(
        (
            field(&read, "inbox", "is_read"),
            field(&read, "sent", "is_read")
        ),
        (&json!(false), &json!(true))
    );
    assert_eq!(field(&read, "sent", "is_flagged"), &json!(true));
    let roles = ["inbox", "sent", "kept"].map(|id| field(&read, id, "mailbox")["role"].clone());
    assert_eq!(roles, ["inbox", "sent", "archive"]);
    assert_eq!(field(&read, "sent", "received_at"), "2026-11-21T06:44:56Z");
}

#[test]
fn mutt_has_letters_and_a_mailbox_has_its_own_name() {
    let text = mailbox(
        "From ann@example.com Sat Nov 21 06:44:56 2026",
        &[
            mail("a", "Status: RO\nX-Status: A\nX-Label: home\n"),
            mail("b", "Status: O\n"),
            mail("c", ""),
        ],
    );
    let read = read_bytes("Drafts.mbox", format!("\u{feff}{}", text.trim_end()));
    let is_read = ["a", "b", "c"].map(|id| field(&read, id, "is_read").clone());
    assert_eq!(is_read, [json!(true), json!(false), Value::Null]);
    assert_eq!(
        (
            field(&read, "a", "is_answered"),
            field(&read, "a", "categories")
        ),
        (&json!(true), &json!(["home"]))
    );
    assert_eq!(
        (
            field(&read, "c", "mailbox")["role"].as_str(),
            field(&read, "c", "is_draft")
        ),
        (Some("drafts"), &json!(true))
    );
    assert_eq!(field(&read, "c", "body_text"), "Text of c");
    assert_eq!(read.records[1].1, 12);
}

#[test]
fn one_message_id_may_stand_for_two_messages_and_a_copy_is_none() {
    let one = mail("a", "");
    let changed = one.replace("Text of", "Another text of");
    let seen = one.replace("\nFrom:", "\nStatus: R\nFrom:");
    let read = read_bytes(
        "x.mbox",
        mailbox(
            "From a@b.example Sat Nov 21 06:44:56 2026",
            &[one, seen, changed],
        ),
    );
    assert_eq!(
        read.ids(),
        ["a@example.com", "a@example.com", "a@example.com~2"]
    );
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[test]
fn a_maildir_is_one_file_of_many_mailboxes() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("ann");
    for (file, text) in [
        ("cur/1795243496.M1.host,S=10:2,FS", mail("seen", "")),
        ("new/1795243497.M2.host", mail("new", "")),
        ("tmp/1795243498.M3.host", mail("half", "")),
        ("cur/.hidden", "x".to_owned()),
        ("cur/1795243499.M4.host:2,ST", mail("gone", "")),
        (
            ".Entw&APw-rfe/cur/1795243500.M5.host:2,DS",
            mail("draft", ""),
        ),
        (
            ".Archive.2024/cur/1795243501.M6.host;2,RS",
            mail("seen", ""),
        ),
        (".Archive.2024/new/1795243501.M7.host", String::new()),
        (".Entw&APw-rfe/new/x", "\0\0".to_owned()),
        ("dovecot-uidlist", "3 V1\n".to_owned()),
    ] {
        write(&root.join(file), &text);
    }
    assert!(
        is_maildir(&root) && is_maildir(&root.join(".Archive.2024")) && !is_maildir(folder.path())
    );
    let read = read(&FileSource::File(root.clone())).unwrap();
    assert_eq!(
        read.ids(),
        [
            "seen@example.com",
            "new@example.com",
            "seen@example.com~2",
            "draft@example.com"
        ]
    );
    let seen = read.by_id("seen@example.com");
    assert_eq!(
        (
            &seen["is_read"],
            &seen["is_flagged"],
            &seen["mailbox"]["role"]
        ),
        (&json!(true), &json!(true), &json!("inbox"))
    );
    assert_eq!(seen["received_at"], "2026-11-21T06:44:56Z");
    assert_eq!(field(&read, "new", "is_read"), &json!(false));
    let archived = read.by_id("seen@example.com~2");
    assert_eq!(
        (&archived["mailbox"]["path"], &archived["is_answered"]),
        (&json!("Archive/2024"), &json!(true))
    );
    assert_eq!(field(&read, "draft", "mailbox")["name"], "Entwürfe");
    let reasons: Vec<_> = read
        .refused
        .iter()
        .map(|(place, reason)| (place.as_str(), &reason[..12]))
        .collect();
    let expected = [
        (
            "line 1, cur/1795243499.M4.host:2,ST gone@example.com",
            "it has been ",
        ),
        (
            "line 1, .Archive.2024/new/1795243501.M7.host",
            "the file is ",
        ),
        ("line 1, .Entw&APw-rfe/new/x", "it is no mai"),
    ];
    assert_eq!(reasons, expected);
}

#[test]
fn a_maildir_in_an_archive_is_read_as_one_outside() {
    let folder = tempfile::tempdir().unwrap();
    let letters = [
        (
            "Maildir/.Sent.2024/cur/1795243501.M6.host_2,RS",
            mail("seen", ""),
        ),
        ("Maildir/.Sent.2024/new/1795243502_0.M7.host", String::new()),
        (
            "Maildir/cur/1795243496.M1.host,S=10:2,FS",
            mail("seen", "X-One: 1\n"),
        ),
        ("Maildir/cur/1795243499.M4.host:2,ST", mail("gone", "")),
        ("Maildir/dovecot-uidlist", "3 V1\n".to_owned()),
        ("Maildir/new/1795243497.M2.host", mail("new", "")),
        ("Maildir/tmp/1795243498.M3.host", mail("half", "")),
        ("Other/cur/1795243496.M1.host:2,", mail("other", "")),
    ];
    for (file, text) in &letters {
        write(&folder.path().join(file), text);
    }
    for empty in ["Maildir/.Sent.2024", "Maildir", "Other"] {
        for part in ["cur", "new"] {
            std::fs::create_dir_all(folder.path().join(empty).join(part)).unwrap();
        }
    }
    let outside =
        ["Maildir", "Other"].map(|tree| read(&FileSource::File(folder.path().join(tree))).unwrap());
    assert_eq!(
        outside[0].ids(),
        ["seen@example.com", "new@example.com", "seen@example.com~2"]
    );
    assert_eq!(outside[0].refused.len(), 2);
    let mut files: Vec<_> = letters
        .iter()
        .map(|(name, text)| (*name, text.clone().into_bytes()))
        .collect();
    // What macOS packs beside a message is neither a message nor reported as skipped.
    let shadow = "__MACOSX/Other/cur/1795243496.M1.host:2,";
    files.push((shadow, b"\0\x05\x16\x07".to_vec()));
    let at = |name: &str| folder.path().join(name);
    packed::zip(&at("m.zip"), &files);
    packed::tgz(&at("m.tgz"), &files);
    std::fs::write(at("m.tar"), packed::tar(&files)).unwrap();
    let turned: Vec<_> = files.iter().rev().cloned().collect();
    std::fs::write(at("turned.tar"), packed::tar(&turned)).unwrap();
    for archive in ["m.zip", "m.tgz", "m.tar", "turned.tar"] {
        let mut walk = FileWalk::new(&[at(archive)]);
        let mut found: Vec<_> = walk.by_ref().collect();
        found.sort_by(|one, other| one.name.cmp(&other.name));
        let names: Vec<_> = found
            .iter()
            .map(|found| found.name.rsplit_once(' ').unwrap().1)
            .collect();
        assert_eq!(names, ["Maildir", "Other"], "{archive}");
        assert_eq!(
            walk.passed_over().to_string(),
            "2 files of kinds that are not read (.host 1, without an ending 1)"
        );
        for (found, outside) in found.into_iter().zip(&outside) {
            let inside = read(&found.source.unwrap()).unwrap();
            assert_eq!(inside.records, outside.records, "{archive}");
            assert_eq!(inside.refused, outside.refused, "{archive}");
        }
    }
}

#[test]
fn a_single_file_of_a_maildir_knows_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder
        .path()
        .join("Maildir/cur/1795243496.M1.host,S=10:2,S");
    write(&file, &mail("a", ""));
    write(&folder.path().join("Maildir/new/x"), "");
    let read = read(&FileSource::File(file)).unwrap();
    assert_eq!(
        (
            field(&read, "a", "is_read"),
            field(&read, "a", "mailbox")["role"].as_str()
        ),
        (&json!(true), Some("inbox"))
    );
}

#[test]
fn apple_mail_puts_its_flags_behind_the_message() {
    let message = mail("a", "");
    let list = "<?xml version=\"1.0\"?>\n<plist><dict>\n<key>flags</key>\n<integer>8590195729</integer>\n</dict></plist>\n";
    let read = read_bytes("1.emlx", format!("{}\n{message}{list}", message.len()));
    assert_eq!(
        (
            field(&read, "a", "is_read"),
            field(&read, "a", "is_flagged")
        ),
        (&json!(true), &json!(true))
    );
    assert_eq!(field(&read, "a", "raw"), &json!({"message": message}));
    assert_eq!(
        (field(&read, "a", "size"), field(&read, "a", "body_text")),
        (&json!(message.len()), &json!("Text of a"))
    );
    let cut_off = format!("{}\n{message}", message.len() + 1);
    let told = read_bytes_with("1.emlx", cut_off, &Options::default()).err();
    assert!(told.unwrap().to_string().contains("cut off"));
}

#[test]
fn a_date_that_does_not_exist_is_told_and_costs_no_message() {
    let text = mail("a", "").replace(
        "Sat, 21 Nov 2026 06:44:56 +0100",
        "Mon, 30 Feb 2026 10:00:00 +0000",
    );
    let read = read_bytes("1.eml", text);
    let told = json!(["Date `Mon, 30 Feb 2026 10:00:00 +0000` is no time that can be stored"]);
    assert_eq!(field(&read, "a", "import_problems"), &told);
}

#[test]
fn a_large_attachment_is_counted_and_the_text_behind_it_is_read() {
    let line = "QUJD".repeat(19) + "\r\n";
    let lines = 60_000;
    let text = format!(
        "Subject: large\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/zip; name=a.zip\r\n\
         Content-Transfer-Encoding: base64\r\n\r\n{}QUI=\r\n--b\r\nContent-Type: text/plain\r\n\r\nbehind\r\n--b--\r\n",
        line.repeat(lines)
    );
    let size = text.len();
    let read = read_bytes("a.eml", text);
    let record = &read.records[0].2;
    assert_eq!(
        (&record["attachments"][0]["size"], &record["size"]),
        (&json!(lines * 57 + 2), &json!(size))
    );
    assert_eq!(
        (&record["body_text"], record.get("body_truncated")),
        (&json!("behind"), None)
    );
    assert_eq!(
        record["raw"]["message"].as_str().unwrap().len(),
        1024 * 1024
    );
}
