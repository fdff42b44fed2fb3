//! An encrypted connection to another server, whose certificate is checked.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, User};
use sextant::db::embedded::{Cluster, find};
use sextant::db::{Database, DatabaseOptions, Place, PoolLimits};

use super::private_cluster::options;
use super::read_rows;
use crate::support::certificates::{self, Certificates};
use crate::support::cluster::{connect, search_places};
use crate::support::eventually::eventually;
use crate::support::users::{Helper, helper_argument, in_scratch, is_root, say};

#[test]
fn a_required_certificate_is_checked_against_the_system_s_authorities() {
    if !certificates::can_be_made(
        "a_required_certificate_is_checked_against_the_system_s_authorities",
    ) {
        return;
    }
    in_scratch(async |scratch| {
        let certificates = certificates::make(scratch, certificates::LOOPBACK);
        let mut server = encrypted_server(scratch, &certificates).await;
        let url = format!(
            "postgres://sextant@127.0.0.1:{}/sextant?sslmode=require",
            server.port
        );
        let ours = &certificates.authority;
        assert_eq!(open_trusting(ours, &url), "encrypted");
        let refused = open_trusting(&certificates.other_authority, &url);
        assert!(refused.contains("certificate"), "{refused}");
        let unencrypted = open_trusting(ours, &url.replace("?sslmode=require", ""));
        assert!(
            unencrypted.contains("no encryption"),
            "the server itself insists: {unencrypted}"
        );
        kill(
            Pid::from_raw(i32::try_from(server.process.id()).unwrap()),
            Signal::SIGINT,
        )
        .unwrap();
        server.process.wait().unwrap();
    });
}

/// The result of opening the database in a process that trusts this authority alone.
fn open_trusting(authority: &Path, url: &str) -> String {
    Helper::start_with(CLIENT, url, &[("SSL_CERT_FILE", authority)]).outcome()
}

struct Server {
    process: Child,
    port: u16,
}

/// A server such as an operator would run elsewhere: on TCP, with encryption or without.
async fn encrypted_server(scratch: &Path, certificates: &Certificates) -> Server {
    let cluster = Cluster::start(options(&scratch.join("home")))
        .await
        .unwrap();
    let superuser = connect(&cluster.superuser_config().await).await;
    superuser
        .batch_execute("GRANT sextant_reader TO sextant")
        .await
        .unwrap();
    drop(superuser);
    cluster.stop().await.unwrap();
    let data = cluster.data();
    fs::write(
        data.join("pg_hba.conf"),
        "hostssl all all 127.0.0.1/32 trust\n",
    )
    .unwrap();
    certify(certificates, data);
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let process = serve(data, port);
    eventually("the server listens", async || {
        std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
    })
    .await;
    Server { process, port }
}

/// Installs the server's certificate.
fn certify(certificates: &Certificates, data: &Path) {
    for (file, name) in [
        (&certificates.server_key, "server.key"),
        (&certificates.server, "server.crt"),
    ] {
        fs::copy(file, data.join(name)).unwrap();
        fs::set_permissions(data.join(name), fs::Permissions::from_mode(0o600)).unwrap();
        if let Some(user) = server_user() {
            chown(
                data.join(name),
                Some(user.uid.as_raw()),
                Some(user.gid.as_raw()),
            )
            .unwrap();
        }
    }
}

fn serve(data: &Path, port: u16) -> Child {
    let mut command = Command::new(find(&search_places(), None).unwrap().postgres());
    command.arg("-D").arg(data).args([
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=",
    ]);
    command.args(["-c", "ssl=on", "-c", "fsync=off", "-p", &port.to_string()]);
    command
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(user) = server_user() {
        command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
    }
    command.spawn().unwrap()
}

/// The user to which root must switch to run a server.
fn server_user() -> Option<User> {
    is_root().then(|| {
        User::from_name("postgres")
            .unwrap()
            .or(User::from_name("nobody").unwrap())
            .unwrap()
    })
}

const CLIENT: &str = "db::tls::client";

/// Not a test: a service that trusts the authority that its environment names.
#[test]
#[ignore = "a part played in a process of its own"]
fn client() {
    let Some(url) = helper_argument(CLIENT) else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let options = DatabaseOptions {
        place: Place::Foreign(url),
        reader_role: true,
        limits: PoolLimits::default(),
        drivers: runtime.handle().clone(),
    };
    runtime.block_on(async {
        let open = match Database::open(options).await {
            Ok(open) => open,
            Err(error) => return say(&error.to_string().replace('\n', " ")),
        };
        let sql = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
        let service = open.service().get().await.unwrap();
        let encrypted: bool = service.query_one(sql, &[]).await.unwrap().get(0);
        read_rows(&open, "SELECT 1").await.unwrap();
        drop(service);
        open.stop().await.unwrap();
        say(if encrypted {
            "encrypted"
        } else {
            "open to all"
        });
    });
}
