//! The first run for a new user: various files, and no connection yet.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::fixture;
use super::program::{Newcomer, Ran};
use crate::support::household::totals;
use crate::support::packed;

const CREATE: [&str; 3] = ["--create", "--secret-file", "secrets"];

fn with<'a>(paths: &[&'a str], options: &[&'a str]) -> Vec<&'a str> {
    [paths, options].concat()
}

/// A Google Takeout: files of the fixtures in its folders, and its HTML page.
fn takeout() -> Vec<(&'static str, Vec<u8>)> {
    let read = |path: &str| std::fs::read(fixture(path)).unwrap();
    let mail = b"From a@example.com Thu Jan  1 00:00:00 2026\r\nMessage-ID: <1@x>\r\nSubject: x\r\n\r\nText\r\n";
    vec![
        ("Takeout/archive_browser.html", b"<html></html>".to_vec()),
        ("Takeout/Calendar/home.ics", read("calendar/000.ics")),
        ("Takeout/Mail/All mail Including Spam.mbox", mail.to_vec()),
        (
            "Takeout/My Activity/Search/log.xml",
            b"<activity/>".to_vec(),
        ),
        ("Takeout/Google Photos/a.jpg", b"JFIF".to_vec()),
        ("Takeout/Bank/checking.ofx", read("bank/checking.ofx")),
    ]
}

#[actix_web::test]
async fn a_takeout_just_works_and_again_changes_nothing() {
    let newcomer = Newcomer::arrive().await;
    packed::zip(&newcomer.path("takeout.zip"), &takeout());
    packed::tgz(&newcomer.path("takeout.tgz"), &takeout());
    let ran = newcomer.push(&with(&["takeout.zip"], &CREATE)).await;
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    for told in [
        "takeout.zip: Takeout/Mail/All mail Including Spam.mbox\n  made connection ",
        " `Mail from files` for mail.messages\n",
        "  passed over: it is XML, but neither the export of Apple Health nor a statement of a bank (camt.052, .053, .054)\n",
        "passed over: 2 files of kinds that are not read (.html 1, .jpg 1)\n",
    ] {
        assert!(ran.out.contains(told), "{told} is not in {}", ran.out);
    }
    assert_eq!(totals(&ran.out), [5, 5, 0], "{}", ran.out);
    let secrets = newcomer.path("secrets");
    let mode = secrets.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let kept = std::fs::read_to_string(&secrets).unwrap();
    assert_eq!(kept.lines().count(), 3);
    assert!(
        kept.lines()
            .all(|line| !ran.out.contains(line.split(' ').nth(1).unwrap()))
    );
    let connections = newcomer.connections().await;
    assert_eq!(connections.len(), 3);
    for again in ["takeout.zip", "takeout.tgz"] {
        let ran = newcomer.push(&with(&[again], &CREATE)).await;
        assert_eq!(ran.code, Some(0), "{}", ran.out);
        assert_eq!(totals(&ran.out), [5, 5, 0], "{}", ran.out);
        for new in ["made connection", "(1 new", "(3 new", "1 changed"] {
            assert!(!ran.out.contains(new), "{}", ran.out);
        }
    }
    let without_create = ["takeout.zip", "--secret-file", "secrets"];
    assert_eq!(newcomer.push(&without_create).await.code, Some(0));
    assert_eq!(newcomer.connections().await.len(), 3);
    assert_eq!(std::fs::read_to_string(&secrets).unwrap(), kept);
}

#[actix_web::test]
async fn pushes_at_one_time_share_the_connections_that_they_make() {
    const TOGETHER: usize = 6;
    let newcomer = Newcomer::arrive().await;
    packed::zip(&newcomer.path("takeout.zip"), &takeout());
    let arguments = with(&["takeout.zip"], &CREATE);
    let pushes = (0..TOGETHER).map(|_| newcomer.push(&arguments));
    let ran = futures_util::future::join_all(pushes).await;
    for ran in &ran {
        assert_eq!(
            (ran.code, totals(&ran.out)),
            (Some(0), [5, 5, 0]),
            "{ran:?}"
        );
    }
    let made = ran
        .iter()
        .map(|ran| ran.out.matches("made connection").count());
    assert_eq!(made.sum::<usize>(), 3);
    assert_eq!(newcomer.connections().await.len(), 3);
    let kept = std::fs::read_to_string(newcomer.path("secrets")).unwrap();
    assert_eq!(kept.lines().count(), 3, "{kept}");
    let later = newcomer
        .push(&["takeout.zip", "--secret-file", "secrets"])
        .await;
    assert_eq!((later.code, totals(&later.out)), (Some(0), [5, 5, 0]));
    assert_eq!(newcomer.count("mail.messages").await, 1);
    assert_eq!(newcomer.count("finance.transactions").await, 3);
}

#[actix_web::test]
async fn a_rehearsal_sends_nothing_makes_nothing_and_needs_nothing() {
    let newcomer = Newcomer::arrive().await;
    packed::zip(&newcomer.path("takeout.zip"), &takeout());
    let ran = newcomer
        .push(&with(&["takeout.zip", "--dry-run"], &CREATE))
        .await;
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    for told in [
        "  would send: 3 to finance.transactions, by a new connection `Finance from files`\n",
        "  would send: 1 to mail.messages, by a new connection `Mail from files`\n",
        "Nothing was sent.",
    ] {
        assert!(ran.out.contains(told), "{told} is not in {}", ran.out);
    }
    assert!(newcomer.connections().await.is_empty());
    assert!(!newcomer.path("secrets").exists());
    let (id, _) = newcomer.app.push_connection("mail.messages").await;
    let given = ["takeout.zip", "--dry-run", "--connection", &id];
    let ran = newcomer.push(&given).await;
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    for told in [
        format!("  would send: 1 to mail.messages, by connection {id}\n"),
        "  refused: 3 entries: it is for finance.transactions, and no --connection takes that table".to_owned(),
    ] {
        assert!(ran.out.contains(&told), "{told} is not in {}", ran.out);
    }
    assert_eq!(totals(&ran.out), [5, 1, 4], "{}", ran.out);
    assert_eq!(newcomer.count("mail.messages").await, 0);
    let mut alone = newcomer.command(&["takeout.zip", "--dry-run"]);
    alone.args(["--secret-file", "nowhere"]);
    let ran = Ran::of(alone).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(1), [5, 0, 5]),
        "{}",
        ran.out
    );
}

