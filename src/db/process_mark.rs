//! Identifies the process that uses the database, by pid, machine and host name, in `application_name`. PostgreSQL keeps 63
//! bytes of that.

use std::fmt;
use std::fs;

use nix::unistd::Pid;
use sha2::{Digest, Sha256};

use super::embedded::is_alive;

/// The application name of every connection in `pg_stat_activity`; a mark begins with it.
pub const APPLICATION_NAME: &str = "sextant";
/// Characters of the host's name in the mark.
const HOST_CHARACTERS_MAX: usize = 30;
/// Bytes of the machine's digest in the mark.
const MACHINE_DIGEST_BYTES: usize = 4;
/// Stands for a machine or host that could not be identified.
const UNKNOWN: &str = "-";

/// A process of this service, wherever it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessMark {
    pub pid: i32,
    pub host: String,
    /// A digest of the boot id and the pid namespace; `None` where the system does not say them.
    machine: Option<String>,
}

impl ProcessMark {
    /// This process.
    pub fn own() -> Self {
        Self {
            pid: Pid::this().as_raw(),
            host: host(),
            machine: machine(),
        }
    }

    /// The mark in an application name; `None` if it is not one of this service.
    pub fn parse(application_name: &str) -> Option<Self> {
        let mut words = application_name.split(' ');
        if words.next()? != APPLICATION_NAME {
            return None;
        }
        let pid = words.next()?.parse().ok().filter(|pid| *pid > 0)?;
        let machine = Some(words.next()?.to_owned()).filter(|machine| machine != UNKNOWN);
        Some(Self {
            pid,
            machine,
            host: words.next()?.to_owned(),
        })
    }

    /// Whether the process has ended for certain. Only that of a process on this machine can be known.
    pub fn is_gone(&self) -> bool {
        self.machine.is_some() && self.machine == machine() && !is_alive(Pid::from_raw(self.pid))
    }

    /// Whether it is this process for certain.
    pub fn is_own(&self) -> bool {
        self.machine.is_some() && *self == Self::own()
    }

    /// The mark as an application name.
    pub fn application_name(&self) -> String {
        let machine = self.machine.as_deref().unwrap_or(UNKNOWN);
        format!("{APPLICATION_NAME} {} {machine} {}", self.pid, self.host)
    }
}

impl fmt::Display for ProcessMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pid {} on {}", self.pid, self.host)
    }
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| fs::read_to_string("/etc/hostname"));
    // A host without a name is told apart by its processes alone.
    let name: String = name
        .unwrap_or_default()
        .trim()
        .chars()
        .filter(char::is_ascii_graphic)
        .take(HOST_CHARACTERS_MAX)
        .collect();
    if name.is_empty() {
        UNKNOWN.into()
    } else {
        name
    }
}

fn machine() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let pids = fs::read_link("/proc/self/ns/pid").ok()?;
    let digest = Sha256::digest(format!("{} {}", boot.trim(), pids.display()).as_bytes());
    Some(
        digest
            .iter()
            .take(MACHINE_DIGEST_BYTES)
            .map(|byte| format!("{byte:02x}"))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_survives_the_application_name() {
        let own = ProcessMark::own();
        assert!(own.application_name().len() <= 63);
        assert_eq!(ProcessMark::parse(&own.application_name()), Some(own));
        assert_eq!(ProcessMark::parse("psql"), None);
        assert_eq!(ProcessMark::parse("sextant"), None);
        assert_eq!(ProcessMark::parse("sextant -4 - host"), None);
    }

    #[test]
    fn a_process_elsewhere_is_never_taken_for_gone() {
        let elsewhere = ProcessMark {
            pid: i32::MAX,
            host: "other".into(),
            machine: Some("00000000".into()),
        };
        assert!(!elsewhere.is_gone());
        let unknown = ProcessMark {
            pid: i32::MAX,
            host: "other".into(),
            machine: None,
        };
        assert!(!unknown.is_gone());
        assert!(!ProcessMark::own().is_gone());
    }
}
