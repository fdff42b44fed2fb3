//! The private cluster: ordinary starts and stops and difficult ones, as root and as a user.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpgid};
use sextant::db::embedded::{Cluster, ClusterOptions, Durability};
use sextant::db::{Database, DatabaseOptions, Place, PoolLimits};

use super::read_rows;
use crate::support::cluster::{connect, search_places};
use crate::support::database::drivers;
use crate::support::eventually::eventually;
use crate::support::users::{
    Helper, as_root_and_as_a_user, helper_argument, is_root, say, wait_for_the_parent,
};

/// Far longer than a start takes, and shorter than a test that hangs.
const START_MAX: Duration = Duration::from_secs(60);

/// The options with which a service would start, except that it does not wait for the disk.
pub fn options(home: &Path) -> ClusterOptions {
    ClusterOptions {
        durability: Durability::Disposable,
        ..durable(home)
    }
}

fn durable(home: &Path) -> ClusterOptions {
    ClusterOptions::new(home, search_places())
}

async fn started(home: &Path) -> Cluster {
    Cluster::start(options(home))
        .await
        .unwrap_or_else(|error| panic!("{error}"))
}

async fn setting(cluster: &Cluster, name: &str) -> String {
    let client = connect(&cluster.superuser_config().await).await;
    client
        .query_one("SELECT current_setting($1)", &[&name])
        .await
        .unwrap()
        .get(0)
}

async fn write_a_row(cluster: &Cluster) {
    let client = connect(&cluster.service_config().await).await;
    client
        .batch_execute("CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)")
        .await
        .unwrap();
}

async fn row_is_kept(cluster: &Cluster) -> bool {
    let client = connect(&cluster.service_config().await).await;
    client
        .query_one("SELECT id FROM kept", &[])
        .await
        .is_ok_and(|row| row.get::<_, i32>(0) == 7)
}

#[test]
fn a_first_start_answers_at_once_on_a_closed_socket_and_no_port() {
    as_root_and_as_a_user(
        "db::private_cluster::a_first_start_answers_at_once_on_a_closed_socket_and_no_port",
        async |scratch| {
            let cluster = started(&scratch.join("home")).await;
            assert_eq!(setting(&cluster, "listen_addresses").await, "");
            let run = fs::metadata(cluster.socket_dir().await).unwrap();
            assert_eq!(run.permissions().mode() & 0o777, 0o700);
            assert_eq!(fs::metadata(cluster.data()).unwrap().mode() & 0o777, 0o700);
            cluster.stop().await.unwrap();
        },
    );
}

#[test]
fn the_server_is_no_root_and_out_of_reach_of_a_ctrl_c() {
    as_root_and_as_a_user(
        "db::private_cluster::the_server_is_no_root_and_out_of_reach_of_a_ctrl_c",
        async |scratch| {
            let home = scratch.join("home");
            let cluster = started(&home).await;
            let pid = Pid::from_raw(cluster.server_pid().await);
            assert_ne!(fs::metadata(format!("/proc/{pid}")).unwrap().uid(), 0);
            assert_ne!(getpgid(Some(pid)).unwrap(), getpgid(None).unwrap());
            let program = fs::read_link(format!("/proc/{pid}/exe"));
            assert!(program.map_or(true, |program| program.ends_with("postgres")));
            if is_root() {
                assert_eq!(
                    fs::metadata(&home).unwrap().uid(),
                    0,
                    "only the cluster's directory changes hands"
                );
                assert_ne!(fs::metadata(home.join("postgres")).unwrap().uid(), 0);
            }
            cluster.stop().await.unwrap();
        },
    );
}

#[test]
fn a_new_cluster_folds_letters_beyond_ascii() {
    as_root_and_as_a_user(
        "db::private_cluster::a_new_cluster_folds_letters_beyond_ascii",
        async |scratch| {
            let cluster = started(&scratch.join("home")).await;
            let client = connect(&cluster.service_config().await).await;
            let folded: String = client
                .query_one("SELECT lower('MÜNCHEN')", &[])
                .await
                .unwrap()
                .get(0);
            assert_eq!(folded, "münchen");
            assert_eq!(setting(&cluster, "server_encoding").await, "UTF8");
            cluster.stop().await.unwrap();
        },
    );
}

#[test]
fn a_cluster_that_was_half_made_is_made_again() {
    as_root_and_as_a_user(
        "db::private_cluster::a_cluster_that_was_half_made_is_made_again",
        async |scratch| {
            let home = scratch.join("home");
            let unfinished = home.join("postgres/data.tmp/base");
            fs::create_dir_all(&unfinished).unwrap();
            fs::write(unfinished.join("half"), "of a file").unwrap();
            let cluster = started(&home).await;
            assert!(!home.join("postgres/data.tmp").exists());
            cluster.stop().await.unwrap();
        },
    );
}

