//! Servers of calendars and contacts that nobody here wrote, each test with its own, and an independent client.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use sextant_connectors::guard::{
    AddressRule, Diversions, Domain, HttpGuard, HttpRequest, Plaintext, Trust,
};

use super::certificates::{self, Certificates, LOOPBACK};
use super::{ports, skipped};

pub const USER: &str = "op";
/// Another user of Radicale, whose name is a mail address.
pub const ADDRESS: &str = "op@me.test";
pub const PASSWORD: &str = "abcd-efgh-ijkl-mnop";
/// The same, as Basic authentication sends it.
pub const CREDENTIAL: &str = "Basic b3A6YWJjZC1lZmdoLWlqa2wtbW5vcA==";
const READY_WITHIN: Duration = Duration::from_secs(60);

/// Which program it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    Radicale,
    Xandikos,
}

/// A running server. It ends with the test.
pub struct DavServer {
    pub peer: Peer,
    pub address: SocketAddr,
    pub certificates: Certificates,
    pub process: Child,
    pub folder: tempfile::TempDir,
}

impl Drop for DavServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The root of the repository; the tests of two crates use this file.
pub fn root() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders
        .find(|folder| folder.join("tests/peers").is_dir())
        .unwrap()
}

fn program(name: &str) -> PathBuf {
    root().join("target/peers/dav/bin").join(name)
}

impl Peer {
    /// A collection of calendars that every test begins with.
    pub fn calendar(self) -> &'static str {
        match self {
            Self::Radicale => "/op/cal",
            Self::Xandikos => "/op/calendars/calendar",
        }
    }

    /// An address book that every test begins with.
    pub fn book(self) -> &'static str {
        match self {
            Self::Radicale => "/op/book",
            Self::Xandikos => "/op/contacts/addressbook",
        }
    }

    /// Starts a server with an empty calendar and an empty address book; `None` where it is not installed.
    pub async fn start(self, test: &str) -> Option<DavServer> {
        if !program("radicale").exists() {
            skipped::for_want_of(test, "Radicale is missing; run tests/peers/install.sh");
            return None;
        }
        if !certificates::can_be_made(test) {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let names = format!("{LOOPBACK},DNS:*.icloud.test,DNS:*.icloud.com,DNS:sink.test");
        let certificates = certificates::make(folder.path(), &names);
        let address = SocketAddr::from(([127, 0, 0, 1], ports::unused()));
        let mut command = match self {
            Self::Radicale => radicale(folder.path(), &certificates, address),
            Self::Xandikos => xandikos(folder.path(), &certificates, address),
        };
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let process = command
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let server = DavServer {
            peer: self,
            address,
            certificates,
            process,
            folder,
        };
        server.wait_until_ready().await;
        server.make_collections().await;
        Some(server)
    }
}

fn radicale(folder: &Path, certificates: &Certificates, address: SocketAddr) -> Command {
    let users = format!("{USER}:{PASSWORD}\n{ADDRESS}:{PASSWORD}\n");
    std::fs::write(folder.join("users"), users).unwrap();
    let config = format!(
        "[server]\nhosts={address}\nssl=True\ncertificate={}\nkey={}\n\
        [auth]\ntype=htpasswd\nhtpasswd_filename={}\nhtpasswd_encryption=plain\ndelay=0\n\
        [storage]\nfilesystem_folder={}\n[rights]\ntype=owner_only\n[logging]\nlevel=info\n",
        certificates.server.display(),
        certificates.server_key.display(),
        folder.join("users").display(),
        folder.join("coll").display(),
    );
    std::fs::write(folder.join("config"), config).unwrap();
    let mut command = Command::new(program("python"));
    command
        .args(["-m", "radicale", "--config"])
        .arg(folder.join("config"));
    command
}

fn xandikos(folder: &Path, certificates: &Certificates, address: SocketAddr) -> Command {
    let script = "import bcrypt,sys; print('op:'+bcrypt.hashpw(sys.argv[1].encode(),bcrypt.gensalt(4)).decode())";
    let users = Command::new(program("python"))
        .args(["-c", script, PASSWORD])
        .output();
    std::fs::write(folder.join("users"), users.unwrap().stdout).unwrap();
    let state = folder.join("state/certs");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::copy(&certificates.server, state.join("selfsigned.crt")).unwrap();
    std::fs::copy(&certificates.server_key, state.join("selfsigned.key")).unwrap();
    let mut command = Command::new(program("python"));
    command
        .arg(root().join("tests/peers/dav/xandikos_with_certificate.py"))
        .args([
            "serve",
            "--defaults",
            "--autocert",
            "--no-detect-systemd",
            "-d",
        ])
        .arg(folder.join("data"))
        .arg("--state-dir")
        .arg(folder.join("state"))
        .arg("--htpasswd")
        .arg(folder.join("users"))
        .args(["--current-user-principal", "/op/", "-l", "127.0.0.1", "-p"])
        .arg(address.port().to_string());
    command
}

