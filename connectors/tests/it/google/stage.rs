//! A stand-in, feeds that are led to it under Google's names, and a store of what they tell.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use chrono::{DateTime, Duration, Utc};
use serde_json::Value;
use sextant_connectors::bearer::{AccessTokens, BearerClient};
use sextant_connectors::failure::{FailureKind, SourceFailure};
use sextant_connectors::google::{GoogleCalendarFeed, GooglePeopleFeed};
use sextant_connectors::guard::{AddressRule, Diversions, Domain, HttpGuard, Trust};
use sextant_connectors::round::Feed;
use sextant_connectors::secret::SourceSecret;

use super::contract;
use super::server::Google;
use crate::support::certificates::{self, Certificates, LOOPBACK};
use crate::support::sink::Sink;
use crate::support::skipped;
use crate::support::store::Store;

pub const HOSTS: [&str; 2] = ["www.googleapis.com", "people.googleapis.com"];

/// All of it.
pub struct Stage {
    pub tokens: Arc<Tokens>,
    pub calendar: Store,
    pub contacts: Store,
    google: Arc<Mutex<Google>>,
    server: Sink,
    /// Requests and answers that Google's documents do not have.
    violations: Arc<Mutex<Vec<String>>>,
    is_bare: Arc<AtomicBool>,
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

impl Drop for Stage {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.violations(), [""; 0]);
        }
    }
}

/// Numbers of tests.
static STARTED: AtomicUsize = AtomicUsize::new(0);

/// The stand-in over TLS, behind its contracts. What is no answer of Google's, such as garbage, is answered before them.
async fn serve(
    test: &str,
    google: &Arc<Mutex<Google>>,
    (violations, is_bare): (&Arc<Mutex<Vec<String>>>, &Arc<AtomicBool>),
    certificates: &Certificates,
) -> Sink {
    let contracts = contract::shared();
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    match contracts {
        Some(contracts) => contracts.register(number, google),
        None => skipped::for_want_of(
            test,
            "the contracts of Google are missing; run tests/peers/google/install.sh",
        ),
    }
    let (google, violations) = (Arc::clone(google), Arc::clone(violations));
    let is_bare = Arc::clone(is_bare);
    let certificate = (&*certificates.server, &*certificates.server_key);
    Sink::start(Some(certificate), move |request| {
        let fault = google.lock().unwrap().fault(request);
        let contracts = contracts.filter(|_| !is_bare.load(Ordering::Relaxed));
        match (fault, contracts) {
            (Some(fault), _) => fault,
            (None, None) => google.lock().unwrap().answer(request),
            (None, Some(contracts)) => {
                let (answer, violation) = contracts.pass(number, request);
                violations.lock().unwrap().extend(violation);
                answer
            }
        }
    })
    .await
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
        let (violations, is_bare) = (Arc::default(), Arc::default());
        let server = serve(test, &google, (&violations, &is_bare), &certificates).await;
        Some(Self {
            tokens: Arc::new(Tokens {
                all: Mutex::new(vec!["token-1"]),
                ..Tokens::default()
            }),
            calendar: Store::default(),
            contacts: Store::default(),
            server,
            google,
            violations,
            is_bare,
            certificates,
            rounds: 0,
            _folder: folder,
        })
    }

    /// What Google's documents do not have, since the last time.
    pub fn violations(&self) -> Vec<String> {
        std::mem::take(&mut self.violations.lock().unwrap())
    }

    /// From now on the stand-in may answer what Google would not.
    pub fn without_contracts(&self) {
        self.is_bare.store(true, Ordering::Relaxed);
    }

    /// What Google's official client sees of a service.
    pub async fn judge(&self, more: &[&str]) -> Option<Value> {
        let python = contract::peers().join("google/bin/python");
        if !python.exists() {
            let missing = "Google's client is missing; run tests/peers/google/install.sh";
            skipped::for_want_of("what_the_official_client_sees", missing);
            return None;
        }
        let output = tokio::process::Command::new(python)
            .arg(contract::peers().join("../../tests/peers/google/judge.py"))
            .arg(format!("https://{}", self.server.address))
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