#[test]
fn the_server_runs_with_our_settings_and_full_durability() {
    as_root_and_as_a_user(
        "db::private_cluster::the_server_runs_with_our_settings_and_full_durability",
        async |scratch| {
            let cluster = Cluster::start(durable(&scratch.join("home")))
                .await
                .unwrap();
            for (name, expected) in [
                ("jit", "off"),
                ("shared_buffers", "256MB"),
                ("max_wal_size", "2GB"),
                ("fsync", "on"),
                ("synchronous_commit", "on"),
                ("full_page_writes", "on"),
                ("TimeZone", "UTC"),
            ] {
                assert_eq!(setting(&cluster, name).await, expected, "{name}");
            }
            compression_is_on_where_it_can_be(&cluster).await;
            cluster.stop().await.unwrap();
        },
    );
}

async fn compression_is_on_where_it_can_be(cluster: &Cluster) {
    let client = connect(&cluster.superuser_config().await).await;
    let possible: bool = client
        .query_one(
            "SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'wal_compression'",
            &[],
        )
        .await
        .unwrap()
        .get(0);
    if possible {
        for name in ["wal_compression", "default_toast_compression"] {
            let what = format!("{name} is lz4");
            eventually(&what, async || setting(cluster, name).await == "lz4").await;
        }
    }
}

#[test]
fn a_deep_data_directory_gets_a_short_socket() {
    as_root_and_as_a_user(
        "db::private_cluster::a_deep_data_directory_gets_a_short_socket",
        async |scratch| {
            let home = (0..12).fold(scratch.to_path_buf(), |path, _| {
                path.join("a-deep-directory")
            });
            let cluster = started(&home).await;
            let socket = cluster.socket_dir().await.join(".s.PGSQL.5432");
            assert!(socket.as_os_str().as_bytes().len() <= 107);
            assert!(socket.exists());
            assert_eq!(
                fs::metadata(cluster.socket_dir().await).unwrap().mode() & 0o777,
                0o700
            );
            cluster.stop().await.unwrap();
            fs::remove_dir(cluster.socket_dir().await).unwrap();
        },
    );
}

#[test]
fn a_later_start_finds_every_row_and_a_stop_is_an_ordered_one() {
    as_root_and_as_a_user(
        "db::private_cluster::a_later_start_finds_every_row_and_a_stop_is_an_ordered_one",
        async |scratch| {
            let home = scratch.join("home");
            let cluster = started(&home).await;
            write_a_row(&cluster).await;
            cluster.stop().await.unwrap();
            assert!(!cluster.data().join("postmaster.pid").exists());
            assert!(
                fs::read_to_string(home.join("postgres.log"))
                    .unwrap()
                    .contains("received fast shutdown request")
            );
            drop(cluster);
            let again = started(&home).await;
            assert!(row_is_kept(&again).await);
            again.stop().await.unwrap();
        },
    );
}

#[test]
fn a_server_left_by_a_killed_service_is_adopted_and_stopped() {
    as_root_and_as_a_user(
        "db::private_cluster::a_server_left_by_a_killed_service_is_adopted_and_stopped",
        async |scratch| {
            let home = scratch.join("home");
            let mut helper = Helper::start(HOLDER, home.to_str().unwrap());
            let server_pid = helper.hear();
            helper.kill();
            let adopted = started(&home).await;
            assert_eq!(adopted.server_pid().await.to_string(), server_pid);
            assert!(
                row_is_kept(&adopted).await,
                "an acknowledged row survives the kill"
            );
            adopted.stop().await.unwrap();
            assert!(!adopted.data().join("postmaster.pid").exists());
        },
    );
}

#[test]
fn a_server_that_has_not_yet_named_its_socket_is_waited_for() {
    as_root_and_as_a_user(
        "db::private_cluster::a_server_that_has_not_yet_named_its_socket_is_waited_for",
        async |scratch| {
            let home = scratch.join("home");
            let killed = started(&home).await;
            let (server_pid, file) = (
                killed.server_pid().await,
                killed.data().join("postmaster.pid"),
            );
            drop(killed);
            let whole = fs::read_to_string(&file).unwrap();
            let socket = whole.match_indices('\n').nth(3).unwrap().0;
            for beginning in [&whole[..socket], ""] {
                fs::write(&file, beginning).unwrap();
                // The start checks once before the writer goes on.
                let (adopted, ()) = tokio::join!(started(&home), async {
                    fs::write(&file, &whole).unwrap();
                });
                assert_eq!(adopted.server_pid().await, server_pid);
            }
            started(&home).await.stop().await.unwrap();
        },
    );
}

#[test]
fn a_transaction_that_a_killed_service_left_open_does_not_hold_up_the_next_start() {
    as_root_and_as_a_user(
        "db::private_cluster::a_transaction_that_a_killed_service_left_open_does_not_hold_up_the_next_start",
        async |scratch| {
            let home = scratch.join("home");
            let killed = started(&home).await;
            let mut left = killed.superuser_config().await;
            left.application_name("sextant 1 - -");
            let left = connect(&left).await;
            let own = connect(killed.superuser_config().await.application_name("psql")).await;
            let settings = "BEGIN; ALTER ROLE sextant_reader SET statement_timeout = '1s'";
            left.batch_execute(settings).await.unwrap();
            // Dropping it leaves the server running and releases the directory, as a kill would.
            drop(killed);
            let next = tokio::time::timeout(START_MAX, started(&home)).await;
            let next = next.expect("the start waits for nobody");
            assert!(left.batch_execute("COMMIT").await.is_err());
            assert!(
                own.batch_execute("").await.is_ok(),
                "a person's own session stays"
            );
            next.stop().await.unwrap();
        },
    );
}

