//! What providers publish of their interfaces, and who holds a request and its answer to it: prism, a proxy that nobody here wrote.
//!
//! One for each contract, for all tests of a program. Each request bears the number of its test, and is alone on its way, so that
//! what the log says of it is known to be of it. The proxies end with the program.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

use super::faults::Law;
use super::{Account, answer, wire};
use crate::support::{ports, skipped};

/// No line comes later than that after what it tells.
const LINE_WITHIN: Duration = Duration::from_secs(120);
/// A path of no provider: what the log says before it is of the request before it.
const MARK: &str = "/until-here";
/// What a line bears that tells of a violation: an error, or a warning, as of a status that the contract has not.
const COMPLAINTS: [char; 2] = ['✖', '⚠'];
/// Ends the program when this one has ended, and closed its end of the pipe.
const TIED: &str = "\"$@\" & child=$!; read -r _; kill $child";

/// One that is published.
#[derive(Clone, Copy, Debug)]
pub enum Contract {
    GoogleCalendar,
    GooglePeople,
    Whoop,
}

/// The stand-ins of the tests that run, by their number.
type Accounts = Arc<Mutex<HashMap<usize, Weak<Mutex<dyn Account>>>>>;

/// All proxies, and the server behind them.
struct Proxies {
    accounts: Accounts,
    upstream: SocketAddr,
    started: Mutex<HashMap<&'static str, Arc<Prism>>>,
}

/// One proxy.
struct Prism {
    address: SocketAddr,
    /// What it says, read by the one whose request is on its way.
    lines: Mutex<Receiver<String>>,
    _process: Child,
}

static PROXIES: OnceLock<Proxies> = OnceLock::new();
static TESTS: AtomicUsize = AtomicUsize::new(0);

/// A stand-in behind its contracts. Its requests are none any more once it is dropped.
pub struct Held(usize);

impl Drop for Held {
    fn drop(&mut self) {
        proxies().accounts.lock().unwrap().remove(&self.0);
    }
}

/// Whether anything is held to a contract here.
pub fn are_here() -> bool {
    peers().join("contracts/installed").exists()
}

/// Puts a stand-in behind the contracts; `None` where prism is not installed, which is said.
pub fn hold(test: &str, account: &Arc<Mutex<dyn Account>>) -> Option<Held> {
    if !are_here() {
        skipped::for_want_of(test, "prism is missing; run tests/peers/install.sh");
        return None;
    }
    let number = TESTS.fetch_add(1, Ordering::Relaxed);
    let mut accounts = proxies().accounts.lock().unwrap();
    accounts.insert(number, Arc::downgrade(account));
    Some(Held(number))
}

impl Held {
    /// The answer to a request's text, and what is wrong with either.
    pub fn pass(&self, contract: Contract, request: &str) -> (Vec<u8>, Vec<String>) {
        let prism = proxies().of(contract);
        let lines = prism.lines.lock().unwrap();
        let (first, rest) = request.split_once("\r\n").unwrap();
        let number = self.0;
        let numbered = format!("{first}\r\nx-test: {number}\r\nconnection: close\r\n{rest}");
        let answer = exchange(prism.address, &numbered);
        let mark = format!("GET {MARK} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n");
        exchange(prism.address, &mark);
        let told = until(&lines, MARK).into_iter();
        let told = told.filter(|line| line.contains(COMPLAINTS) && !line.contains(MARK));
        let text = String::from_utf8_lossy(&answer);
        let wrong = told
            .map(|line| format!("{first}: {line}\n{text}"))
            .collect();
        (answer, wrong)
    }
}

fn proxies() -> &'static Proxies {
    PROXIES.get_or_init(|| {
        let accounts = Accounts::default();
        Proxies {
            upstream: serve(Arc::clone(&accounts)),
            accounts,
            started: Mutex::default(),
        }
    })
}

impl Proxies {
    /// Starts it for whoever asks first.
    fn of(&self, contract: Contract) -> Arc<Prism> {
        let name = contract.name();
        let mut started = self.started.lock().unwrap();
        let prism = started.entry(name);
        Arc::clone(prism.or_insert_with(|| Arc::new(Prism::start(name, self.upstream))))
    }
}

impl Contract {
    const fn name(self) -> &'static str {
        match self {
            Self::GoogleCalendar => "calendar",
            Self::GooglePeople => "people",
            Self::Whoop => "whoop",
        }
    }
}

impl Prism {
    fn start(name: &str, upstream: SocketAddr) -> Self {
        let address = SocketAddr::from(([127, 0, 0, 1], ports::unused()));
        let mut process = Command::new("sh")
            .args(["-c", TIED, "sh"])
            .arg(peers().join("node/node"))
            .arg(peers().join("prism/node_modules/@stoplight/prism-cli/dist/index.js"))
            .arg("proxy")
            .arg(peers().join(format!("contracts/{name}.openapi.json")))
            .arg(format!("http://{upstream}"))
            .args(["--errors", "--host", "127.0.0.1", "--port"])
            .arg(address.port().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (told, lines) = channel();
        let output = BufReader::new(process.stdout.take().unwrap());
        std::thread::spawn(move || {
            let mut lines = output.lines().map_while(Result::ok);
            lines.all(|line| told.send(line).is_ok())
        });
        until(&lines, "listening on");
        Self {
            address,
            lines: Mutex::new(lines),
            _process: process,
        }
    }
}

/// The lines up to the first with these words, and of a request to its end.
fn until(lines: &Receiver<String>, words: &str) -> Vec<String> {
    let mut told = Vec::new();
    loop {
        let line = lines.recv_timeout(LINE_WITHIN).unwrap();
        let is_last = line.contains(words) && !line.contains("Request received");
        told.push(line);
        if is_last {
            return told;
        }
    }
}

fn exchange(to: SocketAddr, request: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(to).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

/// What `tests/peers/install.sh` installed; the tests of several crates use this file.
pub fn peers() -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find(|folder| folder.join("tests/peers").is_dir());
    root.unwrap().join("target/peers")
}

/// The stand-ins, without TLS, on threads of their own: tests wait for their answers.
fn serve(accounts: Accounts) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let accounts = Arc::clone(&accounts);
            std::thread::spawn(move || serve_one(stream, &accounts));
        }
    });
    address
}

fn serve_one(mut stream: TcpStream, accounts: &Accounts) {
    let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
    while !request.windows(4).any(|four| four == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(read) => request.extend_from_slice(&buffer[..read]),
        }
    }
    let request = String::from_utf8_lossy(&request);
    let number = wire::header(&request, "x-test").unwrap().parse().unwrap();
    let account = accounts
        .lock()
        .unwrap()
        .get(&number)
        .and_then(Weak::upgrade);
    let answered = answer(&mut *account.unwrap().lock().unwrap(), &request, Law::Kept);
    // Prism may have gone.
    let _ = stream.write_all(&answered.unwrap());
}
