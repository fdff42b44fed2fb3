//! Whether the address leads anywhere, and to whom: its name, its addresses, its port, its certificate. Nothing is asked yet.

use std::io;
use std::net::IpAddr;

use chrono::{DateTime, Utc};
use sextant_connectors::guard::{CertificateFault, FoundHost, ProbeWay, PublicProbe};

use super::finding::{Seen, StepVerdict, Trouble};
use super::limits::CERTIFICATE_MARGIN;
use crate::exposure::PublicAddress;
use crate::host::Host;

/// The port that hosted agents call.
const HOSTED_PORT: u16 = 443;
/// The ports that a funnel has.
const FUNNEL_PORTS: [u16; 3] = [HOSTED_PORT, 8443, 10_000];
/// How names end that a funnel leads to.
const FUNNEL_NAMES: &str = ".ts.net";

pub(super) async fn resolves(way: &ProbeWay, address: &PublicAddress) -> StepVerdict<FoundHost> {
    let host = bare(address.host());
    let found = way.look_up(&host, address.port()).await.map_err(|_| {
        Trouble::new(
            format!("The name {host} stands for no address."),
            "Check how it is written; a new name takes some minutes until it is known everywhere, and a funnel has one only while it is on.",
        )
    })?;
    let told = listed(found.addresses());
    Ok(Seen::well(format!("{host} stands for {told}.")).with(found))
}

pub(super) fn is_public(way: &ProbeWay, found: FoundHost) -> StepVerdict<PublicProbe> {
    let foreign: Vec<IpAddr> = way.not_public(&found).collect();
    if !foreign.is_empty() && !found.is_of_overlay() {
        return Err(Trouble::new(
            format!(
                "The name leads to {}, which only your own network reaches.",
                listed(foreign.into_iter())
            ),
            "Hosted agents call from elsewhere. Turn the funnel of your private-network overlay on for this name, or have its entry in the DNS lead to a public address; this computer may see another entry than others do.",
        ));
    }
    let seen = seen(&found);
    match way.probe(found) {
        Ok(probe) => Ok(seen.with(probe)),
        Err(cause) => Err(Trouble::new(
            format!("The address cannot be tried from here: {}.", cause.message),
            "Install the certificates of authorities on this computer (the package ca-certificates), and check again.",
        )),
    }
}

fn seen(found: &FoundHost) -> Seen {
    let told = listed(found.addresses());
    if !found.is_of_overlay() {
        return Seen::well(format!("{told} can be reached from anywhere."));
    }
    Seen::doubtful(Trouble::new(
        format!(
            "This computer is in the overlay that gives the name, and sees its own address {told} there: what others see is not known from here."
        ),
        "See that the funnel is on, and not only shared within the overlay; all else is checked by this address.",
    ))
}

pub(super) async fn port(probe: &PublicProbe, address: &PublicAddress) -> StepVerdict {
    judge_port(probe.connect().await, address.port())
}

fn judge_port(connected: io::Result<()>, port: u16) -> StepVerdict {
    let Err(cause) = connected else {
        return Ok(Seen::well(format!("Port {port} answers.")));
    };
    let what = match cause.kind() {
        io::ErrorKind::ConnectionRefused => format!("Nothing listens at port {port}."),
        io::ErrorKind::TimedOut => {
            format!("Port {port} does not answer: something on the way drops what is sent to it.")
        }
        kind => format!("Port {port} cannot be connected to ({kind})."),
    };
    Err(Trouble::new(
        what,
        "Start what publishes the agent port (the funnel, or a proxy of your own), let the firewall pass the port, and check again.",
    ))
}

pub(super) async fn certificate(probe: &PublicProbe, now: DateTime<Utc>) -> StepVerdict {
    judge_certificate(
        probe
            .certificate_ends_before(now + CERTIFICATE_MARGIN)
            .await,
    )
}

