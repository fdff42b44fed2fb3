//! What must not hurt: wrong passwords, servers that misbehave, and mails that are none.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::round::Feed as _;
use sextant_formats::{FileEntry, FileReader, FileSource, Options, RecordFields};

use super::dovecot::{Dovecot, PASSWORD};
use super::fake::{FakeServer, MAIL};
use super::store::Store;
use crate::support::logged;

/// A word that a server says, which nobody must see.
const SEED: &str = "seeded-word-7141";

#[tokio::test]
async fn a_wrong_password_is_told_apart_from_other_trouble() {
    if let Some(mut server) = Dovecot::start("wrong_password", None) {
        assert_eq!(server.feed().check().await, Ok(()));
        let wrong = format!("{PASSWORD}-not");
        let failure = server.feed_with(&wrong).check().await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::CredentialRefused);
        assert!(!format!("{failure:?}").contains(PASSWORD), "{failure:?}");
        server.stop();
        let failure = server.feed().check().await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Unavailable);
    }
    for (said, kind) in [
        ("NO [UNAVAILABLE]", FailureKind::Unavailable),
        ("NO [LIMIT] too many", FailureKind::Unavailable),
        ("NO", FailureKind::Unavailable),
        ("NO [AUTHENTICATIONFAILED]", FailureKind::CredentialRefused),
        ("BAD", FailureKind::Rejected),
    ] {
        let answers = move |tag: &str, command: &str| {
            let is_login = command.starts_with("AUTHENTICATE");
            is_login.then(|| format!("{tag} {said} {SEED} {PASSWORD}\r\n").into_bytes())
        };
        let Some(server) = FakeServer::start("wrong_password", answers).await else {
            return;
        };
        let failure = server.feed().check().await.unwrap_err();
        assert_eq!(failure.kind, kind, "{said}");
        assert!(!failure.message.contains(PASSWORD) && !failure.message.contains(SEED));
    }
}

#[tokio::test]
async fn without_plain_the_password_goes_as_a_literal() {
    let answers = |tag: &str, command: &str| {
        let said = match command {
            "CAPABILITY" => format!("* CAPABILITY IMAP4rev1\r\n{tag} OK done\r\n"),
            _ => return None,
        };
        Some(said.into_bytes())
    };
    let Some(server) = FakeServer::start("literal", answers).await else {
        return;
    };
    let store = Store::default();
    store.sync(&server.feed()).await;
    assert_eq!(store.mails()["INBOX"], ["7:1 - - - - 1@me.test"]);
    let sent = server.received();
    let login = format!("LOGIN {{10}}op@me.test {{19}}{PASSWORD}");
    assert!(sent.contains(&login), "{sent:?}");
}

/// What a sync fails with, when a server says something else to what begins with `command`.
async fn failure_at(
    command: &'static str,
    said: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static,
) -> Option<(SourceFailure, FakeServer)> {
    let answers = move |tag: &str, own: &str| own.starts_with(command).then(|| said(tag));
    let server = FakeServer::start(command, answers).await?;
    let synced = Store::default().sync_pages(&server.feed(), None, 100).await;
    Some((synced.unwrap_err(), server))
}

/// Every command there is.
const COMMANDS: [&str; 8] = [
    "GREETING",
    "CAPABILITY",
    "AUTHENTICATE",
    "LIST",
    "STATUS",
    "EXAMINE",
    "UID SEARCH",
    "UID FETCH",
];