#[actix_web::test]
async fn a_rehearsal_without_a_server_still_counts() {
    let newcomer = Newcomer::arrive().await;
    packed::zip(&newcomer.path("takeout.zip"), &takeout());
    let arguments = ["takeout.zip", "--dry-run", "--connection", "c1"];
    let elsewhere = |url: &str| {
        let mut program = tokio::process::Command::new(env!("CARGO_BIN_EXE_sextant"));
        program.current_dir(newcomer.path("")).arg("push");
        program.args(arguments).args(["--url", url]);
        program
    };
    let ran = Ran::of(elsewhere("http://127.0.0.1:1")).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(0), [5, 5, 0]),
        "{ran:?}"
    );
    assert!(
        ran.out.starts_with(
            "to the Sextant at http://127.0.0.1:1\nthe server does not list its connections: "
        ),
        "{}",
        ran.out
    );
}

#[actix_web::test]
async fn connections_are_made_on_this_computer_only_and_not_without_a_place_for_secrets() {
    let newcomer = Newcomer::arrive().await;
    std::fs::copy(fixture("calendar/000.ics"), newcomer.path("a.ics")).unwrap();
    let mut far = tokio::process::Command::new(env!("CARGO_BIN_EXE_sextant"));
    far.current_dir(newcomer.path(""));
    far.args(["push", "a.ics", "--create", "--secret-file", "secrets"]);
    let ran = Ran::of({
        far.args(["--url", "http://192.0.2.1:8787"]);
        far
    })
    .await;
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("on this computer only"), "{}", ran.err);
    let ran = newcomer.push(&["a.ics", "--create"]).await;
    assert!(
        ran.code == Some(2) && ran.err.contains("--secret-file"),
        "{}",
        ran.err
    );
    let ran = newcomer.push(&["a.ics"]).await;
    assert!(
        ran.code == Some(2) && ran.err.contains("--create"),
        "{}",
        ran.err
    );
    let unwritable = [
        "a.ics",
        "--create",
        "--secret-file",
        "no/such/folder/secrets",
    ];
    let ran = newcomer.push(&unwritable).await;
    assert!(
        ran.code == Some(2) && ran.err.contains("so no connection is made"),
        "{}",
        ran.err
    );
    assert!(newcomer.connections().await.is_empty());
}