#[test]
fn a_killed_server_recovers_at_the_next_start() {
    as_root_and_as_a_user(
        "db::private_cluster::a_killed_server_recovers_at_the_next_start",
        async |scratch| {
            let home = scratch.join("home");
            let cluster = Cluster::start(durable(&home)).await.unwrap();
            write_a_row(&cluster).await;
            kill(Pid::from_raw(cluster.server_pid().await), Signal::SIGKILL).unwrap();
            drop(cluster);
            let again = Cluster::start(durable(&home)).await.unwrap();
            assert!(row_is_kept(&again).await);
            again.stop().await.unwrap();
        },
    );
}

#[test]
fn a_killed_server_comes_back_under_a_running_service() {
    as_root_and_as_a_user(
        "db::private_cluster::a_killed_server_comes_back_under_a_running_service",
        async |scratch| {
            let database = open(&scratch.join("home")).await;
            let cluster = database.cluster().unwrap();
            let killed = cluster.server_pid().await;
            kill(Pid::from_raw(killed), Signal::SIGKILL).unwrap();
            eventually("the service has a server again", async || {
                cluster.server_pid().await != killed && database.service().answers().await
            })
            .await;
            database.stop().await.unwrap();
        },
    );
}

async fn open(home: &Path) -> Database {
    let options = DatabaseOptions {
        place: Place::Private(options(home)),
        reader_role: true,
        limits: PoolLimits::default(),
        drivers: drivers(),
    };
    Database::open(options)
        .await
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_whole_database_opens_on_its_own_cluster_and_goes_with_the_service() {
    as_root_and_as_a_user(
        "db::private_cluster::the_whole_database_opens_on_its_own_cluster_and_goes_with_the_service",
        async |scratch| {
            let home = scratch.join("home");
            let database = open(&home).await;
            assert!(database.service().answers().await);
            assert!(database.warnings().is_empty());
            let rows = read_rows(&database, "SELECT current_user::text")
                .await
                .unwrap();
            assert_eq!(rows[0].get::<_, String>(0), "sextant_reader");
            database.stop().await.unwrap();
            assert!(!home.join("postgres/data/postmaster.pid").exists());
        },
    );
}

#[test]
fn the_service_is_no_superuser_and_nobody_makes_large_objects() {
    as_root_and_as_a_user(
        "db::private_cluster::the_service_is_no_superuser_and_nobody_makes_large_objects",
        async |scratch| {
            let cluster = started(&scratch.join("home")).await;
            let service = connect(&cluster.service_config().await).await;
            let superuser: String = service
                .query_one("SELECT current_setting('is_superuser')", &[])
                .await
                .unwrap()
                .get(0);
            assert_eq!(superuser, "off");
            for config in [
                cluster.service_config().await,
                cluster.reader_config().await,
            ] {
                let client = connect(&config).await;
                for call in ["lo_creat(-1)", "lo_create(0)", "lo_from_bytea(0, 'x')"] {
                    let error = client
                        .query_one(&format!("SELECT {call}"), &[])
                        .await
                        .unwrap_err();
                    assert_eq!(error.code().unwrap().code(), "42501", "{call}");
                }
            }
            cluster.stop().await.unwrap();
        },
    );
}

#[test]
fn a_bootstrap_that_was_cut_short_is_mended() {
    as_root_and_as_a_user(
        "db::private_cluster::a_bootstrap_that_was_cut_short_is_mended",
        async |scratch| {
            let home = scratch.join("home");
            let cluster = started(&home).await;
            let mut config = cluster.superuser_config().await;
            config.dbname("postgres");
            let client = connect(&config).await;
            client
                .batch_execute("DROP DATABASE sextant WITH (FORCE)")
                .await
                .unwrap();
            client
                .batch_execute("DROP ROLE sextant_reader")
                .await
                .unwrap();
            cluster.stop().await.unwrap();
            drop(cluster);
            let again = started(&home).await;
            write_a_row(&again).await;
            connect(&again.reader_config().await).await;
            again.stop().await.unwrap();
        },
    );
}

const HOLDER: &str = "db::private_cluster::holder";

/// Not a test: a service that starts a cluster, writes a row and waits to be killed.
#[test]
#[ignore = "a part played in a process of its own"]
fn holder() {
    let Some(home) = helper_argument(HOLDER).map(PathBuf::from) else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let cluster = runtime.block_on(async {
        let cluster = started(&home).await;
        write_a_row(&cluster).await;
        say(&cluster.server_pid().await.to_string());
        cluster
    });
    wait_for_the_parent();
    drop(cluster);
}

/// A service in another process that holds `home`.
pub fn start_holder(home: &Path) -> Helper {
    let mut helper = Helper::start(HOLDER, home.to_str().unwrap());
    helper.hear();
    helper
}
