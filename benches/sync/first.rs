//! The first sync of a mailbox, and of a calendar with an address book, beside the same by another tool.

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::dovecot::{Dovecot, HOST, PASSWORD, USER};
use super::home::home;
use super::other_tools::{self, Taken};
use super::radicale::{self, Holdings, Radicale};
use super::service::{Service, Synced};
use super::{mails, now, usage};

const EVENTS: u64 = 5_000;
const CARDS: u64 = 2_000;
/// Rounds of calendar and contacts that are measured; one before them is not.
const ROUNDS: usize = 3;

const HEAD: &str = "\
| | items | seconds | items a second | processor, s | its database's | the server's | peak MB |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";

/// What a first sync of ours took.
struct Ours {
    lasted: Duration,
    used: [Duration; 2],
    peak_mb: u64,
}

/// So many mails, once.
pub async fn mail(count: u64) {
    let server = Dovecot::start("sync", None).unwrap();
    let bytes = mails::fill(&server.maildir(), count, now());
    println!("{count} mails, {} MB; {}", bytes >> 20, usage::load());
    // The server's indexes are built, and the mails are in memory.
    server.script("ok(m.select('INBOX', readonly=True))\nok(m.fetch('1:*', '(UID RFC822.SIZE INTERNALDATE BODYSTRUCTURE)'))");
    println!("{HEAD}");
    let before = served(&server);
    let form = json!({
        "provider": "own_server",
        "sectors": ["mail"],
        "credentials": {
            "imap": format!("{HOST}:{}", server.port),
            "user": USER,
            "password": PASSWORD,
            "ca": std::fs::read_to_string(server.folder.path().join("authority.pem")).unwrap(),
        },
    });
    let ours = ours(&form, &[(HOST, server.port)], count).await;
    line(
        "sextant, mail",
        count,
        &ours.line(),
        served(&server) - before,
    );
    let folder = TempDir::new().unwrap();
    let before = served(&server);
    let theirs = other_tools::mbsync(&server, folder.path()).await;
    line("mbsync", count, &theirs.line(), served(&server) - before);
}

/// Processor time of the mail server's processes.
fn served(server: &Dovecot) -> Duration {
    let file = std::fs::read_to_string(server.folder.path().join("run/master.pid")).unwrap();
    usage::family(file.trim().parse().unwrap())
}

/// A calendar and an address book, in several rounds.
pub async fn dav() {
    let server = Radicale::start(Holdings {
        users: 1,
        events: EVENTS,
        cards: CARDS,
    });
    let form = form(&server, 0, &["calendar", "contacts"]);
    let count = EVENTS + CARDS;
    // The server reads its files when it is first asked for them; a server that took them from a client has done so.
    let folder = TempDir::new().unwrap();
    other_tools::vdirsyncer(&server, 0, folder.path()).await;
    println!("{EVENTS} events, {CARDS} cards; {}\n{HEAD}", usage::load());
    for round in 0..=ROUNDS {
        let before = usage::own(server.pid());
        let ours = ours(&form, &[], count).await;
        let served = usage::own(server.pid());
        line(
            &format!("sextant, round {round}"),
            count,
            &ours.line(),
            served - before,
        );
        let folder = TempDir::new().unwrap();
        let theirs = other_tools::vdirsyncer(&server, 0, folder.path()).await;
        let took = usage::own(server.pid()) - served;
        line(
            &format!("vdirsyncer, round {round}"),
            count,
            &theirs.line(),
            took,
        );
    }
}

/// What connects a user of the server.
pub fn form(server: &Radicale, user: usize, sectors: &[&str]) -> Value {
    json!({
        "provider": "own_server",
        "sectors": sectors,
        "credentials": {
            "dav": server.url(),
            "user": radicale::user(user),
            "password": radicale::PASSWORD,
            "ca": std::fs::read_to_string(&server.certificates.authority).unwrap(),
        },
    })
}

/// Connects, and waits for the end; `count` items are rows or more.
async fn ours(form: &Value, hosts: &[(&str, u16)], count: u64) -> Ours {
    let home = home();
    let service = Service::start(home.path(), hosts).await;
    let [own_before, database_before] = service.used();
    let mut synced: Vec<Synced> = Vec::new();
    for id in service.connect(form).await {
        synced.push(service.synced(&id).await);
    }
    let [own, database] = service.used();
    let begun = synced.iter().map(|each| each.begun).min().unwrap();
    let ended = synced.iter().map(|each| each.ended).max().unwrap();
    let stored: u64 = synced.iter().map(|each| each.stored).sum();
    assert!(stored >= count, "{stored} of {count}");
    let runs: usize = synced.iter().map(|each| each.runs).sum();
    println!("sextant stored {stored} rows in {runs} runs");
    Ours {
        lasted: (ended - begun).to_std().unwrap(),
        used: [own - own_before, database - database_before],
        peak_mb: usage::peak_mb(service.pid()).unwrap(),
    }
}

/// Seconds, and the processor's and the database's; then the memory.
type Figures = (Duration, [Duration; 2], u64);

impl Ours {
    const fn line(&self) -> Figures {
        (self.lasted, self.used, self.peak_mb)
    }
}

impl Taken {
    const fn line(&self) -> Figures {
        (self.lasted, [self.used, Duration::ZERO], self.peak_mb)
    }
}

fn line(what: &str, count: u64, (lasted, [own, database], peak): &Figures, served: Duration) {
    let count_f = f64::from(u32::try_from(count).unwrap());
    println!(
        "| {what} | {count} | {:.1} | {:.0} | {:.1} | {:.1} | {:.1} | {peak} |",
        lasted.as_secs_f64(),
        count_f / lasted.as_secs_f64(),
        own.as_secs_f64(),
        database.as_secs_f64(),
        served.as_secs_f64(),
    );
}