#[tokio::test]
async fn garbage_is_malformed_and_never_repeated() {
    for command in COMMANDS {
        for garbage in [
            format!("HTTP/1.1 400 {SEED}\r\n\r\n"),
            format!("{SEED}\r\n"),
            format!("+ {SEED}\r\n+ {SEED}\r\n+ {SEED}\r\n"),
            format!("\0\r\n{SEED}\r\n"),
        ] {
            let Some((failure, _)) = failure_at(command, move |_| garbage.clone().into()).await
            else {
                return;
            };
            assert_eq!(failure.kind, FailureKind::Malformed, "{command}: {failure}");
            assert!(!format!("{failure:?}").contains(SEED), "{failure:?}");
        }
    }
    for (command, said) in [
        ("LIST", "* LIST seeded-word-7141\r\n"),
        ("LIST", ""),
        ("STATUS", "* STATUS INBOX seeded-word-7141\r\n"),
        ("UID SEARCH", "* SEARCH 1 seeded-word-7141\r\n"),
        ("UID SEARCH", ""),
        ("UID FETCH", "* 1 FETCH ((seeded-word-7141\r\n"),
    ] {
        let said = move |tag: &str| format!("{said}{tag} OK done\r\n").into_bytes();
        let (failure, _) = failure_at(command, said).await.unwrap();
        assert_eq!(failure.kind, FailureKind::Malformed, "{command}: {failure}");
        assert!(!format!("{failure:?}").contains(SEED), "{failure:?}");
    }
}

#[tokio::test]
async fn r126_an_announced_half_gigabyte_is_refused_where_it_is_announced() {
    let long = || {
        [
            &b"* 1 FETCH (UID 1 BODY[] {500000000}\r\n"[..],
            &vec![b'x'; 64 << 20],
        ]
        .concat()
    };
    for command in COMMANDS {
        let Some((failure, server)) = failure_at(command, move |_| long()).await else {
            return;
        };
        assert_eq!(failure.kind, FailureKind::TooLarge, "{command}");
        // What the sockets hold, and no more.
        assert!(
            server.sent_bytes() < 16 << 20,
            "{command}: {}",
            server.sent_bytes()
        );
    }
    let endless = || vec![b'x'; 64 << 20];
    let (failure, server) = failure_at("UID FETCH", move |_| endless()).await.unwrap();
    assert_eq!(failure.kind, FailureKind::TooLarge);
    assert!(server.sent_bytes() < 40 << 20, "{}", server.sent_bytes());
    let (failure, _) = failure_at("UID FETCH", |_| b"* X\r\n".repeat(300_000))
        .await
        .unwrap();
    assert_eq!(failure.kind, FailureKind::TooLarge);
}

#[tokio::test]
async fn a_server_that_stops_answering_is_left() {
    for command in COMMANDS {
        let stopped = |_: &str| {
            // From here on time passes as soon as everybody waits.
            tokio::time::pause();
            b"* OK still here\r\n".to_vec()
        };
        // A greeting is one line: half of it.
        let cut = |_: &str| {
            tokio::time::pause();
            b"* OK".to_vec()
        };
        let begun = tokio::time::Instant::now();
        let failed = match command {
            "GREETING" => failure_at(command, cut).await,
            _ => failure_at(command, stopped).await,
        };
        let Some((failure, _)) = failed else { return };
        tokio::time::resume();
        assert_eq!(failure.kind, FailureKind::Unavailable, "{command}");
        assert!(failure.message.contains("in time"), "{command}: {failure}");
        assert!(begun.elapsed().as_secs() < 130, "{command}");
    }
}

#[tokio::test]
async fn a_mail_that_is_none_is_left_out_and_the_round_goes_on() {
    let Some(server) = Dovecot::start("no_mail", None) else {
        return;
    };
    server.script(
        r#"
put(1)
ok(m.append("INBOX", "", imaplib.Time2Internaldate(time.time()), b"seeded-word-7141"))
put(3)
"#,
    );
    let store = Store::default();
    store.sync(&server.feed()).await;
    assert_eq!(store.items("INBOX").len(), 2);
    let skipped = store.skipped();
    assert!(
        skipped.len() == 1 && skipped[0].key.ends_with(":2"),
        "{skipped:?}"
    );
    assert!(!format!("{skipped:?}").contains(SEED));

    let refused = |tag: &str, command: &str| {
        let is_mail = command.ends_with("BODY.PEEK[])");
        is_mail.then(|| format!("{tag} NO [SERVERBUG] {SEED}\r\n").into_bytes())
    };
    let server = FakeServer::start("no_mail", refused).await.unwrap();
    let store = Store::default();
    store.sync(&server.feed()).await;
    assert_eq!((store.items("INBOX").len(), store.skipped().len()), (0, 1));
}

