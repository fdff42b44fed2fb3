//! From the paths that a person names to the files in them.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use sextant_formats::FileWalk;

use crate::support::packed;

const EVENT: &str = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260101\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
const MAIL: &str = "From a@example.com Thu Jan  1 00:00:00 2026\nSubject: x\n\nText\n";

/// A name, with the file's contents or why it is not read.
type Told = (String, Result<String, String>);

/// A folder that is removed with the test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// What is found under paths in it: names (without the folder's own) with their contents or the reason, and the
    /// walk's error.
    fn walk(&self, names: &[&str]) -> (Vec<Told>, String) {
        let paths: Vec<_> = names.iter().map(|name| self.path(name)).collect();
        let own = format!("{}/", self.0.path().display());
        let mut walk = FileWalk::new(&paths);
        let found = walk.by_ref().map(|found| {
            let text = found.source.map(|source| {
                let mut text = String::new();
                if source.size_bytes().is_some() {
                    source.open().unwrap().read_to_string(&mut text).unwrap();
                }
                text
            });
            (found.name.replace(&own, ""), text)
        });
        let found = found.collect();
        (found, walk.passed_over().to_string())
    }

    fn names(&self, names: &[&str]) -> Vec<String> {
        let (found, _) = self.walk(names);
        found.into_iter().map(|(name, _)| name).collect()
    }

    /// The only result, which must be a reason.
    fn reason(&self, name: &str) -> String {
        let (mut found, _) = self.walk(&[name]);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0).1.unwrap_err()
    }
}

#[test]
fn a_folder_is_walked_in_the_order_of_names_and_the_rest_is_counted() {
    let folder = Folder::of(&[
        ("life/b/z.ics", EVENT),
        ("life/b/Inbox", MAIL),
        ("life/a.ics", EVENT),
        ("life/c.ICS", EVENT),
        ("life/.hidden.ics", EVENT),
        ("life/.git/a.ics", EVENT),
        ("life/photo.jpg", "From afar it looks like a mailbox"),
        ("life/b/one.jpg", "x"),
        ("life/b/page.html", "x"),
        ("life/README", "x"),
    ]);
    let (found, passed_over) = folder.walk(&["life"]);
    let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "life/a.ics",
        "life/b/Inbox",
        "life/b/z.ics",
        "life/c.ICS",
        "life/photo.jpg",
    ];
    assert_eq!(names, expected);
    assert!(found.iter().all(|(_, text)| text.is_ok()));
    assert_eq!(
        passed_over,
        "3 files of kinds that are not read (.html 1, .jpg 1, without an ending 1)"
    );
}

#[test]
fn links_lead_to_files_within_and_nowhere_else() {
    let folder = Folder::of(&[("in/real/a.ics", EVENT), ("out/b.ics", EVENT)]);
    let link = |to: &str, name: &str| symlink(folder.path(to), folder.path(name)).unwrap();
    link("in/real/a.ics", "in/linked.ics");
    link("out/b.ics", "in/outside.ics");
    link("out", "in/folder");
    link("in", "in/real/circle");
    link("nowhere", "in/dangling.ics");
    link("in", "named");
    let (found, passed_over) = folder.walk(&["in"]);
    let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["in/linked.ics", "in/real/a.ics"]);
    assert!(passed_over.contains("links and devices 4"), "{passed_over}");
    assert_eq!(
        folder.names(&["named"]),
        ["named/linked.ics", "named/real/a.ics"]
    );
    assert_eq!(folder.names(&["in/outside.ics"]), ["in/outside.ics"]);
}

#[test]
fn a_pattern_names_what_it_matches_and_a_file_with_such_a_name_is_itself() {
    let folder = Folder::of(&[
        ("b.ics", EVENT),
        ("a.ics", EVENT),
        (".c.ics", EVENT),
        ("deep/er/d.ics", EVENT),
        ("odd[1].ics", EVENT),
    ]);
    assert_eq!(folder.names(&["?.ics"]), ["a.ics", "b.ics"]);
    assert_eq!(folder.names(&["**/d.ics"]), ["deep/er/d.ics"]);
    assert_eq!(folder.names(&["odd[1].ics"]), ["odd[1].ics"]);
    assert_eq!(folder.reason("*.ofx"), "no file matches");
    assert!(
        folder
            .reason("a[.ics")
            .contains("neither a file nor a pattern")
    );
}

