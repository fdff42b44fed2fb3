//! MCP Toolbox for Databases, as its npm package ships it: another server, with one tool for each anchor.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use super::anchors::{ANCHORS, Anchor, value};
use super::load::Caller;
use super::service::reader;

/// Where `install.sh` installs it.
const PLACE: &str = "target/peers/toolbox/node_modules/@toolbox-sdk/server-linux-x64/bin/toolbox";
const LOOKS_MAX: u32 = 200;
const LOOK_WAIT: Duration = Duration::from_millis(50);

/// A running Toolbox; ends when it is dropped.
pub struct Toolbox {
    child: Child,
    address: SocketAddr,
}

impl Toolbox {
    /// `None` if it is not installed.
    pub async fn start(home: &Path, socket: &Path) -> Option<Self> {
        let program = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(PLACE);
        if !program.exists() {
            return None;
        }
        let config = home.join("tools.yaml");
        fs::write(&config, tools(socket)).unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let log = home.join("toolbox.log");
        let child = Command::new(program)
            .arg("--config")
            .arg(config)
            .args(["--port", &address.port().to_string()])
            .args([
                "--disable-reload",
                "--disable-version-check",
                "--log-level",
                "ERROR",
            ])
            .env_clear()
            .current_dir(home)
            .stdin(Stdio::null())
            .stdout(File::create(&log).unwrap())
            .stderr(File::options().append(true).open(&log).unwrap())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        for _ in 0..LOOKS_MAX {
            if TcpStream::connect(address).await.is_ok() {
                return Some(Self { child, address });
            }
            tokio::time::sleep(LOOK_WAIT).await;
        }
        panic!("it does not start: {}", fs::read_to_string(log).unwrap());
    }

    pub fn pid(&self) -> i32 {
        self.child.id().unwrap().cast_signed()
    }

    pub fn callers(&self, count: usize) -> Vec<Caller> {
        let caller = || Caller {
            address: self.address,
            head: format!(
                "POST /mcp HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
                 accept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-06-18\r\n",
                self.address
            ),
            params,
            rows,
        };
        std::iter::repeat_with(caller).take(count).collect()
    }
}

fn params(anchor: &Anchor, variant: usize) -> Value {
    let params = anchor.statement(variant).params;
    let named = params.iter().enumerate();
    let arguments: Map<String, Value> = named
        .map(|(place, param)| (format!("p{place}"), value(param)))
        .collect();
    json!({"name": anchor.name, "arguments": arguments})
}

/// It sends a block for each row.
const fn rows(_: &str) -> usize {
    1
}

/// Its configuration. JSON is YAML, so strings are written as JSON.
fn tools(socket: &Path) -> String {
    let mut yaml = format!(
        "sources:\n  private:\n    kind: postgres\n    host: localhost\n    port: 5432\n    database: sextant\n    \
         user: {}\n    password: none\n    queryParams:\n      host: {}\ntools:\n",
        reader(),
        json!(socket)
    );
    for anchor in &ANCHORS {
        let statement = anchor.statement(0);
        let parameters = statement.params.iter().enumerate().map(|(place, param)| {
            let kind = if value(param).is_string() {
                "string"
            } else {
                "integer"
            };
            json!({"name": format!("p{place}"), "type": kind, "description": "A bound value."})
        });
        let parameters: Vec<Value> = parameters.collect();
        writeln!(
            yaml,
            "  {}:\n    kind: postgres-sql\n    source: private\n    description: An anchor.\n    \
             statement: {}\n    parameters: {}",
            anchor.name,
            json!(statement.sql),
            json!(parameters)
        )
        .unwrap();
    }
    yaml
}
