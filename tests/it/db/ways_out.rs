//! Each obstacle to starting the private cluster, produced for real.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::unistd::User;
use sextant::db::embedded::{Cluster, ClusterError};

use super::private_cluster::{options, start_holder};
use crate::support::skipped;
use crate::support::users::{as_root_and_as_a_user, in_scratch, is_root};

async fn refused(home: &Path) -> ClusterError {
    Cluster::start(options(home)).await.unwrap_err()
}

/// Starts and stops once, so that there is a cluster.
async fn with_a_cluster(home: &Path) {
    Cluster::start(options(home))
        .await
        .unwrap()
        .stop()
        .await
        .unwrap();
}

async fn starts(home: &Path) {
    let cluster = Cluster::start(options(home))
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    cluster.stop().await.unwrap();
}

/// A process that is not a server, run by the server's user.
fn a_stranger_of_the_server_s_user() -> Child {
    let mut command = Command::new("sleep");
    command.arg("600").stdin(Stdio::null()).current_dir("/");
    if is_root() {
        let user = User::from_name("postgres")
            .unwrap()
            .or(User::from_name("nobody").unwrap())
            .unwrap();
        command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
    }
    command.spawn().unwrap()
}

/// Writes a `postmaster.pid` as a killed server leaves it, with this `pid`.
fn leave_a_pid_file(home: &Path, pid: u32) {
    let data = home.join("postgres/data");
    let file = data.join("postmaster.pid");
    let run = home.join("postgres/run");
    let text = format!(
        "{pid}\n{}\n1700000000\n5432\n{}\n\n  5432001         1\nready   \n",
        data.display(),
        run.display()
    );
    fs::write(&file, &text).unwrap();
    // The server leaves a second file of the same form beside its socket.
    let socket_lock = run.join(".s.PGSQL.5432.lock");
    fs::write(&socket_lock, text).unwrap();
    if is_root() {
        let owner = User::from_name("postgres")
            .unwrap()
            .or(User::from_name("nobody").unwrap())
            .unwrap();
        for file in [file, socket_lock] {
            chown(file, Some(owner.uid.as_raw()), Some(owner.gid.as_raw())).unwrap();
        }
    }
}

#[test]
fn a_stale_pid_of_a_process_that_is_gone_is_passed_over() {
    as_root_and_as_a_user(
        "db::ways_out::a_stale_pid_of_a_process_that_is_gone_is_passed_over",
        async |scratch| {
            let home = scratch.join("home");
            with_a_cluster(&home).await;
            let mut gone = a_stranger_of_the_server_s_user();
            gone.kill().unwrap();
            gone.wait().unwrap();
            leave_a_pid_file(&home, gone.id());
            starts(&home).await;
        },
    );
}

#[test]
fn a_stale_pid_that_now_is_another_program_of_the_same_user_is_passed_over() {
    as_root_and_as_a_user(
        "db::ways_out::a_stale_pid_that_now_is_another_program_of_the_same_user_is_passed_over",
        async |scratch| {
            let home = scratch.join("home");
            with_a_cluster(&home).await;
            let mut stranger = a_stranger_of_the_server_s_user();
            leave_a_pid_file(&home, stranger.id());
            starts(&home).await;
            assert!(
                stranger.try_wait().unwrap().is_none(),
                "the stranger is left in peace"
            );
            stranger.kill().unwrap();
            stranger.wait().unwrap();
        },
    );
}

#[test]
fn a_stale_pid_that_now_belongs_to_another_user_is_passed_over() {
    as_root_and_as_a_user(
        "db::ways_out::a_stale_pid_that_now_belongs_to_another_user_is_passed_over",
        async |scratch| {
            let home = scratch.join("home");
            with_a_cluster(&home).await;
            leave_a_pid_file(&home, 1);
            starts(&home).await;
        },
    );
}

#[test]
fn a_pid_file_that_a_server_made_and_never_wrote_is_passed_over() {
    as_root_and_as_a_user(
        "db::ways_out::a_pid_file_that_a_server_made_and_never_wrote_is_passed_over",
        async |scratch| {
            let home = scratch.join("home");
            with_a_cluster(&home).await;
            fs::write(home.join("postgres/data/postmaster.pid"), "").unwrap();
            starts(&home).await;
        },
    );
}

#[test]
fn r509_a_second_process_on_one_data_directory_is_told_who_has_it() {
    as_root_and_as_a_user(
        "db::ways_out::r509_a_second_process_on_one_data_directory_is_told_who_has_it",
        async |scratch| {
            let home = scratch.join("home");
            let holder = start_holder(&home);
            let error = refused(&home).await;
            assert!(
                matches!(error, ClusterError::Held { pid: Some(pid), .. } if pid == holder.pid()),
                "{error}"
            );
            assert!(error.to_string().contains(&format!("pid {}", holder.pid())));
            holder.kill();
            starts(&home).await;
        },
    );
}

#[test]
fn a_cluster_of_another_major_version_is_left_as_it_is() {
    as_root_and_as_a_user(
        "db::ways_out::a_cluster_of_another_major_version_is_left_as_it_is",
        async |scratch| {
            let home = scratch.join("home");
            with_a_cluster(&home).await;
            let data = home.join("postgres/data");
            fs::write(data.join("PG_VERSION"), "99\n").unwrap();
            let before = listing(&data);
            let error = refused(&home).await;
            assert!(
                matches!(error, ClusterError::OtherMajor { major: 99, .. }),
                "{error}"
            );
            let said = error.to_string();
            assert!(
                said.contains("pg_upgrade")
                    && said.contains("pg_dumpall")
                    && said.contains("PostgreSQL 99"),
                "{said}"
            );
            assert_eq!(listing(&data), before);
        },
    );
}

