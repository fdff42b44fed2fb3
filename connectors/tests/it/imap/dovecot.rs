//! A Dovecot of one's own: on a free port, with TLS, and with as few capabilities as a test wants.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sextant_connectors::guard::{AddressRule, Diversions, Domain, StreamGuard, Trust};
use sextant_connectors::imap::MailFeed;
use sextant_connectors::secret::SourceSecret;

use crate::support::certificates::{self, Certificates};
use crate::support::{ports, skipped};

pub const USER: &str = "op@me.test";
pub const PASSWORD: &str = "abcd-efgh-ijkl-mnop";
/// The name that the rule allows, and that leads to a server of the test.
pub const HOST: &str = "imap.me.test";
const READY: Duration = Duration::from_secs(20);

/// The server. It ends with the value.
pub struct Dovecot {
    pub folder: tempfile::TempDir,
    pub port: u16,
    certificates: Certificates,
    process: Child,
}

impl Dovecot {
    /// Starts one with all it is able to, or with `capabilities` only; reports the test as skipped where there is none.
    pub fn start(test: &str, capabilities: Option<&str>) -> Option<Self> {
        if !is_here(test) || !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = format!("subjectAltName=DNS:{HOST}");
        let certificates = certificates::make(folder.path(), &names);
        let port = ports::unused();
        let config = write_config(folder.path(), port, capabilities, &certificates);
        let process = serve(&config);
        let server = Self {
            folder,
            port,
            certificates,
            process,
        };
        server.wait_until_ready();
        Some(server)
    }

    /// Its account, as a source.
    pub fn feed(&self) -> MailFeed {
        self.feed_with(PASSWORD)
    }

    pub fn feed_with(&self, password: &str) -> MailFeed {
        let authority = fs::read(&self.certificates.authority).unwrap();
        feed(&authority, self.port, [USER.to_owned()], password)
    }

    /// The same account, tried by several names.
    pub fn feed_of(&self, users: impl IntoIterator<Item = String>) -> MailFeed {
        let authority = fs::read(&self.certificates.authority).unwrap();
        feed(&authority, self.port, users, PASSWORD)
    }

    /// Runs lines of Python with `m`, an `imaplib` that is signed in, and returns what they print.
    pub fn script(&self, lines: &str) -> String {
        let script = format!("{PRELUDE}\n{lines}\nm.logout()\n");
        let output = Command::new("python3")
            .args(["-c", &script])
            .env("PORT", self.port.to_string())
            .env("CA", &self.certificates.authority)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The folder that its mails lie in.
    pub fn maildir(&self) -> PathBuf {
        self.folder.path().join("mail")
    }

    /// Ends it; its port answers nobody any more.
    pub fn stop(&mut self) {
        if self.process.try_wait().is_ok_and(|ended| ended.is_some()) {
            return;
        }
        // Its master ends its other processes when it is asked to, not when it is killed.
        let process = self.process.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &process]).status();
        let _ = self.process.wait();
    }

    fn wait_until_ready(&self) {
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(begun.elapsed() < READY, "dovecot is not ready: {log}");
            std::thread::yield_now();
        }
    }
}

impl Drop for Dovecot {
    fn drop(&mut self) {
        self.stop();
    }
}

/// An account at a server on this machine that bears the name of [`HOST`].
pub fn feed(
    authority: &[u8],
    port: u16,
    users: impl IntoIterator<Item = String>,
    password: &str,
) -> MailFeed {
    let host = Domain::parse(HOST).unwrap();
    let server = AddressRule::of_domains([host.clone()]).judge_stream(HOST, 993);
    let led = Diversions::new([(host, ([127, 0, 0, 1], port).into())]);
    let guard = StreamGuard::new(led, &Trust::with_authorities(authority).unwrap());
    MailFeed::new(guard, server.unwrap(), users, SourceSecret::new(password))
}

const PRELUDE: &str = r#"
import imaplib, json, os, ssl, time
class Mail(imaplib.IMAP4):
    def open(self, host, port, timeout=None):
        imaplib.IMAP4.open(self, host, port, timeout)
    def _create_socket(self, timeout):
        import socket
        raw = socket.create_connection(("127.0.0.1", int(os.environ["PORT"])))
        return ssl.create_default_context(cafile=os.environ["CA"]).wrap_socket(raw, server_hostname="imap.me.test")
imaplib._MAXLINE = 10_000_000
m = Mail("127.0.0.1", int(os.environ["PORT"]))
m.login("op@me.test", "abcd-efgh-ijkl-mnop")
def ok(answer):
    assert answer[0] == "OK", answer
    return answer[1]
def mail(n, more="", body="Hello"):
    return (f"Message-ID: <{n}@me.test>\r\nFrom: Ann <ann@me.test>\r\nTo: op@me.test\r\n"
            f"Date: Fri, 06 Nov 2026 10:00:00 +0000\r\nSubject: Mail {n}\r\n{more}\r\n{body} {n}\r\n").encode()
def put(n, box="INBOX", flags="", day=None, **more):
    at = imaplib.Time2Internaldate(day if day else time.time())
    ok(m.append(box, flags, at, mail(n, **more)))
"#;

fn is_here(test: &str) -> bool {
    let is_here = Command::new("dovecot").arg("--version").output().is_ok();
    if !is_here {
        skipped::for_want_of(test, "dovecot is not installed");
    }
    is_here
}

/// A block's braces stand on lines of their own: Dovecot takes no others.
fn write_config(
    folder: &Path,
    port: u16,
    capabilities: Option<&str>,
    certificates: &Certificates,
) -> PathBuf {
    let owner = |name: &str, flag: &str| {
        let output = Command::new("id").args([flag, name]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let (uid, gid) = (owner("nobody", "-u"), owner("nobody", "-g"));
    let capability = capabilities.map_or(String::new(), |only| format!("imap_capability = {only}"));
    let base = folder.display();
    let (certificate, key) = (
        certificates.server.display(),
        certificates.server_key.display(),
    );
    let config = format!(
        "base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <{certificate}
ssl_key = <{key}
auth_mechanisms = plain login
auth_failure_delay = 0
first_valid_uid = 1
mail_location = maildir:{base}/mail
mail_max_userip_connections = 100
mail_fsync = never
{capability}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
passdb {{
  driver = passwd-file
  args = {base}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={base}/home
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Sent {{
    special_use = \\Sent
    auto = create
  }}
  mailbox Trash {{
    special_use = \\Trash
  }}
}}
"
    );
    fs::write(
        folder.join("users"),
        format!("{USER}:{{PLAIN}}{PASSWORD}\n"),
    )
    .unwrap();
    for own in ["mail", "home"] {
        fs::create_dir(folder.join(own)).unwrap();
        let owner = format!("{uid}:{gid}");
        let status = Command::new("chown")
            .arg(owner)
            .arg(folder.join(own))
            .status();
        assert!(status.unwrap().success());
    }
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    let path = folder.join("dovecot.conf");
    fs::write(&path, config).unwrap();
    path
}

fn serve(config: &Path) -> Child {
    let mut command = Command::new("dovecot");
    command.arg("-F").arg("-c").arg(config);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}
