use std::net::IpAddr;
use std::path::PathBuf;

use chrono_tz::Tz;
use sextant_actors::limits::TreeLimits;

use crate::bridge::BridgeOptions;
use crate::config::{Network, ZoneSource};
use crate::doctor::DoctorWay;
use crate::export;
use crate::http::console::ReadLimits;
use crate::http::host_check::AllowedHosts;
use crate::http::wire;
use crate::import;
use crate::ingest::limits::PushLimits;
use crate::providers::SourceProviders;
use crate::sealing::CredentialKeys;
use crate::uploads::UploadLimits;

/// What the service is started with, beside its database.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address of both ports; loopback unless the operator says otherwise (r500).
    pub bind: IpAddr,
    /// 0 takes a free one.
    pub console_port: u16,
    /// 0 takes a free one.
    pub agent_port: u16,
    /// Names beside loopback by which a browser may reach the Console.
    pub allowed_hosts: AllowedHosts,
    /// Proxies that are believed whom they speak for, at the agent port.
    pub trusted_proxies: Vec<Network>,
    pub bridge: BridgeOptions,
    /// How the doctor reaches the public address.
    pub doctor: DoctorWay,
    /// The operator's zone.
    pub zone: Tz,
    /// How the zone was found.
    pub zone_source: ZoneSource,
    pub pushes: PushLimits,
    /// The journal's folder; `None` runs without a journal.
    pub journal: Option<PathBuf>,
    pub exports: export::ExportLimits,
    pub imports: import::ImportLimits,
    pub uploads: UploadLimits,
    pub reads: ReadLimits,
    /// How many connections each port accepts, and how long one is kept that reads nothing.
    pub connections: wire::ConnectionLimits,
    pub limits: TreeLimits,
    /// What may be fetched from.
    pub providers: SourceProviders,
    /// The keys of credentials at rest.
    pub keys: CredentialKeys,
}