/// A mail read as a file of it.
fn imported(bytes: &[u8]) -> RecordFields {
    let source = FileSource::Bytes {
        name: "a.eml".to_owned(),
        bytes: bytes.into(),
    };
    let mut entries = FileReader::new(Options::default())
        .entries(&source)
        .unwrap();
    let Some(Ok(FileEntry::Record { fields, .. })) = entries.next() else {
        unreachable!("a mail is one record");
    };
    fields
}

#[tokio::test]
async fn a_mail_has_the_columns_of_a_file_a_large_one_too() {
    let Some(server) = Dovecot::start("columns", None) else {
        return;
    };
    let part = "Content-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n";
    let content = format!("{}\r\n", "QUJD".repeat(19)).repeat(40_000);
    let inner = "--i\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nGrüße\r\n--i\r\nContent-Type: text/html\r\n\r\n<p>Hi</p>\r\n--i--\r\n";
    let large = format!(
        "Subject: Large\r\nFrom: a@me.test\r\nMessage-ID: <l@me.test>\r\nDate: Fri, 06 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/mixed; boundary=\"o\"\r\n\r\n--o\r\n{part}\r\n{content}--o\r\nContent-Type: multipart/alternative; boundary=i\r\n\r\n{inner}--o--\r\n"
    );
    let small = large.replace(&content, "QUJD\r\n");
    let text = format!(
        "Subject: Long\r\nMessage-ID: <t@me.test>\r\n\r\n{}",
        "long words\r\n".repeat(200_000)
    );
    for (name, mail) in [("large", &large), ("small", &small), ("text", &text)] {
        std::fs::write(server.folder.path().join(name), mail).unwrap();
        let path = server.folder.path().join(name);
        server.script(&format!(
            "ok(m.append('INBOX', '\\\\Flagged', imaplib.Time2Internaldate(time.time()), open('{}', 'rb').read()))",
            path.display()
        ));
    }
    let store = Store::default();
    store.sync(&server.feed()).await;
    assert_eq!(store.skipped(), []);
    for (item, mail) in store.items("INBOX").iter().zip([&large, &small, &text]) {
        let (mut own, mut file) = (item.records[0].fields.clone(), imported(mail.as_bytes()));
        assert_eq!(own["is_flagged"], true);
        assert_eq!(own["mailbox_id"], "INBOX");
        if mail.len() > 1 << 20 {
            assert_eq!(own["raw"]["truncated"], true);
            own.remove("raw");
            file.remove("raw");
        }
        // By when it arrived, where the mail itself does not say.
        if !file.contains_key("received_at") {
            own.remove("received_at");
        }
        for ours in [
            "is_read",
            "is_flagged",
            "is_answered",
            "is_draft",
            "mailbox_id",
        ] {
            own.remove(ours);
        }
        file.remove("id");
        assert_eq!(Value::Object(own), Value::Object(file));
    }
}

#[tokio::test]
async fn no_log_at_any_level_holds_a_command() {
    logged::keep();
    for without_plain in [false, true] {
        let answers = move |tag: &str, command: &str| {
            let is_asked = without_plain && command == "CAPABILITY";
            is_asked.then(|| format!("* CAPABILITY IMAP4rev1\r\n{tag} OK done\r\n").into_bytes())
        };
        let Some(server) = FakeServer::start("no_log", answers).await else {
            return;
        };
        Store::default().sync(&server.feed()).await;
    }
    let encoded = STANDARD.encode(format!("\0op@me.test\0{PASSWORD}"));
    logged::assert_unlogged(&[PASSWORD, &encoded, "EXAMINE", "LOGIN", "UID FETCH", MAIL]);
}