fn judge_certificate(shown: Result<Option<DateTime<Utc>>, CertificateFault>) -> StepVerdict {
    let fault = match shown {
        Ok(None) => {
            return Ok(Seen::well(
                "The certificate is for this name, trusted, and lasts two weeks at least.",
            ));
        }
        Ok(Some(end)) => {
            let end = end.format("%Y-%m-%d %H:%M UTC");
            return Ok(Seen::doubtful(Trouble::new(
                format!("The certificate ends on {end}, within 14 days."),
                "See that whatever renews it runs; no hosted agent connects once it has ended.",
            )));
        }
        Err(fault) => fault,
    };
    let remedy = match &fault {
        CertificateFault::OtherName => {
            "Have whatever answers there show a certificate for exactly this name."
        }
        CertificateFault::Expired => "Renew it, and see why that did not happen by itself.",
        CertificateFault::NotYetValid => {
            "Check the clock of this computer and the date of the certificate."
        }
        CertificateFault::Untrusted => {
            "Use one of a public authority, with its whole chain; hosted agents take none of your own making."
        }
        CertificateFault::Refused(_) => "Renew the certificate, with its whole chain.",
        CertificateFault::NoTls => "Have whatever answers at this port speak https.",
        CertificateFault::Broken(_) => {
            "Look at the log of whatever answers there: it ended the connection before it showed a certificate."
        }
    };
    let fault = fault.to_string();
    Err(Trouble::new(sentence(&fault), remedy))
}

pub(super) fn funnel(address: &PublicAddress) -> StepVerdict {
    let port = address.port();
    let is_funnel = matches!(address.host(), Host::Name(name) if name.ends_with(FUNNEL_NAMES));
    match port {
        HOSTED_PORT => Ok(Seen::well("Port 443: every agent can call it.")),
        _ if is_funnel && !FUNNEL_PORTS.contains(&port) => Err(Trouble::new(
            format!("A funnel has the ports 443, 8443 and 10000, and not {port}."),
            "Publish the agent port at 443, and enter the address without a port.",
        )),
        _ => Ok(Seen::doubtful(Trouble::new(
            format!(
                "The port is {port}, and hosted agents call 443 only: none of them connects, and nothing of it is recorded here. Agents on your own computers can use it."
            ),
            "Publish the agent port at 443, and enter the address without a port.",
        ))),
    }
}

/// The host without the brackets of an IPv6 address.
fn bare(host: &Host) -> String {
    match host {
        Host::Address(address) => address.to_string(),
        Host::Name(name) => name.clone(),
    }
}

fn listed(addresses: impl Iterator<Item = IpAddr>) -> String {
    let told: Vec<String> = addresses.map(|address| address.to_string()).collect();
    told.join(", ")
}

/// With a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!(
        "{}{}.",
        first.map(String::from).unwrap_or_default(),
        letters.as_str()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether it passed, and what is wrong if it did not.
    fn told(verdict: StepVerdict) -> (&'static str, String) {
        super::super::finding::tests::told(verdict)
    }

    fn funnel_at(url: &str) -> &'static str {
        told(funnel(&PublicAddress::parse(url).unwrap())).0
    }

    #[test]
    fn hosted_agents_call_443_only_and_a_funnel_has_three_ports() {
        for (url, verdict) in [
            ("https://box.tail.ts.net", "passed"),
            ("https://box.example", "passed"),
            ("https://box.tail.ts.net:8443", "warned"),
            ("https://box.tail.ts.net:10000", "warned"),
            ("https://box.tail.ts.net:9443", "failed"),
            ("https://box.example:9443", "warned"),
        ] {
            assert_eq!(funnel_at(url), verdict, "{url}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_certificate_is_said_apart() {
        for (fault, words) in [
            (CertificateFault::OtherName, "for another name"),
            (CertificateFault::Expired, "has expired"),
            (CertificateFault::NotYetValid, "not valid yet"),
            (CertificateFault::Untrusted, "nobody who is trusted"),
            (CertificateFault::NoTls, "does not speak TLS"),
        ] {
            let (verdict, what) = told(judge_certificate(Err(fault)));
            assert_eq!(verdict, "failed");
            assert!(
                what.to_lowercase().contains(&words.to_lowercase()),
                "{what}"
            );
        }
        assert_eq!(told(judge_certificate(Ok(None))).0, "passed");
        let ending = told(judge_certificate(Ok(Some(DateTime::UNIX_EPOCH))));
        assert_eq!(ending.0, "warned");
        assert!(ending.1.contains("1970-01-01"), "{}", ending.1);
    }

    #[test]
    fn a_port_that_is_closed_and_one_that_is_silent_are_two_things() {
        let told = |kind: io::ErrorKind| told(judge_port(Err(kind.into()), 443)).1;
        assert!(told(io::ErrorKind::ConnectionRefused).contains("Nothing listens"));
        assert!(told(io::ErrorKind::TimedOut).contains("drops"));
    }
}
