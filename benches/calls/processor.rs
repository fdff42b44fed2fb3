//! Processor time, as Linux accounts for it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};

/// The unit in which Linux reports times to programs.
const TICK: Duration = Duration::from_millis(10);

/// The processes of a PostgreSQL.
pub struct Postgres {
    postmaster: i32,
}

struct Stat {
    parent: i32,
    own: Duration,
    /// Time of children that have ended and were waited for.
    ended: Duration,
}

impl Postgres {
    /// The PostgreSQL that serves this cluster.
    pub fn at(cluster: &Path) -> Self {
        let file = fs::read_to_string(cluster.join("postmaster.pid")).unwrap();
        Self {
            postmaster: file.lines().next().unwrap().parse().unwrap(),
        }
    }

    /// Processor time of all its processes.
    pub fn used(&self) -> Duration {
        let postmaster = stat(self.postmaster).unwrap();
        let processes = fs::read_dir("/proc").unwrap();
        let pids = processes.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
        let children = pids.filter_map(stat);
        let children = children.filter(|child| child.parent == self.postmaster);
        postmaster.own + postmaster.ended + children.map(|child| child.own).sum::<Duration>()
    }
}

/// Processor time of one process.
pub fn used(pid: i32) -> Duration {
    stat(pid).unwrap().own
}

/// Processor time of this process.
pub fn used_here() -> Duration {
    used_by(UsageWho::RUSAGE_SELF)
}

/// Processor time of this process's children that have ended.
pub fn used_by_children() -> Duration {
    used_by(UsageWho::RUSAGE_CHILDREN)
}

fn used_by(who: UsageWho) -> Duration {
    let usage = getrusage(who).unwrap();
    let both = [usage.user_time(), usage.system_time()];
    let micros = both.map(|time| time.tv_sec() * 1_000_000 + time.tv_usec());
    Duration::from_micros(micros.iter().sum::<i64>().unsigned_abs())
}

/// The machine's load average.
pub fn load() -> String {
    fs::read_to_string("/proc/loadavg")
        .unwrap()
        .trim()
        .to_owned()
}

/// The `stat` of a running process.
fn stat(pid: i32) -> Option<Stat> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The process's name before it may contain any character.
    let (_, numbers) = line.rsplit_once(") ")?;
    let numbers: Vec<&str> = numbers.split(' ').collect();
    let number = |place: usize| numbers.get(place).and_then(|text| text.parse::<u32>().ok());
    Some(Stat {
        parent: i32::try_from(number(1)?).ok()?,
        own: TICK * (number(11)? + number(12)?),
        ended: TICK * (number(13)? + number(14)?),
    })
}
