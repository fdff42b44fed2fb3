//! PostgreSQL's own benchmark program: the anchors' SQL, prepared, over the Unix socket, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use tokio::process::Command;

use super::anchors::{Anchor, VARIANTS, value};
use super::figures::Cell;
use super::load::Run;
use super::processor::{self, Postgres};
use super::service::{Service, reader};

/// The share of calls whose time is logged: logging all of them would be part of what is measured.
const LOGGED_SHARE: &str = "0.1";
const THREADS_MAX: usize = 2;

pub struct Pgbench {
    folder: PathBuf,
    socket: PathBuf,
    postgres: Postgres,
}

impl Pgbench {
    pub fn new(home: &Path, service: &Service) -> Self {
        let folder = home.join("pgbench");
        fs::create_dir(&folder).unwrap();
        Self {
            folder,
            socket: service.socket(),
            postgres: Postgres::at(&service.cluster()),
        }
    }

    pub async fn measure(&self, anchor: &Anchor, clients: usize, time: Duration) -> Cell {
        let before = self.postgres.used();
        let run = self.run(anchor, clients, time).await;
        Cell {
            anchor: anchor.name,
            clients,
            server: "pgbench".to_owned(),
            postgres: self.postgres.used() - before,
            served: Duration::ZERO,
            run,
        }
    }

    async fn run(&self, anchor: &Anchor, clients: usize, time: Duration) -> Run {
        let mut command = Command::new("pgbench");
        command.current_dir(&self.folder).arg("--no-vacuum");
        command.args([
            "--protocol",
            "prepared",
            "--log",
            "--sampling-rate",
            LOGGED_SHARE,
        ]);
        command
            .arg("--host")
            .arg(&self.socket)
            .args(["--username", reader()]);
        command.args(["--client", &clients.to_string()]);
        command.args(["--jobs", &clients.min(THREADS_MAX).to_string()]);
        command.args(["--time", &time.as_secs().to_string()]);
        for variant in 0..VARIANTS {
            let statement = anchor.statement(variant);
            let mut sql = statement.sql;
            // From the last one, so that $1 is not replaced within $10.
            for (place, param) in statement.params.iter().enumerate().rev() {
                let name = format!("v{variant}_{place}");
                sql = sql.replace(&format!("${}", place + 1), &format!(":{name}"));
                let param = value(param);
                let text = param.as_str().map_or(param.to_string(), str::to_owned);
                command.arg("--define").arg(format!("{name}={text}"));
            }
            let file = format!("{}-{variant}.sql", anchor.name);
            fs::write(self.folder.join(&file), sql + ";\n").unwrap();
            command.arg("--file").arg(file);
        }
        command.stdin(Stdio::null()).arg("sextant");
        let asking = processor::used_by_children();
        let output = command.output().await.unwrap();
        let asking = processor::used_by_children() - asking;
        self.read(&output, asking)
    }

    fn read(&self, output: &Output, asking: Duration) -> Run {
        let told = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && told.contains("failed transactions: 0"),
            "{told}{errors}"
        );
        let number = |before: &str| {
            let (_, rest) = told.split_once(before).unwrap();
            rest.split([' ', '\n'])
                .next()
                .unwrap()
                .parse::<f64>()
                .unwrap()
        };
        let calls = number("actually processed: ");
        Run {
            latencies: self.latencies(),
            calls: calls as usize,
            lasted: Duration::from_secs_f64(calls / number("tps = ")),
            asking,
        }
    }

    /// The latencies in the logs, whose lines hold the client, a number, microseconds, and fields that are not
    /// needed.
    fn latencies(&self) -> Vec<Duration> {
        let mut latencies = Vec::new();
        for entry in fs::read_dir(&self.folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|kind| kind == "sql") {
                continue;
            }
            let log = fs::read_to_string(&path).unwrap();
            let micros = log
                .lines()
                .filter_map(|line| line.split(' ').nth(2)?.parse().ok());
            latencies.extend(micros.map(Duration::from_micros));
            fs::remove_file(path).unwrap();
        }
        latencies
    }
}
