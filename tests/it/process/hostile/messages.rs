//! Bodies that are no message, several messages, or a huge one.

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use super::Target;
use super::request::{Request, call, list};
use crate::process::memory::{memory_at_most, memory_now};
use crate::support::users::in_scratch;

/// By how much one message may raise the process's memory, whatever it contains: a few times its bytes.
const RISE_KIB_MAX: u64 = 48 * 1024;
/// Huge messages that are sent at one time, and by how much they may raise the memory together.
const TOGETHER: usize = 8;
const RISE_TOGETHER_KIB_MAX: u64 = 160 * 1024;
/// The refused bodies below that leave the row of a call (r043): five huge ones of `query`, and four that only their
/// headers identify.
const CALLS_REFUSED: usize = 9;
/// As long as a body may be, less its envelope.
const FILL_BYTES: usize = 4 * 1024 * 1024 - 1_000;
/// As many values as a message may have, less those of its envelope.
const VALUES: usize = 9_900;

#[test]
fn messages_that_are_none_or_mountains() {
    in_scratch(async |home| {
        let target = Target::in_home(home).await;
        let key = target.good.key.clone().unwrap();
        let log = target.log();
        target.serves_the_good_one().await;
        for (name, body, status, code) in broken().into_iter().chain(huge()) {
            let before = memory_now(target.service.pid());
            let told = target.ask(&Request {
                body,
                ..Request::call(&key, "{}")
            });
            assert_eq!(told.status, status, "{name}: {told:?}");
            told.is_well_formed(name);
            assert_eq!(told.code(), code, "{name}: {told:?}");
            assert!(told.body.len() < 1_000, "{name}");
            let rise = memory_at_most(target.service.pid()).saturating_sub(before);
            assert!(rise <= RISE_KIB_MAX, "{name}: {rise} KiB");
        }
        whole(&target, &key).await;
        together(&target, &key);
        target.serves_the_good_one().await;
        assert_eq!(target.log(), log);
        target.service.stop(Signal::SIGTERM).await;
    });
}

type Case = (&'static str, Vec<u8>, u16, Value);

fn broken() -> Vec<Case> {
    let list = list();
    let not_json = [
        ("nothing", String::new()),
        ("blanks", "   ".to_owned()),
        ("half", list[..list.len() / 2].to_owned()),
        ("two messages", list.repeat(2)),
        ("a mark of byte order", format!("\u{feff}{list}")),
        ("a number that is none", "NaN".to_owned()),
    ];
    let no_message = [
        ("a batch of nothing", "[]".to_owned()),
        ("a batch of one", format!("[{list}]")),
        ("a batch of two", format!("[{list},{list}]")),
        ("nothing in JSON", "null".to_owned()),
        ("an empty object", "{}".to_owned()),
        ("another protocol", list.replace("\"2.0\"", "\"1.0\"")),
        ("no id at all", list.replace("\"id\":7", "\"id\":null")),
        ("two ids", list.replace("\"id\":7", "\"id\":7,\"id\":8")),
        (
            "two methods",
            list.replace("\"id\":7", "\"id\":7,\"method\":\"ping\""),
        ),
        ("an endless id", list.replace("\"id\":7", "\"id\":1e400")),
        (
            "params in a list",
            r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}"#.to_owned(),
        ),
    ];
    let case = |code: i64| {
        move |(name, body): (&'static str, String)| (name, body.into_bytes(), 400, json!(code))
    };
    let mut cases: Vec<Case> = not_json.into_iter().map(case(-32700)).collect();
    cases.extend(no_message.into_iter().map(case(-32600)));
    let mut spoiled = list.into_bytes();
    spoiled[3] = 0xff;
    cases.push(("bytes that are no text", spoiled, 400, json!(-32700)));
    cases
}

/// Each would take some hundred megabytes if it were built in memory.
fn huge() -> Vec<Case> {
    let filled = |part: &str| part.repeat(FILL_BYTES / part.len());
    let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    [
        (
            "zeros",
            call(&format!(r#"{{"where":[{}0]}}"#, filled("0,"))),
        ),
        (
            "empty objects",
            call(&format!(r#"{{"where":[{}0]}}"#, filled("{},"))),
        ),
        (
            "small objects",
            call(&format!(r#"{{"where":[{}0]}}"#, filled(r#"{"":0},"#))),
        ),
        (
            "zeros beside the params",
            list().replacen('{', &format!(r#"{{"x":[{}0],"#, filled("0,")), 1),
        ),
        (
            "zeros in _meta",
            list().replace(
                r#""_meta":{"#,
                &format!(r#""_meta":{{"x":[{}0],"#, filled("0,")),
            ),
        ),
        (
            "values beyond the bound",
            call(&format!(r#"{{"where":[{}0]}}"#, "0,".repeat(10_000))),
        ),
        ("levels without end", "[".repeat(FILL_BYTES)),
        ("levels that end", deep(100_000)),
        (
            "levels of arguments",
            call(&format!(r#"{{"where":{}}}"#, deep(100))),
        ),
        ("levels of names", call(&r#"{"a":"#.repeat(100_000))),
    ]
    .map(|(name, body)| (name, body.into_bytes(), 400, json!(-32600)))
    .into()
}

/// A message just within the limits is read, answered and recorded once.
async fn whole(target: &Target, key: &str) {
    let deep = format!("{}1{}", "[".repeat(50), "]".repeat(50));
    let many = format!(
        r#"{{"target":"finance.accounts","where":[{}0]}}"#,
        "0,".repeat(VALUES)
    );
    let long = format!(
        r#"{{"target":"finance.accounts","search":"{}"}}"#,
        "x".repeat(FILL_BYTES)
    );
    let before = memory_now(target.service.pid());
    for arguments in [many, long, format!(r#"{{"where":{deep}}}"#)] {
        let told = target.ask(&Request::call(key, &arguments));
        assert_eq!(told.status, 200, "{told:?}");
    }
    let rise = memory_at_most(target.service.pid()).saturating_sub(before);
    assert!(rise <= RISE_KIB_MAX, "{rise} KiB");
    let rows = target.rows("query", 3 + CALLS_REFUSED).await;
    assert_eq!(rows.len(), 3 + CALLS_REFUSED, "what was no JSON is no call");
    assert_eq!(rows[1]["args"], "[truncated]");
    assert_eq!(rows[2]["args"], "[truncated]");
    for row in &rows[3..] {
        let told = json!([row["outcome"], row["args"], row["sector"]]);
        assert_eq!(told, json!(["error", {}, null]));
    }
}

/// Each of them alone would be harmless.
fn together(target: &Target, key: &str) {
    let before = memory_now(target.service.pid());
    let zeros = format!(r#"{{"where":[{}0]}}"#, "0,".repeat(FILL_BYTES / 2));
    let request = Request::call(key, &zeros).bytes();
    let sent: Vec<_> = (0..TOGETHER)
        .map(|_| {
            let (mut raw, request) = (target.connect(), request.clone());
            std::thread::spawn(move || raw.send(request).rest())
        })
        .collect();
    for answer in sent {
        let told = super::Told::read(&answer.join().unwrap());
        assert!([400, 503].contains(&told.status), "{told:?}");
    }
    let rise = memory_at_most(target.service.pid()).saturating_sub(before);
    assert!(rise <= RISE_TOGETHER_KIB_MAX, "{rise} KiB");
}
