//! Mail.

use serde_json::{Value, json};

use super::dovecot::{Dovecot, HOST, PASSWORD, USER};
use super::{Chance, Served, survive};
use crate::support::users::in_scratch;

/// Mails at the beginning: several pages.
const MAILS: u64 = 120;
/// Mails that come before each kill, about as many as go.
const CHANGES: u64 = 40;

struct Mailbox {
    server: Dovecot,
    /// Numbers that were given to mails.
    numbered: u64,
}

impl Mailbox {
    /// Appends mails; Python's words for it.
    fn append(&mut self, count: u64) {
        let from = self.numbered;
        self.numbered += count;
        let to = self.numbered;
        self.server.script(&format!(
            "import time\nfor n in range({from}, {to}):\n    \
             m.append('INBOX', '', imaplib.Time2Internaldate(time.time()), \
             ('From: Ada <ada@x.test>\\r\\nMessage-ID: <%d@x.test>\\r\\nSubject: mail %d\\r\\n\\r\\nHello' % (n, n)).encode())"
        ));
    }
}

impl Served for Mailbox {
    const SECTOR: &'static str = "mail";

    fn connection(&self) -> Value {
        json!({
            "provider": "own_server",
            "sectors": ["mail"],
            "credentials": {"imap": HOST, "user": USER, "password": PASSWORD},
        })
    }

    async fn change(&mut self, chance: &mut Chance, _: u64) {
        self.append(CHANGES);
        let gone = chance.below(CHANGES) + 1;
        let seen = gone + chance.below(CHANGES) + 1;
        self.server.script(&format!(
            "m.select('INBOX')\nm.store('{gone}:{seen}', '+FLAGS', '\\\\Seen')\n\
             m.store('1:{gone}', '+FLAGS', '\\\\Deleted')\nm.expunge()"
        ));
    }

    async fn listed(&self) -> Vec<String> {
        let script = "import email\nm.select('INBOX', readonly=True)\n\
            _, found = m.fetch('1:*', '(FLAGS BODY.PEEK[HEADER])')\n\
            for part in found:\n    if isinstance(part, tuple):\n        \
            print(email.message_from_bytes(part[1])['Subject'], 'true' if b'Seen' in part[0] else 'false')";
        let mut lines: Vec<String> = self
            .server
            .script(script)
            .lines()
            .map(str::to_owned)
            .collect();
        lines.sort();
        lines
    }

    fn query(&self) -> Value {
        json!({"target": "messages", "select": ["subject", "is_read"], "limit": 1000})
    }

    fn text_of(&self, row: &Value) -> String {
        format!("{} {}", row[0].as_str().unwrap(), row[1])
    }
}

fn survives_kills(test: &str, capabilities: Option<&str>) {
    in_scratch(async |home| {
        let Some(server) = Dovecot::start(test, capabilities) else {
            return;
        };
        let authority = server.folder.path().join("authority.pem");
        let settings = format!(
            "[providers.own_server]\nca_file = \"{}\"\n[providers.own_server.hosts]\n\"{HOST}\" = \"127.0.0.1:{}\"\n",
            authority.display(),
            server.port
        );
        std::fs::write(home.join("config.toml"), settings).unwrap();
        let mut mailbox = Mailbox {
            server,
            numbered: 0,
        };
        mailbox.append(MAILS);
        survive(home, &mut mailbox).await;
    });
}

#[test]
fn killed_rounds_over_dovecot_lose_nothing_and_double_nothing() {
    let test = "killed_rounds_over_dovecot_lose_nothing_and_double_nothing";
    survives_kills(test, None);
}

#[test]
fn killed_rounds_over_a_bare_dovecot_lose_nothing_and_double_nothing() {
    let test = "killed_rounds_over_a_bare_dovecot_lose_nothing_and_double_nothing";
    survives_kills(test, Some("IMAP4rev1"));
}
