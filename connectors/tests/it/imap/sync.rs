//! Rounds over Dovecot, each compared with what `imaplib` lists.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use serde_json::Value;
use sextant_connectors::failure::FailureKind;
use sextant_connectors::round::{CONTAINERS, Feed as _};

use super::dovecot::Dovecot;
use super::store::{Store, now};

/// What servers are able to: all of it, no QRESYNC, and nothing.
const KINDS: [(&str, Option<&str>); 3] = [
    ("all", None),
    (
        "condstore",
        Some("IMAP4rev1 CONDSTORE ENABLE SPECIAL-USE LIST-EXTENDED"),
    ),
    ("plain", Some("IMAP4rev1")),
];

/// Runs a test against each kind of server.
async fn with_each(test: &str, run: impl AsyncFn(&Dovecot, &str)) {
    for (kind, capabilities) in KINDS {
        if let Some(server) = Dovecot::start(&format!("{test}, {kind}"), capabilities) {
            run(&server, kind).await;
        }
    }
}

const LIST: &str = r#"
listed = {}
for line in ok(m.list()):
    if b"Noselect" in line or b"NonExistent" in line: continue
    box = line.decode().split('" ', 1)[1].strip('"')
    # What EXAMINE says is of this moment; a mailbox stays selected otherwise.
    ok(m.select('"' + box + '"', readonly=True))
    validity = m.response("UIDVALIDITY")[1][0].decode()
    rows = []
    uids = ok(m.uid("SEARCH", "ALL"))[0].split()
    if uids:
        import re
        for row in ok(m.uid("FETCH", b",".join(uids).decode(), "(UID FLAGS BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])")):
            if not isinstance(row, tuple): continue
            head = row[0].decode()
            flags = re.search(r"FLAGS \(([^)]*)\)", head).group(1)
            names = [("is_read", "Seen"), ("is_flagged", "Flagged"), ("is_answered", "Answered"), ("is_draft", "Draft")]
            shown = " ".join(n if "\\" + f in flags else "-" for n, f in names)
            ids = re.search(rb"<([^>]*)>", row[1])
            uid = re.search(r"UID (\d+)", head).group(1)
            rows.append(f"{validity}:{uid} {shown} {ids.group(1).decode() if ids else ''}")
    listed[box] = sorted(rows)
print(json.dumps(listed))
"#;

/// Whether the store holds what the server has. Names are compared as the server writes them.
fn assert_same(server: &Dovecot, store: &Store) {
    let listed: BTreeMap<String, Vec<String>> = serde_json::from_str(&server.script(LIST)).unwrap();
    let own = store.mails().into_iter();
    let own: BTreeMap<_, _> = own
        .map(|(name, mails)| (as_written(&name), mails))
        .collect();
    assert_eq!(own, listed);
}

fn as_written(name: &str) -> String {
    name.replace('&', "&-").replace('ü', "&APw-")
}

#[tokio::test]
async fn r126_mail_is_read_and_kept_as_the_server_has_it() {
    with_each("mail_is_read", async |server, kind| {
        server.script(
            r#"
for n in range(5): put(n, flags="\\Seen" if n % 2 else "")
put(1)
put("sent", box="Sent", flags="\\Seen")
ok(m.create("Entw&APw-rfe"))
ok(m.create("Work/2026"))
put("plan", box="Work/2026", flags="\\Flagged \\Draft")
"#,
        );
        let (store, feed) = (Store::default(), server.feed());
        store.sync(&feed).await;
        assert_same(server, &store);
        // Twice the same Message-ID is two mails.
        assert_eq!(store.items("INBOX").len(), 6);
        let mailboxes = store.items(CONTAINERS);
        let names: Vec<_> = mailboxes.iter().map(|item| item.key.as_str()).collect();
        assert!(
            names.contains(&"Entwürfe") && names.contains(&"Work/2026"),
            "{names:?}"
        );
        if kind != "plain" {
            let sent = mailboxes.iter().find(|item| item.key == "Sent").unwrap();
            assert_eq!(sent.records[0].fields["role"], "sent", "{kind}");
        }
        assert_eq!(store.sync(&feed).await, 0, "{kind}: nothing changed");

        server.script(
            r#"
ok(m.select("INBOX"))
ok(m.uid("STORE", "1", "+FLAGS", "(\\Seen \\Answered)"))
ok(m.uid("STORE", "2", "-FLAGS", "(\\Seen)"))
ok(m.uid("STORE", "3", "+FLAGS", "(\\Deleted)"))
ok(m.expunge())
put("new")
"#,
        );
        let written = store.sync(&feed).await;
        assert_same(server, &store);
        // The mailbox itself, two flags, one gone, one new.
        assert_eq!(written, 5, "{kind}");
        assert_eq!(store.sync(&feed).await, 0, "{kind}: nothing changed again");
        assert_eq!(store.skipped(), []);
    })
    .await;
}

