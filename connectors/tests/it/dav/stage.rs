//! Servers of a test's own, which answer what it wants.

use std::sync::atomic::{AtomicI64, Ordering};

use reqwest::Url;
use sextant_connectors::dav::{DavFeed, DavKind};
use sextant_connectors::failure::SourceFailure;
use sextant_connectors::guard::HttpGuard;
use sextant_connectors::secret::SourceSecret;

use super::{event, minutes};
use crate::support::certificates::{self, LOOPBACK};
use crate::support::dav_server::{PASSWORD, USER, guard_of_names};
use crate::support::sink::Sink;
use crate::support::store::Store;

/// Where the provider begins.
const START: &str = "https://caldav.icloud.test/";

/// Where they stand.
pub struct Stage {
    certificates: certificates::Certificates,
    rounds: AtomicI64,
    _folder: tempfile::TempDir,
}

impl Stage {
    pub fn new(test: &str) -> Option<Self> {
        certificates::can_be_made(test).then(|| {
            let folder = tempfile::tempdir().unwrap();
            let names = format!("{LOOPBACK},DNS:*.icloud.test,DNS:sink.test");
            let certificates = certificates::make(folder.path(), &names);
            Self {
                certificates,
                rounds: AtomicI64::new(1),
                _folder: folder,
            }
        })
    }

    pub async fn serve(&self, answers: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Sink {
        let own = &self.certificates;
        Sink::start(Some((&own.server, &own.server_key)), answers).await
    }

    pub async fn sync(
        &self,
        store: &mut Store,
        led: &[(&str, &Sink)],
    ) -> Result<(), SourceFailure> {
        self.sync_pages(store, led, usize::MAX).await
    }

    /// A round that is cut off after some pages.
    pub async fn sync_pages(
        &self,
        store: &mut Store,
        led: &[(&str, &Sink)],
        pages_max: usize,
    ) -> Result<(), SourceFailure> {
        let now = minutes(self.rounds.fetch_add(1, Ordering::SeqCst));
        store.sync_pages(&self.feed(led), now, pages_max).await
    }

    /// The calendars, where names lead to these servers.
    pub fn feed(&self, led: &[(&str, &Sink)]) -> DavFeed {
        let led = led.iter().map(|(name, sink)| (*name, sink.address));
        let led: Vec<_> = led.collect();
        calendar_feed(guard_of_names(&self.certificates, &led))
    }
}

pub fn answer(head: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}

pub fn multistatus(inner: &str) -> Vec<u8> {
    let body = format!(
        r#"<m:multistatus xmlns:m="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">{inner}</m:multistatus>"#
    );
    answer("207 Multi-Status", &body)
}

/// A response with these properties.
pub fn response(href: &str, properties: &str) -> String {
    format!(
        "<m:response><m:href>{href}</m:href><m:propstat><m:prop>{properties}</m:prop>\
        <m:status>HTTP/1.1 200 OK</m:status></m:propstat></m:response>"
    )
}

/// What finds one calendar at `/op/cal/` whose changes have this token; `None` for other requests.
pub fn discovery(request: &str, token: &str) -> Option<Vec<u8>> {
    let calendar = format!(
        "<m:resourcetype><m:collection/><c:calendar/></m:resourcetype><m:sync-token>{token}</m:sync-token>"
    );
    if request.starts_with("PROPFIND / ") {
        let home = "<c:calendar-home-set><m:href>/op/</m:href></c:calendar-home-set>";
        return Some(multistatus(&response("/", home)));
    }
    let listed = response("/op/", "") + &response("/op/cal/", &calendar);
    request
        .starts_with("PROPFIND /op/ ")
        .then(|| multistatus(&listed))
}

/// The bodies that a multiget asks for, of those resources that have a version.
pub fn bodies(request: &str, version: impl Fn(&str) -> Option<String>) -> Vec<u8> {
    let sent = hrefs(request).map(|href| match version(href) {
        Some(version) => {
            let body = event(href, &version, "");
            let data = format!("<c:calendar-data>{body}</c:calendar-data>");
            response(href, &format!("<m:getetag>{version}</m:getetag>{data}"))
        }
        None => format!(
            "<m:response><m:href>{href}</m:href><m:status>HTTP/1.1 404 Gone</m:status></m:response>"
        ),
    });
    multistatus(&sent.collect::<String>())
}

/// What a multiget asks for.
pub fn hrefs(request: &str) -> impl Iterator<Item = &str> {
    let asked = request.split("<D:href>").skip(1);
    asked.map(|rest| rest.split("</D:href>").next().unwrap())
}

/// The calendars of the provider, by this way.
pub fn calendar_feed(guard: HttpGuard) -> DavFeed {
    let (start, password) = (Url::parse(START).unwrap(), SourceSecret::new(PASSWORD));
    DavFeed::new(DavKind::Calendar, guard, start, USER, &password).unwrap()
}
