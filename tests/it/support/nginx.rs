//! nginx before the agent port: TLS with the client, plain HTTP with the port, and a folder of files under a second name.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;
use tokio::net::TcpStream;

use super::certificates::Certificates;
use super::eventually::eventually;
use super::skipped;

/// Whether nginx is here; if not, `test` is reported as skipped.
pub fn is_installed(test: &str) -> bool {
    let is_there = Command::new("nginx").arg("-v").output().is_ok();
    if !is_there {
        skipped::for_want_of(test, "nginx is not installed");
    }
    is_there
}

/// A running nginx; it ends when it is dropped.
pub struct Nginx {
    folder: TempDir,
    process: Child,
}

/// What nginx serves: `name` from the port, and `files_name` from a folder.
pub struct Served<'a> {
    pub name: &'a str,
    pub files_name: &'a str,
    pub port: SocketAddr,
}

impl Nginx {
    /// Listens at this port of the loopback address.
    pub async fn start_at(port: u16, served: &Served<'_>, certificates: &Certificates) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        std::fs::create_dir(folder.path().join("files")).unwrap();
        let configuration = configuration(folder.path(), address, served, certificates);
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, configuration).unwrap();
        let process = Command::new("nginx")
            .arg("-e")
            .arg(folder.path().join("error.log"))
            .arg("-c")
            .arg(&file)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let nginx = Self { folder, process };
        eventually("nginx listens", async || {
            TcpStream::connect(address).await.is_ok()
        })
        .await;
        nginx
    }

    /// Puts a file under the second name.
    pub fn put(&self, path: &str, text: &str) {
        std::fs::write(self.folder.path().join("files").join(path), text).unwrap();
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ended = self.process.kill();
        let _status = self.process.wait();
    }
}

/// One process in the foreground, everything of it below the folder.
fn configuration(
    folder: &Path,
    address: SocketAddr,
    served: &Served<'_>,
    certificates: &Certificates,
) -> String {
    let folder = folder.display();
    let Served {
        name,
        files_name,
        port,
    } = served;
    let tls = format!(
        "listen {address} ssl; ssl_certificate {}; ssl_certificate_key {};",
        certificates.server.display(),
        certificates.server_key.display()
    );
    format!(
        "daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
         events {{ worker_connections 256; }}
         http {{
           access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
           fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
           types {{ application/json json; }}
           server {{ {tls} server_name {name};
             location / {{ proxy_pass http://{port}; proxy_http_version 1.1; proxy_set_header Host $http_host;
               proxy_set_header Connection ''; proxy_buffering off; }} }}
           server {{ {tls} server_name {files_name}; root {folder}/files; }}
         }}\n"
    )
}
