//! Calendars.

use serde_json::{Value, json};

use super::{Chance, Served, survive};
use crate::support::dav_server::{DavServer, PASSWORD, Peer, USER};
use crate::support::users::in_scratch;

/// Events at the beginning: several pages.
const EVENTS: u64 = 130;
/// Events that change before each kill.
const CHANGES: u64 = 60;

struct Calendar(DavServer);

impl Calendar {
    fn path(&self, number: u64) -> String {
        format!("{}/{number}.ics", self.0.peer.calendar())
    }

    async fn put(&self, number: u64, version: u64) {
        let body = format!(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//tests//EN\r\nBEGIN:VEVENT\r\nUID:{number}@x\r\nDTSTAMP:20260101T000000Z\r\n\
             DTSTART:20260302T090000Z\r\nDTEND:20260302T100000Z\r\nSUMMARY:{number} in version {version}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        );
        self.0.put(&self.path(number), &body).await;
    }
}

impl Served for Calendar {
    const SECTOR: &'static str = "calendar";

    fn connection(&self) -> Value {
        let authority = std::fs::read_to_string(&self.0.certificates.authority).unwrap();
        json!({
            "provider": "own_server",
            "sectors": ["calendar"],
            "credentials": {
                "dav": self.0.typed().as_str(), "user": USER, "password": PASSWORD, "ca": authority,
            },
        })
    }

    async fn change(&mut self, chance: &mut Chance, round: u64) {
        for _ in 0..CHANGES {
            let number = chance.below(EVENTS + CHANGES);
            match chance.below(4) {
                0 => {
                    let path = self.path(number);
                    self.0.send("DELETE", &path, "text/plain", "").await;
                }
                _ => self.put(number, round).await,
            }
        }
    }

    async fn listed(&self) -> Vec<String> {
        let mut titles = crate::sync::titles_of(&self.0.listing("calendar"));
        titles.sort();
        titles
    }

    fn query(&self) -> Value {
        json!({"target": "series", "select": ["title"], "limit": 1000})
    }

    fn text_of(&self, row: &Value) -> String {
        row[0].as_str().unwrap().to_owned()
    }
}

fn survives_kills(test: &str, peer: Peer) {
    in_scratch(async |home| {
        let Some(server) = peer.start(test).await else {
            return;
        };
        let mut calendar = Calendar(server);
        for number in 0..EVENTS {
            calendar.put(number, 0).await;
        }
        survive(home, &mut calendar).await;
    });
}

#[test]
fn killed_rounds_over_radicale_lose_nothing_and_double_nothing() {
    let test = "killed_rounds_over_radicale_lose_nothing_and_double_nothing";
    survives_kills(test, Peer::Radicale);
}

#[test]
fn killed_rounds_over_xandikos_lose_nothing_and_double_nothing() {
    let test = "killed_rounds_over_xandikos_lose_nothing_and_double_nothing";
    survives_kills(test, Peer::Xandikos);
}
