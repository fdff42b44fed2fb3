//! Which addresses a sign-in may lead to.

use std::fmt;

use reqwest::Url;

use super::destination::JudgedAddress;
use crate::failure::{FailureKind, SourceFailure};

/// A name that a rule allows, in lower case and in its ASCII form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// This host alone: a name, or an IP address that the operator typed.
    Host(String),
    /// This name and every one below it, as `*.icloud.com`.
    Below(String),
}

impl Domain {
    /// Reads `host` or `*.host`; `None` for what is no name and no address.
    pub fn parse(text: &str) -> Option<Self> {
        let (is_below, name) = match text.trim().strip_prefix("*.") {
            Some(name) => (true, name),
            None => (false, text.trim()),
        };
        let url = Url::parse(&format!("https://{name}/")).ok()?;
        let host = url.host_str()?;
        let is_bare = url.port().is_none() && url.username().is_empty() && url.path() == "/";
        let is_name = is_bare && !host.is_empty() && !host.ends_with('.');
        let host = host.to_owned();
        is_name.then_some(if is_below {
            Self::Below(host)
        } else {
            Self::Host(host)
        })
    }

    /// Whether `host`, in lower case, is allowed by it.
    pub(super) fn holds(&self, host: &str) -> bool {
        match self {
            Self::Host(own) => own == host,
            Self::Below(own) => host
                .strip_suffix(own.as_str())
                .is_some_and(|before| before.is_empty() || before.ends_with('.')),
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(name) => f.write_str(name),
            Self::Below(name) => write!(f, "*.{name}"),
        }
    }
}

/// Whether a connection may go without TLS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plaintext {
    /// Never.
    Refused,
    /// To an address of the operator's own network, judged on the address that is connected to.
    ToPrivateAddresses,
}

/// The rule of one sign-in.
#[derive(Clone, Debug)]
pub struct AddressRule {
    domains: Vec<Domain>,
    port: Option<u16>,
    plaintext: Plaintext,
}

impl AddressRule {
    /// A provider's own domains, each on the port of its protocol.
    pub fn of_domains(domains: impl IntoIterator<Item = Domain>) -> Self {
        Self {
            domains: domains.into_iter().collect(),
            port: None,
            plaintext: Plaintext::Refused,
        }
    }

    /// The address that the operator typed: this host, this port, and no other.
    ///
    /// # Errors
    /// [`FailureKind::ForbiddenAddress`] if it names no host, or holds a user or password.
    pub fn of_typed(typed: &Url, plaintext: Plaintext) -> Result<Self, SourceFailure> {
        let host = typed.host_str().and_then(Domain::parse);
        let host = host.ok_or_else(|| forbidden("the address names no host"))?;
        let rule = Self {
            domains: vec![host],
            port: typed.port(),
            plaintext,
        };
        rule.judge(typed)?;
        Ok(rule)
    }

    /// Judges an address of HTTP, whoever named it.
    ///
    /// # Errors
    /// [`FailureKind::ForbiddenAddress`], with a sentence that names what is wrong.
    pub fn judge(&self, address: &Url) -> Result<JudgedAddress, SourceFailure> {
        let is_plain = match (address.scheme(), self.plaintext) {
            ("https", _) => false,
            ("http", Plaintext::ToPrivateAddresses) => true,
            ("http", Plaintext::Refused) => {
                return Err(forbidden(
                    "the address must begin with https://, http is read on the way",
                ));
            }
            (scheme, _) => return Err(forbidden(&format!("{scheme} is no way to a source"))),
        };
        if !address.username().is_empty() || address.password().is_some() {
            return Err(forbidden("an address that holds a user or password"));
        }
        if address.port() != self.port {
            return Err(forbidden("a port that was not typed"));
        }
        let host = address.host_str().unwrap_or_default();
        self.judge_host(host)?;
        Ok(JudgedAddress::of_url(address.clone(), is_plain))
    }

    /// Judges a host, in lower case, and a port of another protocol than HTTP, over TLS.
    ///
    /// # Errors
    /// [`FailureKind::ForbiddenAddress`] if the host is not the rule's.
    pub fn judge_stream(&self, host: &str, port: u16) -> Result<JudgedAddress, SourceFailure> {
        let url = Url::parse(&format!("https://{host}:{port}/"));
        let names_host = |url: &Url| url.host_str() == Some(host) && url.username().is_empty();
        let url = url.ok().filter(names_host);
        let url = url.ok_or_else(|| forbidden("an address that names no host"))?;
        self.judge_host(host)?;
        Ok(JudgedAddress::of_url(url, false))
    }

    fn judge_host(&self, host: &str) -> Result<(), SourceFailure> {
        match self.domains.iter().any(|domain| domain.holds(host)) {
            true => Ok(()),
            false => Err(forbidden("a host that is not the source's own")),
        }
    }
}

pub(super) fn forbidden(what: &str) -> SourceFailure {
    let message = format!("nothing was sent: {what}");
    SourceFailure::new(FailureKind::ForbiddenAddress, message)
}

#[cfg(test)]
mod tests;
