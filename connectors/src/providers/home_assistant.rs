//! A Home Assistant of one's own, by a long-lived access token (r127).

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::WayOut;
use super::sealed::{no_way_to, read, write};
use crate::failure::SourceFailure;
use crate::guard::Trust;
use crate::home_assistant::{HomeAddress, HomeAssistant, token_ends_at};
use crate::provider::{
    Credential, ExchangeError, FieldKind, Form, FormField, FormRefusal, PastedProvider, Provider,
    Source, SourceOptions,
};
use crate::secret::SourceSecret;

/// Its word in settings and rows.
pub(super) const ID: &str = "home_assistant";

const FIELDS: &[FormField] = &[
    FormField {
        name: "address",
        label: "Address",
        kind: FieldKind::Address,
        is_optional: false,
        help: "As http://homeassistant.local:8123. Without TLS only inside your own network.",
    },
    FormField {
        name: "token",
        label: "Long-lived access token",
        kind: FieldKind::Secret,
        is_optional: false,
        help: "Made in Home Assistant: your profile, Security, Long-lived access tokens.",
    },
    FormField {
        name: "ca",
        label: "Authority of the certificate",
        kind: FieldKind::Certificate,
        is_optional: true,
        help: "Only for https with a certificate of your own making: the authority that signed it, in PEM form.",
    },
];

/// What is sealed.
#[derive(Serialize, Deserialize)]
struct HomeToken {
    address: String,
    token: String,
    ca: Option<String>,
}

pub(super) struct Home {
    way_out: WayOut,
}

impl Home {
    pub(super) const fn new(way_out: WayOut) -> Self {
        Self { way_out }
    }
}

impl Provider for Home {
    fn id(&self) -> &'static str {
        ID
    }

    fn title(&self) -> &'static str {
        "Home Assistant"
    }

    fn sectors(&self) -> &'static [&'static str] {
        &["home"]
    }

    fn is_stream(&self) -> bool {
        true
    }

    fn revocation(&self) -> &'static str {
        "Delete the token in Home Assistant: your profile, Security, Long-lived access tokens."
    }
}

#[async_trait]
impl PastedProvider for Home {
    fn fields(&self) -> &'static [FormField] {
        FIELDS
    }

    async fn exchange(&self, form: &Form) -> Result<Credential, ExchangeError> {
        let own = HomeToken {
            address: form.required("address")?.to_owned(),
            token: form.required("token")?.to_owned(),
            ca: form.get("ca").map(str::to_owned),
        };
        let refused = |field: &'static str| {
            move |failure: SourceFailure| FormRefusal::new(field, &failure.message)
        };
        HomeAddress::parse(&own.address).map_err(refused("address"))?;
        if let Some(ca) = &own.ca {
            Trust::with_authorities(ca.as_bytes()).map_err(refused("ca"))?;
        }
        Ok(Credential {
            identity: own.address.clone(),
            account: own.address.clone(),
            sealed: write(&own).map_err(ExchangeError::Source)?,
            ends_at: token_ends_at(&SourceSecret::new(own.token.as_str())),
        })
    }

    fn source(
        &self,
        sector: &str,
        sealed: &SourceSecret,
        options: &SourceOptions,
    ) -> Result<Source, SourceFailure> {
        if sector != "home" {
            return Err(no_way_to(sector));
        }
        let own: HomeToken = read(sealed)?;
        Ok(Source::Stream(Box::new(HomeAssistant {
            address: HomeAddress::parse(&own.address)?,
            streams: self.way_out.streams(own.ca.as_deref())?,
            token: SourceSecret::new(own.token),
            domains: options.action_domains.clone().unwrap_or_default(),
        })))
    }
}
