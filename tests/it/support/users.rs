//! Runs the test program again in a child process: as another user, or to be killed.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::unistd::{User, geteuid};

use super::skipped;
use super::watchdog::Watchdog;

/// Tells a child of the test program which part it plays.
const ROLE_VARIABLE: &str = "SEXTANT_TEST_ROLE";
/// The part of a child that runs a whole test once more, as another user.
const AS_NOBODY: &str = "as nobody";
/// The argument of a helper process.
const ARGUMENT_VARIABLE: &str = "SEXTANT_TEST_ARGUMENT";
/// A helper's line to its parent begins with this, which tells it from what the test harness prints.
const SAID: &str = "helper says: ";

pub fn is_root() -> bool {
    geteuid().is_root()
}

/// Runs `body` as the user of this process and, when that is root, again as `nobody` in a child process.
///
/// `name` is the full name of the calling test, by which the child finds it.
pub fn as_root_and_as_a_user(name: &str, body: impl AsyncFnOnce(&Path)) {
    if is_root() {
        run_as_nobody(name);
    } else if !is_nobodys_part() {
        skipped::for_want_of(name, "only root can run it as root too");
    }
    in_scratch(body);
}

/// Runs `body` with an empty directory that the server's user can reach.
pub fn in_scratch(body: impl AsyncFnOnce(&Path)) {
    let scratch = tempfile::Builder::new().prefix("sx").tempdir().unwrap();
    std::fs::set_permissions(scratch.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let scratch_path = scratch.path().canonicalize().unwrap();
    let _watchdog = Watchdog::over(&scratch_path);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(body(&scratch_path));
}

fn run_as_nobody(name: &str) {
    let nobody = User::from_name("nobody").unwrap().unwrap();
    let output = this_program()
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env(ROLE_VARIABLE, AS_NOBODY)
        .uid(nobody.uid.as_raw())
        .gid(nobody.gid.as_raw())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "as nobody: {said}\n{complained}");
    assert!(
        said.contains("1 passed"),
        "no test is called {name}: {said}"
    );
}

#[expect(
    clippy::disallowed_methods,
    reason = "a child is told its part by its parent"
)]
fn is_nobodys_part() -> bool {
    std::env::var(ROLE_VARIABLE).as_deref() == Ok(AS_NOBODY)
}

/// Through the kernel's link to the running program: another user may not be able to traverse the directories above
/// it.
fn this_program() -> Command {
    let link = Path::new("/proc/self/exe");
    let program = if link.exists() {
        link.to_path_buf()
    } else {
        std::env::current_exe().unwrap()
    };
    let mut command = Command::new(program);
    command.current_dir("/").stdin(Stdio::null());
    command
}

/// This program, set up to run the ignored test `name`.
fn part(name: &str, argument: &str) -> Command {
    let mut command = this_program();
    command.args([
        name,
        "--exact",
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ]);
    command.env(ROLE_VARIABLE, name);
    command.env(ARGUMENT_VARIABLE, argument);
    command
}

/// A child of the test program that runs one ignored test.
pub struct Helper {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Helper {
    /// Starts the ignored test `name` in a process of the same user.
    pub fn start(name: &str, argument: &str) -> Self {
        Self::start_with(name, argument, &[])
    }

    /// As [`Self::start`], with further environment variables.
    pub fn start_with(name: &str, argument: &str, environment: &[(&str, &Path)]) -> Self {
        let mut child = part(name, argument)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    pub fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).unwrap()
    }

    /// The next line of the helper.
    pub fn hear(&mut self) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(
                self.lines.read_line(&mut line).unwrap() > 0,
                "the helper ended without a word"
            );
            if let Some((_, said)) = line.trim_end().split_once(SAID) {
                return said.to_owned();
            }
        }
    }

    /// The helper's only line; waits for its end.
    pub fn outcome(mut self) -> String {
        let said = self.hear();
        drop(self.child.stdin.take());
        std::io::copy(&mut self.lines, &mut std::io::sink()).unwrap();
        self.child.wait().unwrap();
        said
    }

    /// Kills it with SIGKILL and waits for its end.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Starts a helper that outlives this process and for which nobody waits.
#[expect(
    clippy::zombie_processes,
    reason = "it outlives this process, which cannot wait for it"
)]
pub fn start_detached(name: &str) {
    this_program()
        .args([name, "--exact", "--ignored", "--test-threads=1"])
        .env(ROLE_VARIABLE, name)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
}

/// Starts a helper that a signal to this process's group does not reach; its standard input closes when this process
/// ends.
pub fn start_watching(name: &str, argument: &str) -> Child {
    part(name, argument)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap()
}

/// Inside a helper: its argument, or none when somebody runs the ignored test by hand.
#[expect(
    clippy::disallowed_methods,
    reason = "a helper is told its part by its parent"
)]
pub fn helper_argument(name: &str) -> Option<String> {
    (std::env::var(ROLE_VARIABLE).as_deref() == Ok(name))
        .then(|| std::env::var(ARGUMENT_VARIABLE).unwrap_or_default())
}

/// Inside a helper: sends one line to the parent.
pub fn say(line: &str) {
    println!("{SAID}{line}");
}

/// Inside a helper: waits until the parent has ended or closed the pipe.
pub fn wait_for_the_parent() {
    let mut line = String::new();
    while std::io::stdin()
        .read_line(&mut line)
        .is_ok_and(|bytes| bytes > 0)
    {}
}
