//! Two hundred connections that are read for the first time at once, half of them calendars and half mailboxes, each of an
//! account of its own; and what others wait meanwhile.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::beside::Neighbour;
use super::dovecot::{Dovecot, HOST, PASSWORD};
use super::elsewhere::Elsewhere;
use super::first::form;
use super::home::home;
use super::radicale::{Holdings, Radicale};
use super::service::{Service, text};
use super::{database, mails, now, usage};

const CALENDARS: usize = 100;
const MAILBOXES: usize = 100;
const EVENTS: u64 = 100;
/// Mails in each mailbox: the accounts have one maildir in common.
const MAILS: u64 = 300;
/// Accounts that are connected at one time.
const CONNECTING: usize = 8;
/// How long each of the others is measured while nothing is read.
const ALONE: Duration = Duration::from_secs(30);
/// Processes that only compute, for comparison.
const COMPUTING: usize = 2;
const LOOK: Duration = Duration::from_secs(1);

pub async fn measure() {
    let elsewhere = Elsewhere::create();
    let dav = Radicale::start(Holdings {
        users: CALENDARS,
        events: EVENTS,
        cards: 0,
    });
    let mail = Dovecot::start("sync", None).unwrap();
    mails::fill(&mail.maildir(), MAILS, now());
    elsewhere.take(dav.pid());
    elsewhere.take(master(&mail));
    let forms = forms(&dav, &mail);
    let home = home();
    let service = Arc::new(Service::start(home.path(), &[(HOST, mail.port)]).await);
    let neighbour = Neighbour::open(&service, home.path()).await;
    // The first answers of a service are not measured.
    neighbour
        .while_running(&AtomicBool::new(true), ALONE / 6)
        .await;
    println!(
        "{}\n| beside | measured | n | median ms | p90 ms | × alone |",
        usage::load()
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    let running = AtomicBool::new(true);
    let alone = neighbour.while_running(&running, ALONE).await;
    alone.print("nobody", &alone);
    let computing = Computing::start();
    let beside = neighbour.while_running(&running, ALONE).await;
    beside.print("two processes that compute", &alone);
    drop(computing);

    let resting = (usage::peak_mb(service.pid()), usage::threads(service.pid()));
    let used = service.used();
    let begun = Instant::now();
    let reading = async {
        let took = read_all(&service, home.path(), forms).await;
        running.store(false, Ordering::Relaxed);
        took
    };
    let long = Duration::from_secs(3600);
    let (read, beside) = tokio::join!(reading, neighbour.while_running(&running, long));
    let lasted = begun.elapsed();
    beside.print("200 connections", &alone);
    let since = service.used();
    println!(
        "\n200 connections: all created after {:.1} s, all read after {:.1} s, {} rows; service {:.1} s and database {:.1} s of a \
         processor; before: peak MB and threads {resting:?}, then {:?}, threads at most {}; {}",
        read.created.as_secs_f64(),
        lasted.as_secs_f64(),
        read.rows,
        (since[0] - used[0]).as_secs_f64(),
        (since[1] - used[1]).as_secs_f64(),
        usage::peak_mb(service.pid()),
        read.threads,
        usage::load(),
    );
    spread(&service, home.path()).await;
}

/// The process that all others of the mail server are children of.
fn master(mail: &Dovecot) -> i32 {
    let file = std::fs::read_to_string(mail.folder.path().join("run/master.pid"));
    file.unwrap().trim().parse().unwrap()
}

/// What connects each account.
fn forms(dav: &Radicale, mail: &Dovecot) -> Vec<Value> {
    let file = mail.folder.path().join("users");
    let mut users = OpenOptions::new().append(true).open(file).unwrap();
    let authority = std::fs::read_to_string(mail.folder.path().join("authority.pem")).unwrap();
    let mut forms = Vec::new();
    for number in 0..CALENDARS.max(MAILBOXES) {
        if number < CALENDARS {
            forms.push(form(dav, number, &["calendar"]));
        }
        if number < MAILBOXES {
            let user = format!("op{number:03}@me.test");
            writeln!(users, "{user}:{{PLAIN}}{PASSWORD}").unwrap();
            forms.push(json!({
                "provider": "own_server",
                "sectors": ["mail"],
                "credentials": {
                    "imap": format!("{HOST}:{}", mail.port),
                    "user": user,
                    "password": PASSWORD,
                    "ca": authority,
                },
            }));
        }
    }
    forms
}

struct Read {
    created: Duration,
    threads: u64,
    rows: i64,
}

/// Connects all, and waits until each has been read once.
async fn read_all(service: &Arc<Service>, home: &Path, forms: Vec<Value>) -> Read {
    let begun = Instant::now();
    let connecting = (0..CONNECTING).map(|place| {
        let (service, forms) = (Arc::clone(service), &forms);
        async move {
            for form in forms.iter().skip(place).step_by(CONNECTING) {
                service.connect(form).await;
            }
        }
    });
    join_all(connecting).await;
    let created = begun.elapsed();
    let client = database::connect(home, "sextant").await;
    let mut threads = 0;
    loop {
        threads = threads.max(usage::threads(service.pid()));
        let left = client.query_one(include_str!("unread.sql"), &[]).await;
        let left = left.unwrap();
        let (unread, failed): (i64, i64) = (left.get(0), left.get(1));
        assert_eq!(failed, 0, "connections failed");
        if unread == 0 {
            break;
        }
        sleep(LOOK).await;
    }
    let rows = client.query_one(include_str!("stored.sql"), &[]).await;
    Read {
        created,
        threads,
        rows: rows.unwrap().get(0),
    }
}

/// When the connections are due next, by minutes from the first: what the service tells.
async fn spread(service: &Service, home: &Path) {
    let all = service.get("/api/connections").await;
    let all = all.get("connections").and_then(Value::as_array).unwrap();
    let due = all
        .iter()
        .filter_map(|each| text(each, "nextSyncAt")?.parse().ok());
    let due: Vec<DateTime<Utc>> = due.collect();
    let (first, last) = (due.iter().min().unwrap(), due.iter().max().unwrap());
    let mut minutes = BTreeMap::<i64, usize>::new();
    for at in &due {
        *minutes.entry((*at - first).num_minutes()).or_default() += 1;
    }
    let seconds = (*last - first).num_seconds();
    println!(
        "due: {} within {seconds} s, by the minute {minutes:?}",
        due.len()
    );
    let client = database::connect(home, "sextant").await;
    let lasted = client
        .query_one(include_str!("lasted.sql"), &[])
        .await
        .unwrap();
    let shares: [f64; 3] = [0, 1, 2].map(|place| lasted.get(place));
    println!(
        "a round lasted, seconds: median {:.2}, p90 {:.2}, longest {:.2}",
        shares[0], shares[1], shares[2]
    );
}

/// Processes that take what a processor gives.
struct Computing(Vec<std::process::Child>);

impl Computing {
    fn start() -> Self {
        let busy = (0..COMPUTING).map(|_| {
            let mut command = Command::new("sh");
            command
                .args(["-c", "while :; do :; done"])
                .stdin(Stdio::null());
            command.spawn().unwrap()
        });
        Self(busy.collect())
    }
}

impl Drop for Computing {
    fn drop(&mut self) {
        for process in &mut self.0 {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