#[test]
fn a_cluster_older_than_we_can_use_is_left_as_it_is() {
    as_root_and_as_a_user(
        "db::ways_out::a_cluster_older_than_we_can_use_is_left_as_it_is",
        async |scratch| {
            let home = scratch.join("home");
            let data = home.join("postgres/data");
            fs::create_dir_all(&data).unwrap();
            fs::write(data.join("PG_VERSION"), "14\n").unwrap();
            let error = refused(&home).await;
            assert!(
                matches!(error, ClusterError::ClusterTooOld { major: 14, .. }),
                "{error}"
            );
            assert!(error.to_string().contains("15 or newer"));
            assert_eq!(listing(&data), ["PG_VERSION"]);
        },
    );
}

#[test]
fn a_directory_that_is_no_cluster_is_left_as_it_is() {
    as_root_and_as_a_user(
        "db::ways_out::a_directory_that_is_no_cluster_is_left_as_it_is",
        async |scratch| {
            let home = scratch.join("home");
            fs::create_dir_all(home.join("postgres/data")).unwrap();
            fs::write(home.join("postgres/data/novel.txt"), "chapter one").unwrap();
            assert!(matches!(
                refused(&home).await,
                ClusterError::NotACluster { .. }
            ));
            assert_eq!(listing(&home.join("postgres/data")), ["novel.txt"]);
        },
    );
}

fn listing(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_parent_directory_that_blocks_is_named_before_anything_is_made() {
    as_root_and_as_a_user(
        "db::ways_out::a_parent_directory_that_blocks_is_named_before_anything_is_made",
        async |scratch| {
            let closed = scratch.join("closed");
            let home = closed.join("home");
            fs::create_dir(&closed).unwrap();
            // Root runs the server as another user, whom mode 0700 keeps out; a user is kept out of their own directory
            // by mode 0.
            let mode = if is_root() { 0o700 } else { 0o000 };
            fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).unwrap();
            let error = refused(&home).await;
            fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
            assert!(
                error.to_string().contains(closed.to_str().unwrap()),
                "{error}"
            );
            if is_root() {
                assert!(
                    matches!(&error, ClusterError::ParentBlocked { parent, .. } if *parent == closed),
                    "{error}"
                );
                assert!(error.to_string().contains("chmod o+x"));
            }
            assert!(!home.join("postgres").exists());
        },
    );
}

#[test]
fn a_read_only_directory_is_named() {
    as_root_and_as_a_user(
        "db::ways_out::a_read_only_directory_is_named",
        async |scratch| {
            let parent = scratch.join("read-only");
            fs::create_dir(&parent).unwrap();
            fs::set_permissions(&parent, fs::Permissions::from_mode(0o555)).unwrap();
            if is_root() {
                // Permissions do not stop root: a directory in which no files can be created does.
                let error = refused(Path::new("/proc/sextant")).await;
                assert!(matches!(error, ClusterError::Filesystem { .. }), "{error}");
            } else {
                let error = refused(&parent.join("home")).await;
                assert!(matches!(&error, ClusterError::Filesystem { .. }), "{error}");
                assert!(
                    error.to_string().contains("read-only/home")
                        && error.to_string().contains("DATA_DIR"),
                    "{error}"
                );
            }
        },
    );
}

#[test]
fn a_run_directory_of_somebody_else_is_refused() {
    if !is_root() {
        skipped::for_want_of(
            "a_run_directory_of_somebody_else_is_refused",
            "it takes root",
        );
        return;
    }
    in_scratch(async |scratch| {
        let home = (0..12).fold(scratch.to_path_buf(), |path, _| {
            path.join("a-deep-directory")
        });
        let run = {
            let cluster = Cluster::start(options(&home)).await.unwrap();
            cluster.stop().await.unwrap();
            cluster.socket_dir().await
        };
        chown(&run, Some(12345), Some(12345)).unwrap();
        let error = refused(&home).await;
        fs::remove_dir_all(&run).unwrap();
        assert!(matches!(error, ClusterError::RunDirTaken { .. }), "{error}");
    });
}

#[test]
fn a_full_disk_is_called_a_full_disk() {
    if !is_root() {
        skipped::for_want_of("a_full_disk_is_called_a_full_disk", "it takes root");
        return;
    }
    in_scratch(async |scratch| {
        let small = scratch.join("small");
        fs::create_dir(&small).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=8m,mode=0755", "tmpfs"])
            .arg(&small)
            .stderr(Stdio::null())
            .status();
        if !mounted.is_ok_and(|status| status.success()) {
            skipped::for_want_of(
                "a_full_disk_is_called_a_full_disk",
                "no file system may be mounted here",
            );
            return;
        }
        let error = refused(&small.join("home")).await;
        Command::new("umount").arg(&small).status().unwrap();
        assert!(matches!(error, ClusterError::DiskFull { .. }), "{error}");
        assert!(error.to_string().contains("free some space"));
    });
}