#[actix_web::test]
async fn a_secret_that_cannot_be_kept_leaves_no_connection_behind() {
    let newcomer = Newcomer::arrive().await;
    std::fs::copy(fixture("calendar/000.ics"), newcomer.path("a.ics")).unwrap();
    let mut full = tokio::process::Command::new("sh");
    full.current_dir(newcomer.path(""))
        .arg("-c")
        .arg("trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"")
        .arg(env!("CARGO_BIN_EXE_sextant"))
        .args(["push", "a.ics", "--create", "--secret-file", "secrets"])
        .args(["--url", &newcomer.url()]);
    let ran = Ran::of(full).await;
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let (kept, removed) = (
        "could not be kept in secrets",
        "the connection was removed again",
    );
    assert!(
        ran.err.contains(kept) && ran.err.contains(removed),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("not read to its end"), "{}", ran.out);
    assert!(newcomer.connections().await.is_empty());
    assert_eq!(newcomer.count("calendar.series").await, 0);
}

#[actix_web::test]
async fn exit_codes_say_what_became_of_it_and_names_do_not_write_on_the_terminal() {
    let newcomer = Newcomer::arrive().await;
    let copy = |name: &str| -> PathBuf {
        std::fs::copy(fixture("calendar/000.ics"), newcomer.path(name)).unwrap();
        Path::new(name).to_owned()
    };
    let strange = copy("a\u{1b}[2Jb.ics");
    let options = CREATE.map(PathBuf::from);
    let with = |paths: &[&Path]| -> Vec<PathBuf> {
        let paths = paths.iter().map(|path| path.to_path_buf());
        paths.chain(options.iter().cloned()).collect()
    };
    let ran = newcomer.push(&with(&[&strange])).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        !ran.out.contains('\u{1b}') && ran.out.contains("a\u{fffd}[2Jb.ics"),
        "{ran:?}"
    );
    assert!(ran.err.is_empty(), "no bar in a pipe: {}", ran.err);
    std::fs::write(newcomer.path("note.xls"), "x").unwrap();
    for unread in ["gone.ics", "note.xls", "*.ofx"] {
        let ran = newcomer.push(&with(&[Path::new(unread), &strange])).await;
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(
            ran.out.contains("  not read: ") && ran.out.contains("1 stored"),
            "{ran:?}"
        );
    }
    let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nBDAY:1990-02-30\nEND:VCARD\n";
    std::fs::write(newcomer.path("ann.vcf"), card).unwrap();
    let ran = newcomer.push(&with(&[Path::new("ann.vcf")])).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let told = "left out: line 1, VCARD Ann: BDAY `1990-02-30` is no date that can be stored\n";
    assert!(
        ran.out.contains(told) && ran.out.contains("1 stored"),
        "{ran:?}"
    );
    let mut nobody = tokio::process::Command::new(env!("CARGO_BIN_EXE_sextant"));
    nobody
        .current_dir(newcomer.path(""))
        .args(["push", "note.xls"]);
    nobody.args([
        "--create",
        "--secret-file",
        "secrets",
        "--url",
        "http://127.0.0.1:1",
    ]);
    assert_eq!(Ran::of(nobody).await.code, Some(2));
}

#[actix_web::test]
async fn a_statement_that_leaves_its_dates_open_is_no_success_and_what_is_no_statement_is_passed_over()
 {
    let newcomer = Newcomer::arrive().await;
    let folder = newcomer.path("bank");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(
        folder.join("open.csv"),
        "Date,Amount,Currency\n01/02/2026,-3.50,EUR\n",
    )
    .unwrap();
    std::fs::write(folder.join("songs.csv"), "Title,Artist\nA,B\n").unwrap();
    let ran = newcomer.push(&with(&["bank"], &CREATE)).await;
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(
        ran.out.contains("--date-order dmy or --date-order mdy"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("songs.csv\n  passed over: "),
        "{}",
        ran.out
    );
    let said = with(&["bank", "--date-order", "dmy"], &CREATE);
    let ran = newcomer.push(&said).await;
    assert_eq!(
        (ran.code, totals(&ran.out)),
        (Some(0), [1, 1, 0]),
        "{}",
        ran.out
    );
}
