//! Apple's iCloud by an app-specific password: calendars and contacts by DAV, mail by IMAP (r126).

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::WayOut;
use super::sealed::{no_way_to, read, write};
use crate::dav::{DavFeed, DavKind};
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::{AddressRule, Domain};
use crate::imap::MailFeed;
use crate::limits::{ICLOUD_BUSY_REST_MAX, ICLOUD_INTERVAL_MIN};
use crate::provider::{
    Credential, ExchangeError, FieldKind, Form, FormField, FormRefusal, PastedProvider, Provider,
    Source, SourceOptions,
};
use crate::secret::SourceSecret;

/// Its word in settings and rows.
pub(super) const ID: &str = "icloud";

/// Everything but mail lies below it.
const DOMAIN: &str = "*.icloud.com";
/// Mail lies below it.
const MAIL_DOMAIN: &str = "*.mail.me.com";
const CALENDARS: &str = "https://caldav.icloud.com/";
const CONTACTS: &str = "https://contacts.icloud.com/";
const MAIL: (&str, u16) = ("imap.mail.me.com", 993);

const FIELDS: &[FormField] = &[
    FormField {
        name: "account",
        label: "Apple Account",
        kind: FieldKind::Text,
        is_optional: false,
        help: "The mail address you sign in to Apple with.",
    },
    FormField {
        name: "password",
        label: "App-specific password",
        kind: FieldKind::Secret,
        is_optional: false,
        help: "Made at account.apple.com, Sign-In and Security, App-Specific Passwords. Not your Apple Account's own password.",
    },
];

/// What is sealed.
#[derive(Serialize, Deserialize)]
struct AppPassword {
    account: String,
    password: String,
}

pub(super) struct ICloud {
    way_out: WayOut,
    /// One request at a time, as its servers want it; mail is another service.
    turns: Arc<Semaphore>,
}

impl ICloud {
    pub(super) fn new(way_out: WayOut) -> Self {
        Self {
            way_out,
            turns: Arc::new(Semaphore::new(1)),
        }
    }

    fn dav(&self, kind: DavKind, start: &str, own: &AppPassword) -> Result<Source, SourceFailure> {
        let http = self.way_out.http(rule(DOMAIN), None)?;
        let http = http.in_turns(Arc::clone(&self.turns));
        let start = Url::parse(start).map_err(|_| no_address())?;
        let password = SourceSecret::new(own.password.clone());
        let feed = DavFeed::new(kind, http, start, &own.account, &password)?;
        Ok(Source::Rounds(Box::new(feed)))
    }

    /// The user of the mail server is the part before the `@` as a rule, and the whole address for some.
    fn mail(&self, own: &AppPassword) -> Result<Source, SourceFailure> {
        let (host, port) = MAIL;
        let server = rule(MAIL_DOMAIN).judge_stream(host, port)?;
        let short = own.account.split('@').next().unwrap_or(&own.account);
        let users = [short, &own.account].map(str::to_owned);
        let password = SourceSecret::new(own.password.clone());
        let feed = MailFeed::new(self.way_out.streams(None)?, server, users, password);
        Ok(Source::Rounds(Box::new(feed)))
    }
}

fn rule(domain: &str) -> AddressRule {
    AddressRule::of_domains(Domain::parse(domain))
}

fn no_address() -> SourceFailure {
    SourceFailure::new(FailureKind::ForbiddenAddress, "the address is none")
}

impl Provider for ICloud {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Apple iCloud"
    }

    fn sectors(&self) -> &'static [&'static str] {
        &["mail", "calendar", "contacts"]
    }

    fn interval_min(&self) -> Duration {
        ICLOUD_INTERVAL_MIN
    }

    fn busy_rest_max(&self) -> Option<Duration> {
        Some(ICLOUD_BUSY_REST_MAX)
    }

    fn revocation(&self) -> &'static str {
        "Remove the password at account.apple.com, Sign-In and Security, App-Specific Passwords."
    }
}

#[async_trait]
impl PastedProvider for ICloud {
    fn fields(&self) -> &'static [FormField] {
        FIELDS
    }

    async fn exchange(&self, form: &Form) -> Result<Credential, ExchangeError> {
        let account = form.required("account")?.to_lowercase();
        if !account.contains('@') {
            let message = "it must be the mail address of your Apple Account";
            return Err(FormRefusal::new("account", message).into());
        }
        let password = form.required("password")?.to_owned();
        let sealed = write(&AppPassword {
            account: account.clone(),
            password,
        });
        Ok(Credential {
            identity: account.clone(),
            account,
            sealed: sealed.map_err(ExchangeError::Source)?,
            ends_at: None,
        })
    }

    fn source(
        &self,
        sector: &str,
        sealed: &SourceSecret,
        _options: &SourceOptions,
    ) -> Result<Source, SourceFailure> {
        let own: AppPassword = read(sealed)?;
        match sector {
            "calendar" => self.dav(DavKind::Calendar, CALENDARS, &own),
            "contacts" => self.dav(DavKind::Contacts, CONTACTS, &own),
            "mail" => self.mail(&own),
            _ => Err(no_way_to(sector)),
        }
    }
}
