//! PostgreSQL on a disk that is really full: calls go on, and their rows wait and are written when there is room
//! again.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use nix::sys::signal::Signal;
use serde_json::json;

use super::crashes::{coffee, stored};
use super::service::{log_in, postgres_socket};
use super::{Service, Setup};
use crate::mcp::support::{Client, json_of};
use crate::support::cluster::{config, connect};
use crate::support::eventually::eventually;
use crate::support::skipped;
use crate::support::users::{in_scratch, is_root};

/// Enough for a new private cluster, and little more.
const DISK_SIZE: &str = "size=160m,mode=0755";
const FILLING_BYTES: usize = 64 * 1024;

/// A small file system of its own.
pub struct Disk {
    place: PathBuf,
}

impl Disk {
    /// `None` where mounting is not allowed.
    fn at(place: &Path) -> Option<Self> {
        Self::of_size(place, DISK_SIZE)
    }

    /// `None` where mounting is not allowed.
    pub fn of_size(place: &Path, size: &str) -> Option<Self> {
        fs::create_dir(place).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", size, "tmpfs"]).arg(place);
        let mounted = is_root() && mount.status().is_ok_and(|status| status.success());
        mounted.then(|| Self {
            place: place.to_owned(),
        })
    }

    fn ballast(&self) -> PathBuf {
        self.place.join("ballast")
    }

    /// Fills it to the last byte.
    pub fn fill(&self) {
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(self.ballast())
            .unwrap();
        for bytes in [FILLING_BYTES, 1] {
            let filling = vec![0; bytes];
            while file.write_all(&filling).is_ok() {}
        }
    }

    pub fn make_room(&self) {
        fs::remove_file(self.ballast()).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Unmounted lazily, because a failed test may leave a server on it.
        let _ = Command::new("umount").arg("-l").arg(&self.place).status();
    }
}

/// An agent, and how often it has called.
struct Caller {
    agent: Client,
    calls: usize,
}

impl Caller {
    async fn call(&mut self) {
        let place = format!("home.n{}", self.calls);
        let call = self
            .agent
            .modern_call("list_actions", json!({ "target": place }));
        let (status, answer) = json_of(call).await;
        assert_eq!(
            (status, &answer["result"]["isError"]),
            (200, &json!(false)),
            "{answer}"
        );
        self.calls += 1;
    }
}

/// How many audit rows the calls of this test have left, and how many distinct ones.
async fn rows(service: &Service) -> (usize, usize) {
    let client = connect(&config(&postgres_socket(service), "postgres", "sextant")).await;
    let sql = "SELECT count(*), count(DISTINCT args) FROM audit_log WHERE tool = 'list_actions'";
    let row = client.query_one(sql, &[]).await.unwrap();
    let count = |place| usize::try_from(row.get::<_, i64>(place)).unwrap();
    (count(0), count(1))
}

const NAME: &str = "r502_rows_wait_for_room_on_a_full_disk_and_land_once";

#[test]
fn r502_rows_wait_for_room_on_a_full_disk_and_land_once() {
    in_scratch(async |home| {
        let Some(disk) = Disk::at(&home.join("data")) else {
            return skipped::for_want_of(NAME, "only root may mount a small disk");
        };
        let service = Setup::in_home(home).start().await;
        let key = service.key("claude", &["home"]).await;
        let device = service.device("finance.transactions").await;
        let mut caller = Caller {
            agent: Client::new(&service.agents, Some(key)),
            calls: 0,
        };
        caller.call().await;
        eventually("a row has landed", async || rows(&service).await.0 == 1).await;
        disk.fill();
        eventually("the disk is felt", async || {
            caller.call().await;
            log_in(home).contains("the record could not be written")
        })
        .await;
        let push = json!([coffee("once")]).to_string();
        let refused = service.push(&device, push.clone()).send().await.unwrap();
        assert_eq!(refused.status(), 503);
        caller.call().await;
        disk.make_room();
        service.becomes(200).await;
        eventually("every row has landed", async || {
            rows(&service).await == (caller.calls, caller.calls)
        })
        .await;
        let taken = service.push(&device, push).send().await.unwrap();
        assert_eq!(taken.status(), 200);
        assert_eq!(stored(&service).await["once"], 1);
        service.stop(Signal::SIGTERM).await;
    });
}
