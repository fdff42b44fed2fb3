//! Mails of several sizes in a maildir: short ones, ones with HTML, ones with an attachment, and a few large ones.

use std::fs::{self, File};
use std::os::unix::fs::chown;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use chrono::{DateTime, TimeDelta, Utc};

use super::seeded::Chance;

const SEED: u64 = 17;
/// All of them lie within the days that are read by default, the newest an hour ago.
const DAYS: u64 = 300;

/// One mail.
struct Mail {
    at: DateTime<Utc>,
    bytes: String,
}

/// Fills the inbox of a maildir, whose folder has its owner already; returns the number of bytes.
pub fn fill(maildir: &Path, count: u64, now: DateTime<Utc>) -> u64 {
    let owner = {
        use std::os::unix::fs::MetadataExt as _;
        let folder = fs::metadata(maildir).unwrap();
        (Some(folder.uid()), Some(folder.gid()))
    };
    for folder in ["cur", "new", "tmp"] {
        let folder = maildir.join(folder);
        fs::create_dir_all(&folder).unwrap();
        chown(&folder, owner.0, owner.1).unwrap();
    }
    let mut bytes = 0;
    for number in 0..count {
        let mail = mail(number, count, now);
        let size = mail.bytes.len();
        let seconds = u64::try_from(mail.at.timestamp()).unwrap();
        let flags = if number % 4 == 0 { "" } else { "S" };
        let name = format!("{seconds}.M{number}P1.bench,S={size},W={size}:2,{flags}");
        let path = maildir.join("cur").join(name);
        fs::write(&path, mail.bytes).unwrap();
        chown(&path, owner.0, owner.1).unwrap();
        let file = File::options().append(true).open(&path).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds))
            .unwrap();
        bytes += u64::try_from(size).unwrap();
    }
    bytes
}

fn mail(number: u64, count: u64, now: DateTime<Utc>) -> Mail {
    let mut chance = Chance::of(SEED + number);
    let back = DAYS * 86_400 * (count - number) / count + 3600;
    let at = now - TimeDelta::seconds(i64::try_from(back).unwrap());
    let head = format!(
        "Return-Path: <{from}@shop{shop}.test>\r\nReceived: from mx.test by imap.me.test with ESMTPS; {date}\r\n\
         DKIM-Signature: v=1; a=rsa-sha256; d=shop.test; b={signature}\
         Message-ID: <{number}.{from}@shop{shop}.test>\r\nFrom: {name} <{from}@shop{shop}.test>\r\n\
         To: op@me.test\r\nDate: {date}\r\nSubject: {subject}\r\nMIME-Version: 1.0\r\n",
        from = chance.word(),
        shop = chance.below(500),
        date = at.to_rfc2822(),
        signature = chance
            .base64(4)
            .replace("\r\n", "\r\n ")
            .trim_end_matches(' '),
        name = chance.word(),
        subject = chance.words(6, " "),
    );
    let body = match chance.below(100) {
        0..40 => plain(&mut chance),
        40..85 => alternative(&mut chance, "b1"),
        85..99 => {
            let lines = 200 + chance.below(3_000);
            attached(&mut chance, lines)
        }
        _ => attached(&mut chance, 20_000),
    };
    Mail {
        at,
        bytes: head + &body,
    }
}

/// About half a kilobyte to four.
fn plain(chance: &mut Chance) -> String {
    let words = 80 + chance.below(600);
    let text = chance.words(words, "\r\n");
    format!("Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n")
}

/// A text, and the same as HTML of ten kilobytes to forty.
fn alternative(chance: &mut Chance, boundary: &str) -> String {
    let words = 60 + chance.below(200);
    let text = chance.words(words, "\r\n");
    let mut html = String::from("<html><head><style>td { padding: 4px; }</style></head><body>");
    for _ in 0..30 + chance.below(90) {
        let (link, words) = (chance.next(), chance.words(20, "\r\n"));
        html += &format!(
            "<table width=\"100%\" cellpadding=\"0\"><tr><td style=\"font-family: sans-serif; color: #333333\">\
             <a href=\"https://shop.test/{link:016x}\">{words}</a></td></tr></table>\r\n"
        );
    }
    format!(
        "Content-Type: multipart/alternative; boundary=\"{boundary}\"\r\n\r\n\
         --{boundary}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n\
         --{boundary}\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}</body></html>\r\n--{boundary}--\r\n"
    )
}

/// The same with a file of so many lines.
fn attached(chance: &mut Chance, lines: u64) -> String {
    let inner = alternative(chance, "b2");
    let file = chance.base64(lines);
    format!(
        "Content-Type: multipart/mixed; boundary=\"b0\"\r\n\r\n--b0\r\n{inner}\r\n--b0\r\n\
         Content-Type: application/pdf; name=\"invoice.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\
         Content-Disposition: attachment; filename=\"invoice.pdf\"\r\n\r\n{file}\r\n--b0--\r\n"
    )
}
