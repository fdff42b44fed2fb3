//! Prism between the gateway and the stand-in: it holds requests and answers to Google's own documents.
//!
//! One for each service, for all tests of a program; each request bears the number of its test. They end with the program.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::{Duration, Instant};

use super::server::Google;
use crate::support::ports;

const READY_WITHIN: Duration = Duration::from_secs(120);
/// What prism answers with instead of what it was told.
const VIOLATION: &str = "https://stoplight.io/prism/errors";
/// Ends the program when this one has ended, and closed its end of the pipe.
const TIED: &str = "\"$@\" & child=$!; read -r _; kill $child";

/// The stand-ins of the tests that run, by their number.
type StandIns = Arc<Mutex<HashMap<usize, Weak<Mutex<Google>>>>>;

/// Both.
pub struct Contracts {
    calendar: SocketAddr,
    people: SocketAddr,
    stand_ins: StandIns,
    _programs: [Child; 2],
}

static SHARED: OnceLock<Option<Contracts>> = OnceLock::new();

/// The contracts; `None` where they are not installed.
pub fn shared() -> Option<&'static Contracts> {
    SHARED.get_or_init(Contracts::start).as_ref()
}

pub fn peers() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find(|folder| folder.join("tests/peers").is_dir());
    root.unwrap().join("target/peers")
}

impl Contracts {
    fn start() -> Option<Self> {
        let folder = peers().join("google-contracts");
        if !folder.join("installed").exists() {
            return None;
        }
        let stand_ins = StandIns::default();
        let upstream = serve(Arc::clone(&stand_ins));
        let [(calendar, first), (people, second)] =
            ["calendar", "people"].map(|name| start(&folder, name, upstream));
        for address in [calendar, people] {
            wait_for(address);
        }
        Some(Self {
            calendar,
            people,
            stand_ins,
            _programs: [first, second],
        })
    }

    /// From now on requests with this number are the stand-in's.
    pub fn register(&self, number: usize, google: &Arc<Mutex<Google>>) {
        let mut stand_ins = self.stand_ins.lock().unwrap();
        stand_ins.insert(number, Arc::downgrade(google));
    }

    /// The answer to a request's text, or what is wrong with the request or the answer.
    pub fn pass(&self, number: usize, request: &str) -> (Vec<u8>, Option<String>) {
        let to = match request.split(' ').nth(1).unwrap().starts_with("/calendar/") {
            true => self.calendar,
            false => self.people,
        };
        let (first, rest) = request.split_once("\r\n").unwrap();
        let request = format!("{first}\r\nx-test: {number}\r\nconnection: close\r\n{rest}");
        let mut stream = TcpStream::connect(to).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let text = String::from_utf8_lossy(&answer);
        let violation = text.contains(VIOLATION).then(|| format!("{first}: {text}"));
        (answer, violation)
    }
}

fn start(folder: &Path, name: &str, upstream: SocketAddr) -> (SocketAddr, Child) {
    let address = SocketAddr::from(([127, 0, 0, 1], ports::unused()));
    let child = Command::new("sh")
        .args(["-c", TIED, "sh", "node"])
        .arg(folder.join("node_modules/@stoplight/prism-cli/dist/index.js"))
        .arg("proxy")
        .arg(folder.join(format!("{name}.openapi.json")))
        .arg(format!("http://{upstream}"))
        .args(["--errors", "--host", "127.0.0.1", "--port"])
        .arg(address.port().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    (address, child.unwrap())
}

fn wait_for(address: SocketAddr) {
    let deadline = Instant::now() + READY_WITHIN;
    while TcpStream::connect(address).is_err() {
        assert!(
            Instant::now() < deadline,
            "prism does not listen at {address}"
        );
        std::thread::yield_now();
    }
}

/// The stand-ins, without TLS, on a thread of their own: tests wait for their answers.
fn serve(stand_ins: StandIns) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let stand_ins = Arc::clone(&stand_ins);
            std::thread::spawn(move || answer(stream, &stand_ins));
        }
    });
    address
}

fn answer(mut stream: TcpStream, stand_ins: &StandIns) {
    let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
    while !request.windows(4).any(|four| four == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(read) => request.extend_from_slice(&buffer[..read]),
        }
    }
    let request = String::from_utf8_lossy(&request);
    let number = super::server::header(&request, "x-test").unwrap();
    let google = stand_ins
        .lock()
        .unwrap()
        .get(&number.parse().unwrap())
        .and_then(Weak::upgrade);
    let answer = google.unwrap().lock().unwrap().answer(&request);
    // Prism may have gone.
    let _ = stream.write_all(&answer);
}