/// The way to names of a provider, each led to an address, by these certificates.
pub fn guard_of_names(certificates: &Certificates, names: &[(&str, SocketAddr)]) -> HttpGuard {
    let led = names
        .iter()
        .map(|(name, to)| (Domain::parse(name).unwrap(), *to));
    let rule = AddressRule::of_domains(Domain::parse("*.icloud.test"));
    HttpGuard::new(rule, Diversions::new(led), &trust(certificates)).unwrap()
}

fn trust(certificates: &Certificates) -> Trust {
    let authority = std::fs::read(&certificates.authority).unwrap();
    Trust::with_authorities(&authority).unwrap()
}

impl DavServer {
    /// Its address as a person types it.
    pub fn typed(&self) -> Url {
        Url::parse(&format!("https://{}/", self.address)).unwrap()
    }

    /// The way to it and to nothing else.
    pub fn guard(&self) -> HttpGuard {
        let rule = AddressRule::of_typed(&self.typed(), Plaintext::Refused).unwrap();
        HttpGuard::new(rule, Diversions::default(), &trust(&self.certificates)).unwrap()
    }

    /// The way to names of a provider, each led to an address.
    pub fn guard_of_names(&self, names: &[(&str, SocketAddr)]) -> HttpGuard {
        guard_of_names(&self.certificates, names)
    }

    /// Sends a request as the person does from elsewhere, and returns the status.
    pub async fn send(&self, method: &str, path: &str, kind: &str, body: &str) -> Option<u16> {
        let mut password = HeaderValue::from_static(CREDENTIAL);
        password.set_sensitive(true);
        let request = HttpRequest {
            method: Method::from_bytes(method.as_bytes()).unwrap(),
            headers: HeaderMap::from_iter([
                (AUTHORIZATION, password),
                (CONTENT_TYPE, HeaderValue::from_str(kind).unwrap()),
                (
                    HeaderName::from_static("depth"),
                    HeaderValue::from_static("0"),
                ),
            ]),
            body: Bytes::copy_from_slice(body.as_bytes()),
            answer_bytes_max: 1 << 20,
        };
        let guard = self.guard();
        let to = guard
            .rule()
            .judge(&self.typed().join(path).unwrap())
            .unwrap();
        let answer = guard.send(&to, &request).await.ok()?;
        Some(answer.status.as_u16())
    }

    /// Stores a resource.
    pub async fn put(&self, path: &str, body: &str) {
        let kind = match path.ends_with(".vcf") {
            true => "text/vcard",
            false => "text/calendar",
        };
        let status = self.send("PUT", path, kind, body).await.unwrap();
        assert!((200..300).contains(&status), "{path}: {status}");
    }

    /// Removes a resource or a collection.
    pub async fn delete(&self, path: &str) {
        let status = self.send("DELETE", path, "text/plain", "").await.unwrap();
        assert!((200..300).contains(&status), "{path}: {status}");
    }

    /// Makes a calendar.
    pub async fn make_calendar(&self, path: &str, properties: &str) {
        let body = format!(
            r#"<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:A="http://apple.com/ns/ical/"><D:set><D:prop>{properties}</D:prop></D:set></C:mkcalendar>"#
        );
        let status = self
            .send("MKCALENDAR", path, "application/xml", &body)
            .await;
        assert_eq!(status, Some(201), "{path}");
    }

    /// Loses what the server knows of earlier tokens (Radicale).
    pub fn lose_tokens(&self, collection: &str) {
        let at = self.folder.path().join("coll/collection-root");
        let at = at
            .join(collection.trim_start_matches('/'))
            .join(".Radicale.cache");
        std::fs::remove_dir_all(at).unwrap();
    }

    /// Ends it.
    pub fn stop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// What an independent client sees.
    pub fn listing(&self, kind: &str) -> serde_json::Value {
        let output = Command::new(program("python"))
            .arg(root().join("tests/peers/dav/listing.py"))
            .arg(self.typed().as_str())
            .arg(&self.certificates.authority)
            .args([USER, PASSWORD, kind])
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    async fn wait_until_ready(&self) {
        let deadline = Instant::now() + READY_WITHIN;
        while self
            .send("PROPFIND", "/", "application/xml", "")
            .await
            .is_none()
        {
            let log = || std::fs::read_to_string(self.folder.path().join("log")).unwrap();
            assert!(Instant::now() < deadline, "{:?}: {}", self.peer, log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn make_collections(&self) {
        if self.peer == Peer::Xandikos {
            return;
        }
        self.make_calendar(
            "/op/cal/",
            "<D:displayname>Home</D:displayname><A:calendar-color>#ff0000</A:calendar-color>",
        )
        .await;
        let body = r#"<D:mkcol xmlns:D="DAV:" xmlns:R="urn:ietf:params:xml:ns:carddav"><D:set><D:prop><D:resourcetype><D:collection/><R:addressbook/></D:resourcetype><D:displayname>Friends</D:displayname></D:prop></D:set></D:mkcol>"#;
        let status = self
            .send("MKCOL", "/op/book/", "application/xml", body)
            .await;
        assert_eq!(status, Some(201));
    }
}
