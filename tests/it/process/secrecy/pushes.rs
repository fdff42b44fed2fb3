//! What `sextant push` is given: secrets from the environment and from a file, and valid, invalid and malformed
//! files.

use std::path::{Path, PathBuf};

use super::markers::Kind;
use super::sweep::Place;
use super::{Device, LOUDEST, Run, console};
use crate::process::Setup;

/// Plants words in files and secrets, and keeps the command's output.
pub async fn plant(run: &mut Run, home: &Path) {
    let device = console::device(run, "contacts.people").await;
    let good = file(
        run,
        home,
        "good.jsonl",
        Kind::Payload,
        "{\"id\": \"1\", \"full_name\": \"WORD\"}\n",
    );
    let bad = file(
        run,
        home,
        "bad.jsonl",
        Kind::Payload,
        "{\"id\": \"2\", \"full_name\": [\"WORD\"], \"birthday_day\": \"WORD\"}\n\"WORD\"\n{\"WORD\n",
    );
    let calendar = file(
        run,
        home,
        "bad.ics",
        Kind::Payload,
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:WORD\nDTSTART:WORD\nRRULE:FREQ=WORD\nSUMMARY:WORD\nEND:VEVENT\n",
    );
    let bank = file(
        run,
        home,
        "bad.ofx",
        Kind::Payload,
        "OFXHEADER:WORD\n<OFX><BANKMSGSRSV1><STMTTRN><TRNAMT>WORD<NAME>WORD</OFX>",
    );
    let wrong = run.markers.word(Kind::Secret, "a wrong secret of a push");
    for (secret, files) in [
        (
            device.secret.clone(),
            vec![good.clone(), bad, calendar, bank],
        ),
        (wrong.clone(), vec![good.clone()]),
        (format!("{wrong}\u{7}\n{wrong}"), vec![good.clone()]),
    ] {
        push(run, home, &device, &files, Some(&secret), None).await;
    }
    let line = format!("{} {}\n", device.id, device.secret);
    let broken = format!(
        "{line}{}\n",
        run.markers.word(Kind::Secret, "a secret file's bad line")
    );
    for (name, text) in [("secrets", line), ("bad-secrets", broken)] {
        let path = home.join(name);
        std::fs::write(&path, text).unwrap();
        push(
            run,
            home,
            &device,
            std::slice::from_ref(&good),
            None,
            Some(&path),
        )
        .await;
    }
}

fn file(run: &mut Run, home: &Path, name: &str, kind: Kind, shape: &str) -> PathBuf {
    let word = run.markers.word(kind, &format!("the file {name}"));
    let path = home.join(name);
    std::fs::write(&path, shape.replace("WORD", &word)).unwrap();
    path
}

async fn push(
    run: &mut Run,
    home: &Path,
    device: &Device,
    files: &[PathBuf],
    secret: Option<&str>,
    from: Option<&Path>,
) {
    let mut setup = Setup::bare(home)
        .env("RUST_LOG", LOUDEST)
        .argument("push")
        .argument("--connection")
        .argument(&device.id)
        .argument("--url")
        .argument(&run.service.console.clone());
    for path in files {
        setup = setup.argument(path.to_str().unwrap());
    }
    if let Some(path) = from {
        setup = setup
            .argument("--secret-file")
            .argument(path.to_str().unwrap());
    }
    if let Some(secret) = secret {
        setup = setup.env("SEXTANT_INGEST_SECRET", secret);
    }
    let (status, said, complained) = setup.run_to_end().await;
    assert!(!said.is_empty() || !complained.is_empty(), "{status}");
    run.answers.push((
        Place::Terminal,
        format!("push {files:?}"),
        format!("{said}\n{complained}"),
    ));
}
