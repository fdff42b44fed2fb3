//! A stand-in, feeds that are led to it under Google's names, and a store of what they tell.

use std::sync::{Arc, MutexGuard};

use chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use sextant_connectors::bearer::{AccessTokens, BearerClient};
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::google::{GoogleCalendarFeed, GooglePeopleFeed};
use sextant_connectors::guard::{AddressRule, Diversions, Domain, HttpGuard, Trust};
use sextant_connectors::round::Feed;

use crate::support::certificates::{self, Certificates, LOOPBACK};
use crate::support::sink::Sink;
use crate::support::skipped;
use crate::support::stand_ins::StandIn;
use crate::support::stand_ins::bearers::Bearers;
use crate::support::stand_ins::contracts::{peers, root};
use crate::support::stand_ins::google::Google;
use crate::support::stand_ins::served::Served;
use crate::support::stand_ins::wire::raw;
use crate::support::store::Store;
use crate::support::tokens::Tokens;

pub const HOSTS: [&str; 2] = ["www.googleapis.com", "people.googleapis.com"];

/// All of it.
pub struct Stage {
    pub tokens: Arc<Tokens>,
    pub calendar: Store,
    pub contacts: Store,
    pub served: Served,
    google: StandIn<Google>,
    certificates: Certificates,
    rounds: i64,
    _folder: tempfile::TempDir,
}

impl Stage {
    pub async fn start(test: &str) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = format!("{LOOPBACK},DNS:*.googleapis.com,DNS:sink.test");
        let certificates = certificates::make(folder.path(), &names);
        let google = StandIn::new(Google::default());
        google.state().bearers = Bearers::only("token-1");
        let certificate = (&*certificates.server, &*certificates.server_key);
        let served = google.serve(test, Some(certificate)).await;
        Some(Self {
            tokens: Arc::new(Tokens::new("token-1")),
            calendar: Store::default(),
            contacts: Store::default(),
            served,
            google,
            certificates,
            rounds: 0,
            _folder: folder,
        })
    }

    /// What Google's official client sees of a service.
    pub async fn judge(&self, more: &[&str]) -> Option<Value> {
        let python = peers().join("google/bin/python");
        if !python.exists() {
            let missing = "Google's client is missing; run tests/peers/install.sh";
            skipped::for_want_of("what_the_official_client_sees", missing);
            return None;
        }
        let output = tokio::process::Command::new(python)
            .arg(root().join("tests/peers/google/judge.py"))
            .arg(format!("https://{}", self.served.address))
            .arg(&self.certificates.authority)
            .arg("token-1")
            .args(more)
            .output()
            .await
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        Some(serde_json::from_slice(&output.stdout).unwrap())
    }

    /// What the person has at Google.
    pub fn google(&self) -> MutexGuard<'_, Google> {
        self.google.state()
    }

    /// Another server, to which `sink.test` leads.
    pub async fn sink(&self) -> Sink {
        let certificate = (&*self.certificates.server, &*self.certificates.server_key);
        Sink::start(Some(certificate), |_| raw(200, "", "{}")).await
    }

    pub fn client(&self, sink: Option<&Sink>) -> BearerClient {
        let hosts = HOSTS.map(|host| Domain::parse(host).unwrap());
        let led = hosts.clone().map(|host| (host, self.served.address));
        let sink = sink.map(|sink| (Domain::parse("sink.test").unwrap(), sink.address));
        let authority = std::fs::read(&self.certificates.authority).unwrap();
        let trust = Trust::with_authorities(&authority).unwrap();
        let led = Diversions::new(led.into_iter().chain(sink));
        let guard = HttpGuard::new(AddressRule::of_domains(hosts), led, &trust).unwrap();
        BearerClient::new(guard, Arc::clone(&self.tokens) as Arc<dyn AccessTokens>)
    }

    pub fn calendar_feed(&self) -> GoogleCalendarFeed {
        GoogleCalendarFeed::new(self.client(None))
    }

    pub fn people_feed(&self) -> GooglePeopleFeed {
        GooglePeopleFeed::new(self.client(None))
    }

    /// A round over the calendars; the keys of the items that changed, in order.
    pub async fn sync_calendar(&mut self) -> Result<Vec<String>, SourceFailure> {
        self.sync_calendar_pages(usize::MAX).await
    }

    pub async fn sync_calendar_pages(
        &mut self,
        pages: usize,
    ) -> Result<Vec<String>, SourceFailure> {
        let (feed, now) = (self.calendar_feed(), self.now());
        round(&mut self.calendar, &feed, now, pages).await
    }

    /// The same over the contacts.
    pub async fn sync_contacts(&mut self) -> Result<Vec<String>, SourceFailure> {
        self.sync_contacts_pages(usize::MAX).await
    }

    pub async fn sync_contacts_pages(
        &mut self,
        pages: usize,
    ) -> Result<Vec<String>, SourceFailure> {
        let (feed, now) = (self.people_feed(), self.now());
        round(&mut self.contacts, &feed, now, pages).await
    }

    /// The paths that were asked for since the last time, of this service.
    pub fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.google().asked)
    }

    fn now(&mut self) -> DateTime<Utc> {
        self.rounds += 1;
        DateTime::UNIX_EPOCH + Duration::days(20_000) + Duration::minutes(self.rounds)
    }
}

async fn round(
    store: &mut Store,
    feed: &dyn Feed,
    now: DateTime<Utc>,
    pages: usize,
) -> Result<Vec<String>, SourceFailure> {
    store.sync_pages(feed, now, pages).await?;
    let mut changed = store.changed.clone();
    changed.sort();
    Ok(changed)
}
