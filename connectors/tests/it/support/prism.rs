//! A proxy that nobody here wrote, between the service and a stand-in: it holds both to the description that the provider publishes.
//! A request or an answer that is not of it is refused, and fails the test at its end.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::dav_server::root;
use super::{ports, skipped};

/// No line comes later than that after what it tells.
const LINE_WITHIN: Duration = Duration::from_secs(60);
/// A path of no provider, which says in the log where a test ends.
const MARK: &str = "/until-here";
/// What a line bears that tells of a violation: an error, or a warning.
const COMPLAINTS: [char; 2] = ['✖', '⚠'];

/// A running proxy. When it is dropped, it ends, and the test fails if it has refused anything.
pub struct Prism {
    /// Where it listens, without TLS.
    pub address: SocketAddr,
    process: Child,
    lines: Receiver<String>,
}

/// A description among those that are kept here.
pub fn contract(name: &str) -> PathBuf {
    root().join("tests/peers/contracts").join(name)
}

impl Prism {
    /// Starts one before a stand-in that speaks without TLS; `None` where it is not installed, which is said.
    pub fn start(test: &str, contract: &Path, stand_in: SocketAddr) -> Option<Self> {
        let program = root().join("target/peers/prism/node_modules/.bin/prism");
        if !program.exists() {
            skipped::for_want_of(test, "prism is not installed (tests/peers/install.sh)");
            return None;
        }
        let address = SocketAddr::from(([127, 0, 0, 1], ports::unused()));
        let mut process = Command::new(node())
            .arg(program)
            .args(["proxy", "--errors", "-h", "127.0.0.1", "-p"])
            .arg(address.port().to_string())
            .arg(contract)
            .arg(format!("http://{stand_in}"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (told, lines) = channel();
        let output = BufReader::new(process.stdout.take().unwrap());
        std::thread::spawn(move || {
            // Who listens may have left.
            let lines = output.lines().map_while(Result::ok);
            lines
                .take_while(|line| told.send(line.clone()).is_ok())
                .count()
        });
        let prism = Self {
            address,
            process,
            lines,
        };
        prism.until("listening on");
        Some(prism)
    }

    /// What it complained of so far.
    pub fn complaints(&self) -> Vec<String> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let request = format!("GET {MARK} HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        stream.read_to_end(&mut Vec::new()).unwrap();
        // Its path is none of the contract: that is the complaint up to which is read.
        let lines = self.until(MARK);
        let lines = lines.into_iter().filter(|line| !line.contains(MARK));
        lines.filter(|line| line.contains(COMPLAINTS)).collect()
    }

    /// The lines up to the first with these words and, if they are of a request, to its end.
    fn until(&self, words: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.lines.recv_timeout(LINE_WITHIN).unwrap();
            let is_last = line.contains(words) && !line.contains("Request received");
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }
}

impl Drop for Prism {
    fn drop(&mut self) {
        let complaints = match std::thread::panicking() {
            true => Vec::new(),
            false => self.complaints(),
        };
        let _ = self.process.kill();
        let _ = self.process.wait();
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}

/// The one that is installed with the clients that run on it, or else the machine's.
fn node() -> PathBuf {
    let own = root().join("target/peers/node/node");
    if own.exists() { own } else { "node".into() }
}
