//! A device: it makes one push after another, and remembers which were acknowledged.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::sync::Arc;

use chrono::DateTime;
use flate2::Compression;
use flate2::write::GzEncoder;
use reqwest::{Body, Method};
use serde_json::{Value, json};
use tokio_postgres::{Client, Row};
use uuid::Uuid;

use super::chance::Chance;
use super::ledger::{Kept, Ledger, Push, Stored};
use super::load::Reach;
use super::tally::{Fact, Tally};
use crate::process::service::Device;

/// Pushes with an unknown outcome before a device waits for the service to recover.
const DOUBTS_MAX: usize = 6;
/// A body is sent in pieces, so that a kill may fall between two.
const PIECE_BYTES: usize = 1024;
/// More records than one statement stores.
const RECORDS_OF_A_BIG_PUSH: u64 = 600;
/// The stamp of a push's records is this plus the push's number, in seconds: older than any deletion.
const STAMP_BASE_S: i64 = 1_600_000_000;

/// The format of a device's pushes.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    Json,
    Gzip,
    Lines,
}

pub struct Pusher {
    device: Device,
    form: Form,
    pushes: u32,
    ledger: Ledger,
}

impl Pusher {
    pub fn new(device: Device, form: Form) -> Self {
        Self {
            device,
            form,
            pushes: 0,
            ledger: Ledger::default(),
        }
    }

    pub async fn work(mut self, reach: Reach, tally: Arc<Tally>, mut chance: Chance) -> Self {
        while !tally.is_over() {
            let push = self.next(&mut chance);
            match self.send(&push, &reach, &tally).await {
                Ok(200) => {
                    self.ledger.acknowledge(push);
                    tally.count(Fact::PushAcknowledged);
                }
                Ok(503) => self.ledger.doubt(push),
                Ok(status) => panic!("a push is answered {status}"),
                Err(_) => {
                    self.ledger.doubt(push);
                    tally.cut();
                    return self;
                }
            }
            if self.ledger.doubts() >= DOUBTS_MAX {
                reach.recovery(&tally).await;
            }
        }
        self
    }

    /// The next push: new records, newer versions of known ones, and deletions.
    fn next(&mut self, chance: &mut Chance) -> Push {
        self.pushes += 1;
        let number = self.pushes;
        let certain = self.ledger.certain();
        let new = match chance.below(16) {
            0 => RECORDS_OF_A_BIG_PUSH,
            1 if !certain.is_empty() => 0,
            _ => chance.within(1..25),
        };
        let mut changes: BTreeMap<_, _> = (0..new)
            .map(|record| (format!("{number}-{record}"), Kept::ByPush(number)))
            .collect();
        for _ in 0..chance.within(1..10).min(certain.len() as u64) {
            let id = (*chance.one_of(&certain)).clone();
            let is_gone = chance.below(4) == 0;
            changes.insert(
                id,
                if is_gone {
                    Kept::Deleted
                } else {
                    Kept::ByPush(number)
                },
            );
        }
        Push { number, changes }
    }

    async fn send(&self, push: &Push, reach: &Reach, tally: &Arc<Tally>) -> reqwest::Result<u16> {
        let (kind, body) = match self.form {
            Form::Json | Form::Gzip => ("application/json", as_json(self.form, push)),
            Form::Lines => ("application/x-ndjson", as_lines(self.form, push)),
        };
        let mut request = reach
            .request(Method::POST, &self.device.path())
            .bearer_auth(&self.device.secret)
            .header("content-type", kind);
        let bytes = if matches!(self.form, Form::Gzip) {
            request = request.header("content-encoding", "gzip");
            packed(&body)
        } else {
            body.into_bytes()
        };
        let sent = request.body(in_pieces(&bytes, tally)).send().await?;
        Ok(sent.status().as_u16())
    }

