//! From the name of a destination to the addresses that are connected to.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::private::{is_private, is_public};
use super::rule::Domain;

/// Names that lead to an address of the operator's choice (`[providers.<id>.hosts]`): the rule has judged the real name, and the
/// certificate is checked against it. The first that fits decides. The port 0 stands for the one that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diversions(Vec<(Domain, SocketAddr)>);

impl Diversions {
    /// Those of a configuration, in its order.
    pub fn new(diversions: impl IntoIterator<Item = (Domain, SocketAddr)>) -> Self {
        Self(diversions.into_iter().collect())
    }

    fn of(&self, host: &str) -> Option<SocketAddr> {
        let mut fitting = self.0.iter().filter(|(domain, _)| domain.holds(host));
        fitting.next().map(|(_, address)| *address)
    }
}

/// Which addresses may be connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressReach {
    /// Any.
    Everywhere,
    /// Those of the operator's own network; one other is enough to refuse all.
    OwnNetwork,
    /// Those that anybody may connect to; one other is enough to refuse all.
    PublicOnly,
}

impl AddressReach {
    fn holds(self, address: IpAddr) -> bool {
        match self {
            AddressReach::Everywhere => true,
            AddressReach::OwnNetwork => is_private(address),
            AddressReach::PublicOnly => is_public(address),
        }
    }

    /// What an address outside of it is refused with.
    const fn refusal(self) -> &'static str {
        match self {
            AddressReach::Everywhere | AddressReach::OwnNetwork => {
                "without TLS only addresses of your own network are connected to"
            }
            AddressReach::PublicOnly => "the name leads to an address that is not public",
        }
    }
}

/// Looks names up. An address in place of a name is its own answer.
#[derive(Clone)]
pub(super) struct Resolver {
    diversions: Arc<Diversions>,
    reach: AddressReach,
}

impl Resolver {
    pub(super) fn new(diversions: Diversions, reach: AddressReach) -> Self {
        Self {
            diversions: Arc::new(diversions),
            reach,
        }
    }

    /// The same names, with another reach.
    pub(super) fn reaching(&self, reach: AddressReach) -> Self {
        Self {
            reach,
            ..self.clone()
        }
    }

    /// The addresses of a host. A diverted one may have a port of its own.
    pub(super) async fn addresses(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        if let Some(mut address) = self.diversions.of(host) {
            if address.port() == 0 {
                address.set_port(port);
            }
            return Ok(vec![address]);
        }
        let found: Vec<SocketAddr> = match host.parse::<IpAddr>() {
            Ok(address) => vec![(address, port).into()],
            Err(_) => tokio::net::lookup_host((host, port)).await?.collect(),
        };
        self.judge(&found)?;
        Ok(found)
    }

    /// What a literal address in a request's own URL must hold to: such a one is connected to without being looked up.
    pub(super) fn judge_literal(&self, host: &str) -> io::Result<()> {
        match host.parse::<IpAddr>() {
            Ok(address) => self.judge(&[(address, 0).into()]),
            Err(_) => Ok(()),
        }
    }

    fn judge(&self, found: &[SocketAddr]) -> io::Result<()> {
        let is_reached = found.iter().all(|address| self.reach.holds(address.ip()));
        is_reached
            .then_some(())
            .ok_or_else(|| io::Error::new(io::ErrorKind::PermissionDenied, self.reach.refusal()))
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let found = resolver.addresses(name.as_str(), 0).await?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
