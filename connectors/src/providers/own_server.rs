//! Somebody's own server, or one they rent: calendars and contacts by DAV, mail by IMAP, each on the host that was typed.

use async_trait::async_trait;
use reqwest::Url;
use serde::{Deserialize, Serialize};

use super::WayOut;
use super::sealed::{no_way_to, read, write};
use crate::dav::{DavFeed, DavKind};
use crate::failure::{FailureKind, SourceFailure};
use crate::guard::{AddressRule, JudgedAddress, Plaintext, Trust};
use crate::imap::MailFeed;
use crate::provider::{
    Credential, ExchangeError, FieldKind, Form, FormField, FormRefusal, PastedProvider, Provider,
    Source, SourceOptions,
};
use crate::secret::SourceSecret;

/// Its word in settings and rows.
pub(super) const ID: &str = "own_server";

/// Where mail is asked for over TLS (RFC 8314 §3.2).
const MAIL_PORT: u16 = 993;

const FIELDS: &[FormField] = &[
    FormField {
        name: "dav",
        label: "Calendar and contacts server",
        kind: FieldKind::Address,
        is_optional: true,
        help: "As https://cloud.example.org/, or with the path that your server's manual names for CalDAV.",
    },
    FormField {
        name: "imap",
        label: "Mail server",
        kind: FieldKind::Text,
        is_optional: true,
        help: "As imap.example.org, or imap.example.org:993. TLS from the first byte on.",
    },
    FormField {
        name: "user",
        label: "User",
        kind: FieldKind::Text,
        is_optional: false,
        help: "The name you sign in with there, often your mail address.",
    },
    FormField {
        name: "password",
        label: "Password",
        kind: FieldKind::Secret,
        is_optional: false,
        help: "An app password where the server offers one: it can be ended by itself.",
    },
    FormField {
        name: "ca",
        label: "Authority of the certificate",
        kind: FieldKind::Certificate,
        is_optional: true,
        help: "Only for a certificate of your own making: the authority that signed it, in PEM form.",
    },
];

/// What is sealed.
#[derive(Serialize, Deserialize)]
struct ServerAccount {
    dav: Option<String>,
    imap: Option<String>,
    user: String,
    password: String,
    ca: Option<String>,
}

pub(super) struct OwnServer {
    way_out: WayOut,
}

impl OwnServer {
    pub(super) const fn new(way_out: WayOut) -> Self {
        Self { way_out }
    }

    fn dav(
        &self,
        kind: DavKind,
        own: &ServerAccount,
        sector: &str,
    ) -> Result<Source, SourceFailure> {
        let typed = own.dav.as_deref().ok_or_else(|| no_way_to(sector))?;
        let (start, rule) = dav_address(typed)?;
        let http = self.way_out.http(rule, own.ca.as_deref())?;
        let password = SourceSecret::new(own.password.clone());
        let feed = DavFeed::new(kind, http, start, &own.user, &password)?;
        Ok(Source::Rounds(Box::new(feed)))
    }

    fn mail(&self, own: &ServerAccount) -> Result<Source, SourceFailure> {
        let typed = own.imap.as_deref().ok_or_else(|| no_way_to("mail"))?;
        let streams = self.way_out.streams(own.ca.as_deref())?;
        let password = SourceSecret::new(own.password.clone());
        let feed = MailFeed::new(streams, mail_server(typed)?, [own.user.clone()], password);
        Ok(Source::Rounds(Box::new(feed)))
    }
}

/// The address that was typed, and the rule that leads nowhere else.
fn dav_address(typed: &str) -> Result<(Url, AddressRule), SourceFailure> {
    let url = Url::parse(typed).map_err(|_| {
        let message = "the address is none: it looks like https://cloud.example.org/";
        SourceFailure::new(FailureKind::ForbiddenAddress, message)
    })?;
    let rule = AddressRule::of_typed(&url, Plaintext::Refused)?;
    Ok((url, rule))
}

/// `host` or `host:port`, judged by itself.
fn mail_server(typed: &str) -> Result<JudgedAddress, SourceFailure> {
    let url = Url::parse(&format!("https://{typed}/")).ok();
    let url = url.filter(|url| url.path() == "/" && url.query().is_none());
    let url = url.ok_or_else(|| {
        let message =
            "the mail server is none: it looks like imap.example.org or imap.example.org:993";
        SourceFailure::new(FailureKind::ForbiddenAddress, message)
    })?;
    let rule = AddressRule::of_typed(&url, Plaintext::Refused)?;
    rule.judge_stream(
        url.host_str().unwrap_or_default(),
        url.port().unwrap_or(MAIL_PORT),
    )
}

/// What is wrong with a field that leads nowhere.
fn refused(field: &str) -> impl Fn(SourceFailure) -> ExchangeError + '_ {
    move |failure| FormRefusal::new(field, &failure.message).into()
}

impl Provider for OwnServer {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Own server (CalDAV, CardDAV, IMAP)"
    }

    fn sectors(&self) -> &'static [&'static str] {
        &["mail", "calendar", "contacts"]
    }

    fn revocation(&self) -> &'static str {
        "End the password where you made it, in your server's settings."
    }
}

#[async_trait]
impl PastedProvider for OwnServer {
    fn fields(&self) -> &'static [FormField] {
        FIELDS
    }

    async fn exchange(&self, form: &Form) -> Result<Credential, ExchangeError> {
        let own = ServerAccount {
            dav: form.get("dav").map(str::to_owned),
            imap: form.get("imap").map(str::to_owned),
            user: form.required("user")?.to_owned(),
            password: form.required("password")?.to_owned(),
            ca: form.get("ca").map(str::to_owned),
        };
        let dav = own.dav.as_deref().map(dav_address).transpose();
        let dav = dav.map_err(refused("dav"))?.map(|(url, _)| url);
        let imap = own.imap.as_deref().map(mail_server).transpose();
        let imap = imap.map_err(refused("imap"))?;
        if let Some(ca) = &own.ca {
            Trust::with_authorities(ca.as_bytes()).map_err(refused("ca"))?;
        }
        let imap = imap.as_ref().map(JudgedAddress::url);
        let host = dav.as_ref().or(imap).and_then(Url::host_str);
        let host = host.ok_or_else(|| {
            let message = "enter a server for calendars and contacts, or one for mail, or both";
            FormRefusal::new("dav", message)
        })?;
        Ok(Credential {
            identity: format!("{} at {host}", own.user),
            account: format!("{} at {host}", own.user),
            sealed: write(&own).map_err(ExchangeError::Source)?,
            ends_at: None,
        })
    }

    fn source(
        &self,
        sector: &str,
        sealed: &SourceSecret,
        _options: &SourceOptions,
    ) -> Result<Source, SourceFailure> {
        let own: ServerAccount = read(sealed)?;
        match sector {
            "calendar" => self.dav(DavKind::Calendar, &own, sector),
            "contacts" => self.dav(DavKind::Contacts, &own, sector),
            "mail" => self.mail(&own),
            _ => Err(no_way_to(sector)),
        }
    }
}
