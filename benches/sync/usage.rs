//! What processes use, as Linux accounts for it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};

/// The unit in which Linux reports times to programs.
const TICK: Duration = Duration::from_millis(10);

/// Processor time of a process, its children, and those of them that have ended and were waited for.
pub fn family(pid: i32) -> Duration {
    let head = Stat::of(pid).unwrap();
    let children = children(pid).into_iter().filter_map(Stat::of);
    head.own + head.ended + children.map(|child| child.own).sum::<Duration>()
}

/// The processes that a process has begun.
pub fn children(pid: i32) -> Vec<i32> {
    let processes = fs::read_dir("/proc").unwrap();
    let pids = processes.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    let is_child = |other: &i32| Stat::of(*other).is_some_and(|stat| stat.parent == pid);
    pids.filter(is_child).collect()
}

/// Processor time of a process alone.
pub fn own(pid: i32) -> Duration {
    Stat::of(pid).unwrap().own
}

/// Processor time of this process's children that have ended.
pub fn ended_children() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    let both = [usage.user_time(), usage.system_time()];
    let micros = both.map(|time| time.tv_sec() * 1_000_000 + time.tv_usec());
    Duration::from_micros(micros.iter().sum::<i64>().unsigned_abs())
}

/// The process that all others of a service's database are children of.
pub fn postmaster(home: &Path) -> i32 {
    let file = fs::read_to_string(home.join("data/postgres/data/postmaster.pid")).unwrap();
    file.lines().next().unwrap().parse().unwrap()
}

/// The high-water mark of a process's memory, in MB; `None` if it has ended.
pub fn peak_mb(pid: i32) -> Option<u64> {
    Some(status(pid, "VmHWM:")? / 1024)
}

/// Its number of threads.
pub fn threads(pid: i32) -> u64 {
    status(pid, "Threads:").unwrap()
}

fn status(pid: i32, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The machine's load average.
pub fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap();
    load.trim().to_owned()
}

struct Stat {
    parent: i32,
    own: Duration,
    ended: Duration,
}

impl Stat {
    /// Of a running process.
    fn of(pid: i32) -> Option<Self> {
        let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The process's name before it may contain any character.
        let (_, numbers) = line.rsplit_once(") ")?;
        let numbers: Vec<&str> = numbers.split(' ').collect();
        let number = |place: usize| numbers.get(place).and_then(|text| text.parse::<u32>().ok());
        Some(Self {
            parent: i32::try_from(number(1)?).ok()?,
            own: TICK * (number(11)? + number(12)?),
            ended: TICK * (number(13)? + number(14)?),
        })
    }
}