#[test]
fn a_folder_of_mail_is_one_thing() {
    let folder = Folder::of(&[
        ("backup/Maildir/cur/1.x:2,S", "Subject: a\n\nb"),
        ("backup/Maildir/new/2.x", "Subject: a\n\nb"),
        ("backup/a.ics", EVENT),
    ]);
    assert_eq!(
        folder.names(&["backup"]),
        ["backup/Maildir", "backup/a.ics"]
    );
    assert_eq!(folder.names(&["backup/Maildir"]), ["backup/Maildir"]);
}

#[test]
fn archives_are_told_member_by_member() {
    let folder = Folder::of(&[]);
    let files = [
        ("Takeout/Calendar/home.ics", EVENT.into()),
        ("Takeout/Mail/All mail.mbox", MAIL.into()),
        ("Takeout/Mail/Inbox", MAIL.into()),
        ("Takeout/archive_browser.html", b"<html>".to_vec()),
        ("../../etc/up.ics", EVENT.into()),
        // What macOS packs beside a file is neither read nor reported as skipped.
        (
            "__MACOSX/Takeout/Calendar/home.ics",
            b"\0\x05\x16\x07".to_vec(),
        ),
        ("Takeout/Calendar/._home.ics", b"\0\x05\x16\x07".to_vec()),
        ("Takeout/inner.zip", b"PK".to_vec()),
        ("Takeout/inner.tar.gz", b"x".to_vec()),
    ];
    packed::zip(&folder.path("t.zip"), &files);
    let named: Vec<_> = files
        .iter()
        .map(|(name, bytes)| (name.trim_start_matches("../"), bytes.clone()))
        .collect();
    packed::tgz(&folder.path("t.tgz"), &named);
    fs::write(folder.path("t.tar"), packed::tar(&named)).unwrap();
    for archive in ["t.zip", "t.tgz", "t.tar"] {
        let (found, passed_over) = folder.walk(&[archive]);
        let up = if archive == "t.zip" {
            "../../etc/up.ics"
        } else {
            "etc/up.ics"
        };
        let nested =
            "it is an archive within an archive: unpack the outer one, then push what is in it";
        let expected = [
            ("Takeout/Calendar/home.ics", Ok(EVENT)),
            ("Takeout/Mail/All mail.mbox", Ok(MAIL)),
            ("Takeout/Mail/Inbox", Ok(MAIL)),
            (up, Ok(EVENT)),
            ("Takeout/inner.zip", Err(nested)),
            ("Takeout/inner.tar.gz", Err(nested)),
        ];
        let expected = expected.map(|(name, text)| {
            let text = text.map(str::to_owned).map_err(str::to_owned);
            (format!("{archive}: {name}"), text)
        });
        assert_eq!(found, expected);
        assert_eq!(passed_over, "1 file of a kind that is not read (.html 1)");
    }
}

#[test]
fn a_member_of_a_tar_is_read_as_often_as_needed_and_whole() {
    let folder = Folder::of(&[]);
    let sizes = [0, 1, 511, 512, 513, 200_000];
    let names: Vec<_> = sizes
        .iter()
        .map(|size| format!("{}/{size}.jsonl", "long".repeat(40)))
        .collect();
    let files: Vec<_> = names
        .iter()
        .zip(sizes)
        .map(|(name, size)| (name.as_str(), vec![b'x'; size]))
        .collect();
    packed::tgz(&folder.path("t.tar.gz"), &files);
    let (found, _) = folder.walk(&["t.tar.gz"]);
    let lengths: Vec<_> = found
        .iter()
        .map(|(name, text)| {
            (
                name.contains(&"long".repeat(40)),
                text.as_ref().unwrap().len(),
            )
        })
        .collect();
    assert_eq!(lengths, sizes.map(|size| (true, size)));
}

