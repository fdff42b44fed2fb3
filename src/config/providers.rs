//! How providers are reached: `[providers.<id>]` in the file, with `hosts` (real names that lead to an address of the operator's choice),
//! `ca_file` (authorities beside those of the system), and `authorize`, `token` and `revoke` (the legs of a sign-in, where they are not
//! the provider's own). The file that is named is read where the providers are made.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use sextant_connectors::guard::Domain;
use sextant_connectors::providers::{CONSENTED_IDS, LINKED_IDS, PASTED_IDS, SignInLegs};
use toml::{Table, Value};

use super::error::ConfigError;
use super::given::Given;
use super::settings::{self, PROVIDERS};

/// The port of an address that names none: it leads to the port that was asked for.
const SAME_PORT: u16 = 0;
const HOSTS: &str = "hosts";
const CA_FILE: &str = "ca_file";

/// What is said of providers, by their words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderSettings(BTreeMap<&'static str, ProviderWay>);

/// What is said of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderWay {
    /// Names, and the addresses that they lead to; a name before the wildcards that hold it.
    pub hosts: Vec<(Domain, SocketAddr)>,
    /// A file of authorities in PEM form.
    pub ca_file: Option<PathBuf>,
    /// Where a person signs in, and where tokens are issued and ended; of providers at which a person consents.
    pub legs: SignInLegs,
}

/// Where in the file something stands.
struct SettingPlace<'a> {
    file: &'a Path,
    path: String,
}

impl ProviderSettings {
    /// Reads the table, where there is one.
    pub(super) fn read(given: &Given<'_>) -> Result<Self, ConfigError> {
        let Some((value, file)) = given.table(PROVIDERS) else {
            return Ok(Self::default());
        };
        let place = SettingPlace {
            file,
            path: PROVIDERS.to_owned(),
        };
        let ways = place.table(value)?.iter().map(|(id, value)| {
            let known = all_ids().find(|known| known == id);
            let known = known.ok_or_else(|| place.at(id).unknown_provider(id))?;
            let has_legs = CONSENTED_IDS.contains(&known);
            Ok((known, ProviderWay::read(&place.at(id), value, has_legs)?))
        });
        let mut ways = ways.collect::<Result<BTreeMap<_, _>, ConfigError>>()?;
        ways.retain(|_, way| *way != ProviderWay::default());
        Ok(Self(ways))
    }

    /// What is said of a provider.
    pub fn get(&self, id: &str) -> Option<&ProviderWay> {
        self.0.get(id)
    }

    /// A sentence for each provider that is reached elsewhere than by its own addresses.
    pub(super) fn diverted(&self) -> impl Iterator<Item = String> {
        let hosts = self.0.iter().filter(|(_, way)| !way.hosts.is_empty());
        let hosts = hosts.map(|(id, way)| {
            let hosts = way.hosts.iter();
            let hosts: Vec<_> = hosts
                .map(|(host, address)| format!("{host} leads to {}", told(*address)))
                .collect();
            let hosts = hosts.join(", ");
            format!("the provider {id} is diverted by [{PROVIDERS}.{id}.{HOSTS}]: {hosts}")
        });
        let legs = self.0.iter().flat_map(|(id, way)| {
            way.legs.hosts().map(move |(leg, host)| {
                format!("the provider {id} is diverted by [{PROVIDERS}.{id}] {leg}: to {host}")
            })
        });
        hosts.chain(legs)
    }
}

impl ProviderWay {
    fn read(place: &SettingPlace<'_>, value: &Value, has_legs: bool) -> Result<Self, ConfigError> {
        let mut way = Self::default();
        for (key, value) in place.table(value)? {
            let place = place.at(key);
            match key.as_str() {
                HOSTS => way.hosts = hosts(&place, value)?,
                CA_FILE => way.ca_file = Some(ca_file(&place, value)?),
                leg if has_legs && SignInLegs::NAMES.contains(&leg) => {
                    let is_set = value.as_str().is_some_and(|text| way.legs.set(leg, text));
                    if !is_set {
                        return Err(place.refuse(
                            "it must be a web address, such as https://login.example.org/token",
                        ));
                    }
                }
                _ => {
                    return Err(place.refuse(match has_legs {
                        true => "there is no such setting; there are hosts, ca_file, authorize, token and revoke",
                        false => "there is no such setting; there are hosts and ca_file",
                    }));
                }
            }
        }
        Ok(way)
    }
}

/// Every provider whose data is fetched.
fn all_ids() -> impl Iterator<Item = &'static str> {
    let signed_in_there = CONSENTED_IDS.into_iter().chain(LINKED_IDS);
    PASTED_IDS.into_iter().chain(signed_in_there)
}

/// The names in the order in which they decide: whole names, then wildcards, the longest first.
fn hosts(
    place: &SettingPlace<'_>,
    value: &Value,
) -> Result<Vec<(Domain, SocketAddr)>, ConfigError> {
    let hosts = place.table(value)?.iter().map(|(host, value)| {
        let place = place.at(host);
        let domain = Domain::parse(host).ok_or_else(|| {
            place.refuse("the name must be a host, such as caldav.icloud.com, or *.icloud.com for all below it")
        })?;
        let address = value.as_str().and_then(address);
        let address = address.ok_or_else(|| {
            place.refuse("the value must be an IP address, or one with a port, such as 127.0.0.1:8443")
        })?;
        Ok((domain, address))
    });
    let mut hosts: Vec<_> = hosts.collect::<Result<_, ConfigError>>()?;
    hosts.sort_by_key(|(domain, _)| match domain {
        Domain::Host(_) => (false, 0),
        Domain::Below(name) => (true, usize::MAX - name.len()),
    });
    Ok(hosts)
}

fn address(text: &str) -> Option<SocketAddr> {
    let text = text.trim();
    let bare = || Some((text.parse::<IpAddr>().ok()?, SAME_PORT).into());
    let with_port = text.parse().ok();
    let with_port = with_port.filter(|address: &SocketAddr| address.port() != SAME_PORT);
    with_port.or_else(bare)
}

fn told(address: SocketAddr) -> String {
    match address.port() {
        SAME_PORT => address.ip().to_string(),
        _ => address.to_string(),
    }
}

fn ca_file(place: &SettingPlace<'_>, value: &Value) -> Result<PathBuf, ConfigError> {
    let path = value
        .as_str()
        .map(str::trim)
        .filter(|path| !path.is_empty());
    let path = path.ok_or_else(|| place.refuse("it must be the path of a file in PEM form"))?;
    Ok(PathBuf::from(path))
}

impl SettingPlace<'_> {
    fn at(&self, key: &str) -> Self {
        Self {
            file: self.file,
            path: format!("{}.{key}", self.path),
        }
    }

    fn table<'v>(&self, value: &'v Value) -> Result<&'v Table, ConfigError> {
        value
            .as_table()
            .ok_or_else(|| self.refuse("it must be a table"))
    }

    fn unknown_provider(&self, id: &str) -> ConfigError {
        let nearest = settings::nearest(id, all_ids()).unwrap_or_default();
        let all: Vec<_> = all_ids().collect();
        self.refuse(&format!(
            "there is no such provider; there are {}, and the nearest is {nearest}",
            all.join(", ")
        ))
    }

    fn refuse(&self, message: &str) -> ConfigError {
        ConfigError::Provider {
            file: self.file.into(),
            place: self.path.clone(),
            message: message.to_owned(),
        }
    }
}
