//! The types of Microsoft Graph, as `tests/peers/graph/contract.py` holds exchanges to them: one program for all tests, which ends
//! with theirs, since it reads until its input ends.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock};

use serde_json::json;

use super::contracts::{peers, root};
use super::wire;

struct Types {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _process: Child,
}

static SHARED: OnceLock<Mutex<Types>> = OnceLock::new();

/// What is wrong with a request or its answer.
pub fn wrong(request: &str, answer: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(answer);
    let (_, body) = text.split_once("\r\n\r\n").unwrap();
    let status = wire::status(answer);
    let exchange = json!({"target": wire::target(request), "status": status, "body": body});
    let mut types = SHARED
        .get_or_init(|| Mutex::new(Types::start()))
        .lock()
        .unwrap();
    types.ask(&exchange.to_string())
}

impl Types {
    fn start() -> Self {
        let mut process = Command::new(peers().join("graph/bin/python"))
            .arg(root().join("tests/peers/graph/contract.py"))
            .arg(root().join("tests/peers/contracts/microsoft-graph.schema.json"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        Self {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()),
            _process: process,
        }
    }

    fn ask(&mut self, exchange: &str) -> Vec<String> {
        writeln!(self.input, "{exchange}").unwrap();
        let mut told = String::new();
        self.output.read_line(&mut told).unwrap();
        serde_json::from_str(&told).unwrap()
    }
}
