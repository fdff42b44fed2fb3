//! The same from the same servers by `mbsync` and `vdirsyncer`, which write one file for each mail, event and card.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::dovecot::{Dovecot, PASSWORD, USER};
use super::radicale::{self, Radicale, installed};
use super::usage;

/// Between two looks at a process's memory.
const LOOK: Duration = Duration::from_millis(20);

/// What a run took.
pub struct Taken {
    pub lasted: Duration,
    pub used: Duration,
    pub peak_mb: u64,
}

/// Mirrors the inbox into a maildir of `folder`.
pub async fn mbsync(server: &Dovecot, folder: &Path) -> Taken {
    // The server's own certificate is taken without a look at the name in it.
    let certificate = server.folder.path().join("server.crt");
    let config = format!(
        "IMAPAccount op\nHost 127.0.0.1\nPort {}\nUser {USER}\nPass {PASSWORD}\nSSLType IMAPS\nCertificateFile {}\n\n\
         IMAPStore far\nAccount op\n\nMaildirStore near\nPath {near}/\nInbox {near}/INBOX\nSubFolders Verbatim\n\n\
         Channel all\nFar :far:\nNear :near:\nPatterns INBOX\nCreate Near\nSync Pull\nSyncState *\n",
        server.port,
        certificate.display(),
        near = folder.join("near").display(),
    );
    fs::create_dir(folder.join("near")).unwrap();
    fs::write(folder.join("mbsyncrc"), config).unwrap();
    let mut command = Command::new("mbsync");
    command
        .args(["-q", "-a", "-c"])
        .arg(folder.join("mbsyncrc"));
    let taken = run(&mut command).await;
    let written = ["new", "cur"].map(|kind| files(&folder.join("near/INBOX").join(kind)));
    println!("mbsync wrote {} files", written.iter().sum::<usize>());
    taken
}

/// Mirrors the calendar and the address book of a user into folders of `folder`.
pub async fn vdirsyncer(server: &Radicale, user: usize, folder: &Path) -> Taken {
    let mut config = format!(
        "[general]\nstatus_path = \"{}\"\n",
        folder.join("status").display()
    );
    let name = radicale::user(user);
    for (kind, collection, extension) in [("caldav", "cal", "ics"), ("carddav", "book", "vcf")] {
        fs::create_dir(folder.join(collection)).unwrap();
        config += &format!(
            "[pair {collection}]\na = \"{collection}_near\"\nb = \"{collection}_far\"\ncollections = null\n\
             [storage {collection}_near]\ntype = \"filesystem\"\npath = \"{}\"\nfileext = \".{extension}\"\n\
             [storage {collection}_far]\ntype = \"{kind}\"\nurl = \"{}{name}/{collection}/\"\nusername = \"{name}\"\n\
             password = \"{}\"\nverify = \"{}\"\n",
            folder.join(collection).display(),
            server.url(),
            radicale::PASSWORD,
            server.certificates.authority.display(),
        );
    }
    fs::write(folder.join("config"), config).unwrap();
    let vdirsyncer = |verb: &str| {
        let mut command = Command::new(installed("tools/vdirsyncer/bin/vdirsyncer"));
        command
            .args(["-v", "WARNING", "-c"])
            .arg(folder.join("config"))
            .arg(verb);
        command
    };
    run(&mut vdirsyncer("discover")).await;
    let taken = run(&mut vdirsyncer("sync")).await;
    let written = ["cal", "book"].map(|kind| files(&folder.join(kind)));
    println!("vdirsyncer wrote {} files", written.iter().sum::<usize>());
    taken
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

async fn run(command: &mut Command) -> Taken {
    let (used, begun) = (usage::ended_children(), Instant::now());
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut peak_mb = 0;
    let status = loop {
        let pid = child.id().cast_signed();
        peak_mb = usage::peak_mb(pid).unwrap_or(0).max(peak_mb);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        sleep(LOOK).await;
    };
    assert!(status.success(), "{status}");
    Taken {
        lasted: begun.elapsed(),
        used: usage::ended_children() - used,
        peak_mb,
    }
}