    pub async fn check(&mut self, database: &Client) {
        let mut stored = Stored::default();
        let connection: Uuid = self.device.id.parse().unwrap();
        for row in database.query(TRANSACTIONS, &[&connection]).await.unwrap() {
            let (id, kept) = read(&row);
            stored.rows.entry(id).or_default().push(kept);
        }
        let accounts = database.query(ACCOUNTS, &[&connection]).await.unwrap();
        let numbers: Vec<u32> = accounts.iter().map(|row| push_of(row.get(0))).collect();
        stored.accounts = BTreeSet::from_iter(numbers.iter().copied());
        assert_eq!(stored.accounts.len(), numbers.len(), "an account twice");
        self.ledger.compare(&stored);
    }

    pub fn records(&self) -> usize {
        self.ledger.kept()
    }
}

const ACCOUNTS: &str = "SELECT source_id FROM finance.accounts WHERE connection_id = $1";
const TRANSACTIONS: &str = "
    SELECT sent.source_id, sent.deleted_at IS NOT NULL, sent.amount::text, sent.description, account.source_id,
           extract(epoch FROM sent.updated_at)::bigint
    FROM finance.transactions AS sent LEFT JOIN finance.accounts AS account ON account.id = sent.account_id
    WHERE sent.connection_id = $1";

/// The id and the push of a row: all its fields must come from one push, or be empty for a deleted one.
fn read(row: &Row) -> (String, Kept) {
    let id: String = row.get(0);
    let told: [Option<String>; 3] = [row.get(2), row.get(3), row.get(4)];
    if row.get(1) {
        assert_eq!(told, [const { None }; 3], "{id} is deleted");
        return (id, Kept::Deleted);
    }
    let account = told[2].clone().unwrap();
    let number = push_of(&account);
    let expected = [format!("-{number}.0000"), description(&id, number), account];
    assert_eq!(told, expected.map(Some), "{id}");
    assert_eq!(
        row.get::<_, i64>(5),
        STAMP_BASE_S + i64::from(number),
        "{id}"
    );
    (id, Kept::ByPush(number))
}

/// The account's name: one for each push, and beginning with the device's, since all devices' accounts are one
/// person's.
fn account(form: Form, number: u32) -> String {
    format!("{form:?} {number}")
}

fn push_of(account: &str) -> u32 {
    account.split_once(' ').unwrap().1.parse().unwrap()
}

fn description(id: &str, number: u32) -> String {
    format!("coffee {id} as push {number} has it, with a receipt of usual length")
}

fn record(form: Form, id: &str, number: u32) -> Value {
    let stamp = DateTime::from_timestamp(STAMP_BASE_S + i64::from(number), 0).unwrap();
    json!({
        "id": id, "amount": -i64::from(number), "currency": "EUR", "booked_on": "2020-03-01",
        "description": description(id, number), "updated_at": stamp.to_rfc3339(),
        "account": { "id": account(form, number), "name": "purse" },
    })
}

fn as_json(form: Form, push: &Push) -> String {
    let is_gone = |kept: &Kept| *kept == Kept::Deleted;
    let (deleted, records): (Vec<_>, Vec<_>) =
        push.changes.iter().partition(|(_, kept)| is_gone(kept));
    let records = records.iter().map(|(id, _)| record(form, id, push.number));
    let deleted = deleted.iter().map(|(id, _)| id.as_str());
    json!({ "records": records.collect::<Value>(), "deleted": deleted.collect::<Value>() })
        .to_string()
}

fn as_lines(form: Form, push: &Push) -> String {
    let line = |(id, kept): (&String, &Kept)| match kept {
        Kept::ByPush(number) => format!("{}\n", record(form, id, *number)),
        Kept::Deleted => format!("{}\n", json!({ "id": id, "_deleted": true })),
    };
    push.changes.iter().map(line).collect()
}

fn packed(body: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn in_pieces(bytes: &[u8], tally: &Arc<Tally>) -> Body {
    let pieces: Vec<Vec<u8>> = bytes.chunks(PIECE_BYTES).map(<[u8]>::to_vec).collect();
    let tally = Arc::clone(tally);
    let pieces = pieces.into_iter().map(move |piece| {
        tally.count(Fact::PieceSent);
        Ok::<_, std::io::Error>(piece)
    });
    Body::wrap_stream(futures_util::stream::iter(pieces))
}
