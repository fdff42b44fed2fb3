//! A stand-in, feeds that are led to it under Google's names, and a store of what they tell.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};
use sextant_connectors::bearer::{AccessTokens, BearerClient};
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::google::{GoogleCalendarFeed, GooglePeopleFeed};
use sextant_connectors::guard::{AddressRule, Diversions, Domain, HttpGuard, Trust};
use sextant_connectors::round::Feed;
use sextant_connectors::secret::SourceSecret;

use super::server::Google;
use crate::support::certificates::{self, Certificates, LOOPBACK};
use crate::support::sink::Sink;
use crate::support::store::Store;

pub const HOSTS: [&str; 2] = ["www.googleapis.com", "people.googleapis.com"];

/// All of it.
pub struct Stage {
    pub tokens: Arc<Tokens>,
    pub calendar: Store,
    pub contacts: Store,
    google: Arc<Mutex<Google>>,
    server: Sink,
    certificates: Certificates,
    rounds: i64,
    _folder: tempfile::TempDir,
}

/// The tokens of a sign-in.
#[derive(Default)]
pub struct Tokens {
    /// The present one, and those that a renewal gives.
    pub all: Mutex<Vec<&'static str>>,
    pub renewals: Mutex<usize>,
}

#[async_trait]
impl AccessTokens for Tokens {
    async fn access_token(&self) -> Result<SourceSecret, SourceFailure> {
        Ok(SourceSecret::new(self.all.lock().unwrap()[0]))
    }

    async fn replace(&self, refused: &SourceSecret) -> Result<SourceSecret, SourceFailure> {
        *self.renewals.lock().unwrap() += 1;
        let mut all = self.all.lock().unwrap();
        assert_eq!(refused.reveal(), all[0]);
        if all.len() == 1 {
            let message = "the sign-in has ended";
            return Err(SourceFailure::new(FailureKind::CredentialRefused, message));
        }
        all.remove(0);
        Ok(SourceSecret::new(all[0]))
    }
}

impl Stage {
    pub async fn start(test: &str) -> Option<Self> {
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = format!("{LOOPBACK},DNS:*.googleapis.com,DNS:sink.test");
        let certificates = certificates::make(folder.path(), &names);
        let google = Arc::new(Mutex::new(Google::new()));
        let own = Arc::clone(&google);
        let certificate = (&*certificates.server, &*certificates.server_key);
        let server = Sink::start(Some(certificate), move |request| {
            own.lock().unwrap().answer(request)
        });
        Some(Self {
            tokens: Arc::new(Tokens {
                all: Mutex::new(vec!["token-1"]),
                ..Tokens::default()
            }),
            calendar: Store::default(),
            contacts: Store::default(),
            server: server.await,
            google,
            certificates,
            rounds: 0,
            _folder: folder,
        })
    }

    /// What the person has at Google.
    pub fn google(&self) -> MutexGuard<'_, Google> {
        self.google.lock().unwrap()
    }

    /// Another server, to which `sink.test` leads.
    pub async fn sink(&self) -> Sink {
        let certificate = (&*self.certificates.server, &*self.certificates.server_key);
        Sink::start(Some(certificate), |_| super::server::raw(200, "", "{}")).await
    }

    pub fn client(&self, sink: Option<&Sink>) -> BearerClient {
        let hosts = HOSTS.map(|host| Domain::parse(host).unwrap());
        let led = hosts.clone().map(|host| (host, self.server.address));
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

    /// The store holds what Google does.
    #[track_caller]
    pub fn assert_calendar_equal(&self, of: &str) {
        let mut expected = BTreeMap::new();
        for (id, calendar) in &self.google().agenda.calendars {
            let name = calendar.entry["summary"].clone();
            let series = calendar.expected().into_values().flatten();
            let series = series.map(|(part, told)| (format!("{id}/{part}"), json!(told)));
            expected.insert(
                id.clone(),
                json!([name, series.collect::<BTreeMap<_, _>>()]),
            );
        }
        assert_eq!(
            json!(stored_calendars(&self.calendar)),
            json!(expected),
            "{of}"
        );
    }

    #[track_caller]
    pub fn assert_contacts_equal(&self, of: &str) {
        let people = self.contacts.records("contacts.people");
        let people: BTreeMap<_, _> = people
            .into_iter()
            .map(|(id, record)| {
                let categories = record.fields.get("categories").cloned();
                (
                    id,
                    json!([
                        record.fields["full_name"],
                        categories.unwrap_or_else(|| json!([]))
                    ]),
                )
            })
            .collect();
        let groups = self.contacts.records("contacts.groups");
        let groups: BTreeMap<_, _> = groups
            .into_iter()
            .map(|(id, record)| {
                let members = record.fields.get("member_uids").cloned();
                (
                    id,
                    json!([record.fields["name"], members.unwrap_or_else(|| json!([]))]),
                )
            })
            .collect();
        assert_eq!(
            json!([people, groups]),
            self.google().book.expected(),
            "{of}"
        );
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

/// By calendar its name and by record its title and how many dates its rule leaves out.
fn stored_calendars(store: &Store) -> BTreeMap<String, Value> {
    let mut calendars: BTreeMap<String, Value> = BTreeMap::new();
    for ((scope, key), item) in &store.items {
        match &item.holds {
            Some(_) => {
                let name = &item.records[0].fields["name"];
                calendars.insert(key.clone(), json!([name, {}]));
            }
            None => {
                for record in &item.records {
                    let rule = record.fields.get("rrule").map(ToString::to_string);
                    let taken = rule.unwrap_or_default().matches("EXDATE").count();
                    let told = json!([record.fields["title"], taken]);
                    calendars.get_mut(scope).unwrap()[1][&record.source_id] = told;
                }
            }
        }
    }
    calendars
}
