//! Prism, a proxy that nobody here wrote, between the service and a stand-in: it holds both to what the provider publishes.
//!
//! One for each document, for all tests of a program. Each request bears the number of its account, and is alone on its way, so that
//! what the log says of it is known to be of it. The proxies end with the program.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

use super::contracts::peers;
use super::faults::Law;
use super::{Account, answer, wire};

/// No line comes later than that after what it tells.
const LINE_WITHIN: Duration = Duration::from_secs(120);
/// Before the address at which it listens.
const LISTENING: &str = "listening on http://";
/// A path of no provider: what the log says before it is of the request before it.
const MARK: &str = "/until-here";
/// What a line bears that tells of a violation: an error, or a warning, as of a status that the contract has not.
const COMPLAINTS: [char; 2] = ['✖', '⚠'];
/// Ends the program when this one has ended, and closed its end of the pipe.
const TIED: &str = "\"$@\" & child=$!; read -r _; kill $child";

/// Accounts by their number.
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
static NUMBERS: AtomicUsize = AtomicUsize::new(0);

/// The number of an account, as long as it is kept.
pub struct Numbered(usize);

/// Gives an account a number.
pub fn number(account: &Arc<Mutex<dyn Account>>) -> Numbered {
    let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
    let mut accounts = proxies().accounts.lock().unwrap();
    accounts.insert(number, Arc::downgrade(account));
    Numbered(number)
}

impl Drop for Numbered {
    fn drop(&mut self) {
        proxies().accounts.lock().unwrap().remove(&self.0);
    }
}

impl Numbered {
    /// The answer to a request's text by way of the proxy, and what its log says is wrong with either.
    pub fn pass(&self, document: &'static str, request: &str) -> (Vec<u8>, Vec<String>) {
        let prism = proxies().of(document);
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
        let wrong = told.map(|line| format!("{line}\n{text}")).collect();
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
    fn of(&self, document: &'static str) -> Arc<Prism> {
        let mut started = self.started.lock().unwrap();
        let prism = started.entry(document);
        Arc::clone(prism.or_insert_with(|| Arc::new(Prism::start(document, self.upstream))))
    }
}

impl Prism {
    fn start(document: &str, upstream: SocketAddr) -> Self {
        let mut process = Command::new("sh")
            .args(["-c", TIED, "sh"])
            .arg(peers().join("node/node"))
            .arg(peers().join("prism/node_modules/@stoplight/prism-cli/dist/index.js"))
            .arg("proxy")
            .arg(peers().join(format!("contracts/{document}.openapi.json")))
            .arg(format!("http://{upstream}"))
            .args(["--errors", "--host", "127.0.0.1", "--port", "0"])
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
        let told = until(&lines, LISTENING).pop().unwrap();
        let (_, address) = told.split_once(LISTENING).unwrap();
        Self {
            address: address.trim().parse().unwrap(),
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
    while !wire::is_whole(&request) {
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
