//! A Radicale of one's own with as many users as are wanted, each with a calendar and an address book that are there already.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::seeded::Chance;
use super::support::certificates::{self, Certificates, LOOPBACK};
use super::support::ports;

pub const PASSWORD: &str = "abcd-efgh-ijkl-mnop";
const SEED: u64 = 18;
/// Its files are in memory: it would wait for the disk at each item that it reads for the first time.
const MEMORY: &str = "/dev/shm";
const READY: Duration = Duration::from_secs(30);

/// How much a user has.
#[derive(Clone, Copy)]
pub struct Holdings {
    pub users: usize,
    pub events: u64,
    pub cards: u64,
}

/// A running server. It ends with the value.
pub struct Radicale {
    pub address: SocketAddr,
    pub certificates: Certificates,
    process: Child,
    folder: tempfile::TempDir,
}

impl Drop for Radicale {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A user's name.
pub fn user(number: usize) -> String {
    format!("user{number:03}")
}

impl Radicale {
    pub fn start(holdings: Holdings) -> Self {
        let folder = tempfile::tempdir_in(MEMORY).unwrap();
        let certificates = certificates::make(folder.path(), LOOPBACK);
        let address = SocketAddr::from(([127, 0, 0, 1], ports::unused()));
        let mut users = String::new();
        for number in 0..holdings.users {
            users += &format!("{}:{PASSWORD}\n", user(number));
            fill(
                &folder.path().join("coll/collection-root"),
                number,
                holdings,
            );
        }
        fs::write(folder.path().join("users"), users).unwrap();
        let config = format!(
            "[server]\nhosts={address}\nmax_connections=0\nssl=True\ncertificate={}\nkey={}\n\
             [auth]\ntype=htpasswd\nhtpasswd_filename={}\nhtpasswd_encryption=plain\ndelay=0\n\
             [storage]\nfilesystem_folder={}\n[rights]\ntype=owner_only\n[logging]\nlevel=warning\n",
            certificates.server.display(),
            certificates.server_key.display(),
            folder.path().join("users").display(),
            folder.path().join("coll").display(),
        );
        fs::write(folder.path().join("config"), config).unwrap();
        let process = Command::new(installed("peers/dav/bin/python"))
            .args(["-m", "radicale", "--config"])
            .arg(folder.path().join("config"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let server = Self {
            address,
            certificates,
            process,
            folder,
        };
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            let log = fs::read_to_string(server.folder.path().join("log")).unwrap();
            assert!(begun.elapsed() < READY, "radicale is not ready: {log}");
            std::thread::yield_now();
        }
        server
    }

    pub fn url(&self) -> String {
        format!("https://{}/", self.address)
    }

    pub fn pid(&self) -> i32 {
        self.process.id().cast_signed()
    }
}

/// A program that an installation script has put below `target`.
pub fn installed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("target")
        .join(name)
}

fn fill(root: &Path, number: usize, holdings: Holdings) {
    let home = root.join(user(number));
    let (calendar, book) = (home.join("cal"), home.join("book"));
    fs::create_dir_all(&calendar).unwrap();
    fs::create_dir_all(&book).unwrap();
    let properties = r#"{"D:displayname": "Home", "tag": "VCALENDAR", "C:supported-calendar-component-set": "VEVENT"}"#;
    fs::write(calendar.join(".Radicale.props"), properties).unwrap();
    let properties = r#"{"D:displayname": "Friends", "tag": "VADDRESSBOOK"}"#;
    fs::write(book.join(".Radicale.props"), properties).unwrap();
    for event in 0..holdings.events {
        fs::write(calendar.join(format!("{event}.ics")), self::event(event)).unwrap();
    }
    for card in 0..holdings.cards {
        fs::write(book.join(format!("{card}.vcf")), self::card(card)).unwrap();
    }
}

/// An event of an hour; each tenth is a series of twenty weeks.
fn event(number: u64) -> String {
    let mut chance = Chance::of(SEED + number);
    let (day, hour) = (1 + chance.below(28), 8 + chance.below(10));
    let month = 1 + chance.below(12);
    let year = 2024 + chance.below(3);
    let rule = match number % 10 {
        0 => "RRULE:FREQ=WEEKLY;COUNT=20\r\n",
        _ => "",
    };
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\nBEGIN:VEVENT\r\nUID:event-{number}\r\n\
         DTSTAMP:20260101T000000Z\r\nDTSTART:{year}{month:02}{day:02}T{hour:02}0000Z\r\nDURATION:PT1H\r\n{rule}\
         SUMMARY:{}\r\nLOCATION:{}\r\nDESCRIPTION:{}\r\nATTENDEE;CN=Ann:mailto:ann@me.test\r\n\
         BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Soon\r\nTRIGGER:-PT15M\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        chance.words(4, " ").trim(),
        chance.words(2, " ").trim(),
        chance.words(30, " ").trim(),
    )
}

fn card(number: u64) -> String {
    let mut chance = Chance::of(SEED + number);
    let (given, family) = (chance.word(), chance.word());
    let telephone = chance.below(1_000_000_000);
    let note = chance.words(12, " ");
    format!(
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:card-{number}\r\nFN:{given} {family}\r\nN:{family};{given};;;\r\n\
         EMAIL;TYPE=HOME:{given}.{number}@me.test\r\nTEL;TYPE=CELL:+49{telephone}\r\n\
         ADR;TYPE=HOME:;;Street {number};Town;;12345;Germany\r\nORG:Company {}\r\nNOTE:{}\r\nEND:VCARD\r\n",
        number % 97,
        note.trim(),
    )
}