#[test]
fn a_truncated_archive_gives_what_came_before_and_says_so() {
    let folder = Folder::of(&[]);
    let noise = |seed: u64| -> Vec<u8> {
        let next = |state: &mut u64| {
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (*state >> 56) as u8
        };
        let mut state = seed;
        (0..100_000).map(|_| next(&mut state)).collect()
    };
    let files = [
        ("a.ics", EVENT.into()),
        ("b.jsonl", noise(1)),
        ("c.jsonl", noise(2)),
    ];
    packed::tgz(&folder.path("whole.tgz"), &files);
    let whole = fs::read(folder.path("whole.tgz")).unwrap();
    folder.write("half.tgz", &whole[..whole.len() / 4]);
    let tar = packed::tar(&files);
    folder.write("half.tar", &tar[..1024 + 300]);
    folder.write("short.tar", &tar[..1024 + 512 + 300]);
    folder.write("unended.tar", &tar[..1024]);
    for name in ["half.tgz", "half.tar", "short.tar", "unended.tar"] {
        let (found, _) = folder.walk(&[name]);
        assert_eq!(found[0], (format!("{name}: a.ics"), Ok(EVENT.to_owned())));
        let (told, reason) = &found[1];
        let reason = reason.as_ref().unwrap_err();
        assert!(
            told == name && reason.contains("was cut off here"),
            "{reason}"
        );
        assert_eq!(found.len(), 2);
    }
    packed::zip(&folder.path("whole.zip"), &files);
    let whole = fs::read(folder.path("whole.zip")).unwrap();
    folder.write("half.zip", &whole[..whole.len() / 2]);
    assert!(folder.reason("half.zip").contains("cut off"));
    folder.write("text.tgz", "this is no archive");
    folder.write("empty.tar", "");
    assert!(folder.reason("text.tgz").contains("cannot be read further"));
    assert!(folder.reason("empty.tar").contains("cut off"));
}

#[test]
fn a_bomb_ends_its_archive_and_costs_no_room() {
    let folder = Folder::of(&[]);
    let files = [
        ("a.ics", EVENT.into()),
        ("bomb.jsonl", vec![b' '; 64 * 1024 * 1024]),
        ("z.ics", EVENT.into()),
    ];
    packed::tgz(&folder.path("bomb.tgz"), &files);
    let (found, _) = folder.walk(&["bomb.tgz"]);
    assert_eq!(found.len(), 2);
    assert!(found[0].1.is_ok());
    assert!(
        found[1]
            .1
            .as_ref()
            .unwrap_err()
            .contains("taken for a bomb")
    );
    packed::zip(&folder.path("bomb.zip"), &files);
    let (found, _) = folder.walk(&["bomb.zip"]);
    let told: Vec<_> = found.iter().map(|(_, text)| text.is_ok()).collect();
    assert_eq!(told, [true, false, true]);
}

#[test]
fn a_name_without_end_in_a_tar_is_not_held() {
    let folder = Folder::of(&[]);
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_path("././@LongLink").unwrap();
    header.set_size(8 * 1024 * 1024);
    header.set_cksum();
    let name = vec![b'n'; 8 * 1024 * 1024];
    folder.write("long.tar", [header.as_bytes().as_slice(), &name].concat());
    assert!(folder.reason("long.tar").contains("has no end"));
}

#[test]
fn what_cannot_be_read_is_told_with_the_reason_and_the_rest_goes_on() {
    let folder = Folder::of(&[("a.ics", EVENT), ("z.ics", EVENT), ("photos/a.jpg", "x")]);
    fs::create_dir(folder.path("empty")).unwrap();
    nix::unistd::mkfifo(&folder.path("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (found, _) = folder.walk(&["a.ics", "gone.ics", "empty", "photos", "pipe", "z.ics"]);
    let reasons: Vec<_> = found
        .iter()
        .filter_map(|(_, text)| text.as_ref().err())
        .collect();
    assert!(found[0].1.is_ok() && found[5].1.is_ok() && reasons.len() == 4);
    assert!(
        reasons[0].starts_with("the file cannot be read: No such file"),
        "{}",
        reasons[0]
    );
    assert_eq!(reasons[1], "it holds no file of a kind that is read");
    assert_eq!(reasons[2], "it holds no file of a kind that is read");
    assert_eq!(reasons[3], "it is no ordinary file");
}

#[test]
fn folders_within_folders_have_an_end() {
    let folder = Folder::of(&[("deep/a.ics", EVENT)]);
    let deep = format!("deep/{}b.ics", "d/".repeat(80));
    folder.write(&deep, EVENT);
    let (found, _) = folder.walk(&["deep"]);
    assert_eq!(found.len(), 2);
    assert!(
        found[1]
            .1
            .as_ref()
            .unwrap_err()
            .contains("within one another")
    );
}
