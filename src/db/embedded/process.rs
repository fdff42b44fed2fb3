//! Whether a pid is still a running PostgreSQL server on our data.
//!
//! Knows `/proc`, and `ps` where there is none. Must not know the cluster's start and stop.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;

/// Whether the process runs; one that has ended and waits for its parent does not.
pub fn is_alive(pid: Pid) -> bool {
    is_taken(pid) && !is_zombie(pid)
}

/// Whether the kernel knows the pid at all, be it of a process that has ended.
pub fn is_taken(pid: Pid) -> bool {
    !matches!(kill(pid, None), Err(Errno::ESRCH))
}

fn is_zombie(pid: Pid) -> bool {
    // The name in parentheses may hold anything; the state follows its last closing one.
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        stat.rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with('Z'))
    })
}

/// Whether `pid` is a server that works on `data`: a pid from an old file may by now be anything.
pub fn is_server_on(pid: Pid, data: &Path) -> bool {
    is_alive(pid) && is_postgres(pid) && works_in(pid, data)
}

fn is_postgres(pid: Pid) -> bool {
    program_of(pid)
        .is_some_and(|name| name.starts_with("postgres") || name.starts_with("postmaster"))
}

/// The file name of the program; the kernel's or `ps`'s short name when the program cannot be read.
fn program_of(pid: Pid) -> Option<String> {
    if let Ok(program) = fs::read_link(format!("/proc/{pid}/exe")) {
        return Some(program.file_name()?.to_string_lossy().into_owned());
    }
    if let Ok(name) = fs::read_to_string(format!("/proc/{pid}/comm")) {
        return Some(name);
    }
    let output = Command::new("ps")
        .args(["-o", "comm=", "-p", &pid.to_string()])
        .output()
        .ok()?;
    let name = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Some(name.rsplit('/').next()?.to_owned())
}

/// A server lives in its data directory; where that cannot be read, its user must be the data's owner.
fn works_in(pid: Pid, data: &Path) -> bool {
    if let Ok(place) = fs::read_link(format!("/proc/{pid}/cwd")) {
        return place == data;
    }
    let owners = (fs::metadata(format!("/proc/{pid}")), fs::metadata(data));
    !matches!(owners, (Ok(process), Ok(data)) if process.uid() != data.uid())
}