#[tokio::test]
async fn mailboxes_come_and_go_with_their_mails() {
    with_each("mailboxes_come_and_go", async |server, _| {
        server.script(
            r#"
for box in ["Old", "Left", "Work/2026"]:
    ok(m.create(box))
    put(box, box=box)
"#,
        );
        let (store, feed) = (Store::default(), server.feed());
        store.sync(&feed).await;
        assert_same(server, &store);
        server.script(r#"ok(m.rename("Old", "New")); ok(m.delete("Left"))"#);
        store.sync(&feed).await;
        assert_same(server, &store);
        assert_eq!(store.items("Left"), []);
        // It is only a place for another.
        assert!(!store.mails().contains_key("Work"));
        assert_eq!(store.items("New").len(), 1);
    })
    .await;
}

#[tokio::test]
async fn another_uidvalidity_is_everything_anew() {
    with_each("another_uidvalidity", async |server, _| {
        server.script("old = time.time() - 400 * 86400\nfor n in range(4): put(n, day=old if n == 0 else None)");
        let (store, feed) = (Store::default(), server.feed());
        store.sync(&feed).await;
        assert_same(server, &store);
        let lists = server.maildir().join("dovecot-uidlist");
        let old = std::fs::read_to_string(&lists).unwrap();
        for name in std::fs::read_dir(server.maildir()).unwrap() {
            let path = name.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.starts_with("dovecot") {
                std::fs::remove_file(path).unwrap();
            }
        }
        // Dovecot takes the time in seconds for it: what it was must be past.
        let begun = old.split(['V', ' ']).nth(2).unwrap().parse::<i64>().unwrap();
        while now().timestamp() <= begun {
            tokio::task::yield_now().await;
        }
        let before = store.position("INBOX")["uid_validity"].clone();
        // A narrower window than before: the old mail's row is gone all the same, since its UID means nothing any more.
        let since = now() - TimeDelta::days(30);
        store.sync_since(&feed, Some(since)).await;
        assert_ne!(store.position("INBOX")["uid_validity"], before);
        assert_eq!(store.items("INBOX").len(), 3);
        store.sync(&feed).await;
        assert_same(server, &store);
    })
    .await;
}

#[tokio::test]
async fn only_the_window_is_read_and_judged() {
    with_each("only_the_window", async |server, kind| {
        server.script("for n in range(6): put(n, day=time.time() - (n * 100 + 1) * 86400)");
        let (store, feed) = (Store::default(), server.feed());
        let since = |days| Some(now() - TimeDelta::days(days));
        store.sync_since(&feed, since(150)).await;
        assert_eq!(store.items("INBOX").len(), 2, "{kind}");
        assert_eq!(store.sync_since(&feed, since(20)).await, 0, "a narrower one deletes nothing");
        assert_eq!(store.items("INBOX").len(), 2, "{kind}");
        // A mail that came late, as one that was moved, is not missed by the wider window after that.
        server.script("put('late', day=time.time() - 100 * 86400)");
        store.sync_since(&feed, since(20)).await;
        store.sync_since(&feed, since(150)).await;
        assert_eq!(store.items("INBOX").len(), 3, "{kind}");
        server.script(r#"ok(m.select("INBOX")); ok(m.uid("STORE", "7", "+FLAGS", "\\Deleted")); ok(m.expunge())"#);
        store.sync_since(&feed, since(350)).await;
        assert_eq!(store.items("INBOX").len(), 4, "{kind}");
        server.script(r#"ok(m.select("INBOX")); ok(m.uid("STORE", "2", "+FLAGS", "\\Deleted")); ok(m.expunge())"#);
        store.sync_since(&feed, since(350)).await;
        assert_eq!(store.items("INBOX").len(), 3, "{kind}");
        store.sync(&feed).await;
        assert_same(server, &store);
    })
    .await;
}

#[tokio::test]
async fn a_round_that_was_cut_off_goes_on_from_its_last_page() {
    with_each("a_round_cut_off", async |server, kind| {
        server.script("for n in range(450): put(n)");
        let feed = server.feed();
        for pages in 2..4 {
            let store = Store::default();
            store.sync_pages(&feed, None, pages).await.unwrap();
            let half = store.items("INBOX").len();
            assert_eq!(half, (pages - 1) * 200, "{kind}");
            let newest = format!("{}@me.test", 449);
            let has_newest = store.mails()["INBOX"]
                .iter()
                .any(|mail| mail.ends_with(&newest));
            assert!(has_newest, "{kind}: newest first");
            let written = store.sync(&feed).await;
            assert_same(server, &store);
            assert_eq!(written, 450 - half, "{kind}: nothing is read twice");
        }
    })
    .await;
}

#[tokio::test]
async fn what_changes_while_a_pass_is_cut_off_is_told_too() {
    with_each("changes_in_a_pass", async |server, _| {
        server.script("for n in range(450): put(n)");
        let (store, feed) = (Store::default(), server.feed());
        store.sync_pages(&feed, None, 2).await.unwrap();
        server.script(
            r#"
ok(m.select("INBOX"))
ok(m.uid("STORE", "440,100", "+FLAGS", "(\\Seen)"))
ok(m.uid("STORE", "430,90", "+FLAGS", "(\\Deleted)"))
ok(m.expunge())
for n in range(3): put(f"late{n}")
"#,
        );
        store.sync(&feed).await;
        assert_same(server, &store);
    })
    .await;
}

#[tokio::test]
async fn nothing_is_ever_marked_as_read() {
    with_each("nothing_is_marked", async |server, _| {
        server.script(r#"for n in range(3): put(n, more="X: " + "x" * 900 + "\r\n", body="y" * (700000 * n))"#);
        let flags = r#"ok(m.select("INBOX", readonly=True)); print(ok(m.uid("FETCH", "1:*", "(FLAGS)")))"#;
        let before = server.script(flags);
        let (store, feed) = (Store::default(), server.feed());
        store.sync(&feed).await;
        assert_eq!(server.script(flags), before);
        assert!(!before.contains("Seen"));
        let read = |item: &sextant_connectors::round::SourceItem| item.records[0].fields["is_read"].clone();
        let read: Vec<_> = store.items("INBOX").iter().map(read).collect();
        assert_eq!(read, [Value::from(false), Value::from(false), Value::from(false)]);
    })
    .await;
}

#[tokio::test]
async fn the_first_name_that_the_server_takes_is_the_accounts() {
    let Some(server) = Dovecot::start("the_first_name", None) else {
        return;
    };
    let users = ["op", "op@me.test"].map(str::to_owned);
    server.feed_of(users).check().await.unwrap();
    let refused = server.feed_of(["op".to_owned()]).check().await.unwrap_err();
    assert_eq!(refused.kind, FailureKind::CredentialRefused);
}
