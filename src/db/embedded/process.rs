//! Whether a pid is a running PostgreSQL server on our data.
//!
//! It knows `/proc`, and `ps` on systems without it. It must not know how a cluster is started and stopped.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;

/// Whether the process runs; a zombie does not.
pub(crate) fn is_alive(pid: Pid) -> bool {
    is_taken(pid) && !is_zombie(pid)
}

/// Whether the kernel knows the pid, be it that of a zombie.
pub(super) fn is_taken(pid: Pid) -> bool {
    !matches!(kill(pid, None), Err(Errno::ESRCH))
}

fn is_zombie(pid: Pid) -> bool {
    // The program's name in parentheses may contain anything; the state follows the last closing parenthesis.
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        stat.rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with('Z'))
    })
}

/// Whether `pid` is a server that works on `data`. A pid from an old file may belong to any process by now.
pub(super) fn is_server_on(pid: Pid, data: &Path) -> bool {
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

/// A server's working directory is its data directory; where that cannot be read, its user must not be another than the data's
/// owner.
fn works_in(pid: Pid, data: &Path) -> bool {
    if let Ok(place) = fs::read_link(format!("/proc/{pid}/cwd")) {
        return place == data;
    }
    let owners = (fs::metadata(format!("/proc/{pid}")), fs::metadata(data));
    !matches!(owners, (Ok(process), Ok(data)) if process.uid() != data.uid())
}
