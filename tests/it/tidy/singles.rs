//! What is done in one file only (the clock, randomness, the environment), and what is done nowhere.

use super::source::{Source, assert_none, broken, shipped};

/// Words, the one file that may contain them (none: no file), and why.
struct Single {
    words: &'static [&'static str],
    place: Option<&'static str>,
    why: &'static str,
}

const SINGLES: [Single; 8] = [
    Single {
        words: &["Utc::now", "Local::now", "SystemTime::now"],
        place: Some("actors/src/clock.rs"),
        why: "the clock is read in actors/src/clock.rs only",
    },
    Single {
        words: &["getrandom::", "new_v4(", "rand::", "thread_rng"],
        place: Some("actors/src/random.rs"),
        why: "randomness is drawn in actors/src/random.rs only",
    },
    Single {
        words: &["env::var", "env::set_var", "env::remove_var", "option_env!"],
        place: Some("src/config/environment.rs"),
        why: "the environment is read in src/config/environment.rs only",
    },
    Single {
        words: &["constant_time_eq"],
        place: Some(SECRETS),
        why: "secrets are compared in src/http/ingest/secret.rs only",
    },
    Single {
        words: &[
            "SystemService",
            "ArbiterService",
            "SystemRegistry",
            "from_registry(",
        ],
        place: None,
        why: "actors are started by the tree and passed as handles, never found in a registry",
    },
    Single {
        words: &["static mut ", "thread_local!", "lazy_static!", "OnceCell<"],
        place: None,
        why: "there is no global mutable state",
    },
    Single {
        words: &["thread::sleep", "park_timeout"],
        place: None,
        why: "no thread is put to sleep: what waits lets others be served",
    },
    Single {
        words: &["process::exit", "process::abort"],
        place: None,
        why: "only main decides the exit code",
    },
];

/// Where a device's secret is checked.
const SECRETS: &str = "src/http/ingest/secret.rs";
/// Where a presented key or secret is digested, to be looked up or compared there, and where a new one is.
/// The bridge's codes and tokens are digested at their one file, a key that is shown on its page at another.
const DIGESTS: [&str; 5] = [
    "actors/src/domain/key.rs",
    "src/http/agent_key.rs",
    SECRETS,
    "src/bridge/tokens.rs",
    "src/http/bridge/sign_in.rs",
];

/// What is presented is digested where it is read, so that no second place can compare it.
fn digests(source: &Source) -> Vec<String> {
    if DIGESTS.contains(&source.path.as_str()) {
        return Vec::new();
    }
    source.places_of(
        &["Digest::of("],
        "keys and secrets are digested where they are read",
    )
}

/// How often a secret's digest is compared in constant time, and how often as an ordinary value.
fn comparisons(source: &Source) -> [usize; 2] {
    let lines = source
        .code
        .lines()
        .filter(|line| !line.trim_start().starts_with("use "));
    let code: Vec<&str> = lines.collect();
    let count = |words: &[&str]| {
        let hits = |line: &&&str| words.iter().any(|word| line.contains(word));
        code.iter().filter(hits).count()
    };
    let plainly = [
        "as_bytes() ==",
        "as_bytes() !=",
        "digest ==",
        "digest !=",
        "== digest",
        "!= digest",
        "secret ==",
        "secret !=",
        "== secret",
        "!= secret",
        "== expected",
        "!= expected",
        "expected ==",
        "expected !=",
        ".eq(",
        ".ne(",
        ".cmp(",
        "matches!(",
    ];
    [count(&["constant_time_eq_32("]), count(&plainly)]
}

fn rule(source: &Source) -> Vec<String> {
    SINGLES
        .iter()
        .filter(|single| single.place != Some(source.path.as_str()))
        .flat_map(|single| source.places_of(single.words, single.why))
        .collect()
}

/// A `static` whose value can change through a shared reference; a `LazyLock` of a plain value cannot.
fn mutable_statics(source: &Source) -> Vec<String> {
    const CELLS: [&str; 6] = [
        "Mutex<",
        "RwLock<",
        "Atomic",
        "RefCell<",
        "Cell<",
        "OnceLock<",
    ];
    let is_static = |line: &str| {
        let line = line
            .trim_start()
            .trim_start_matches("pub ")
            .trim_start_matches("pub(crate) ");
        line.strip_prefix("static ")
            .and_then(|rest| rest.split('=').next())
            .map(str::to_owned)
    };
    let is_cell = |declared: String| CELLS.iter().any(|cell| declared.contains(cell));
    source
        .code
        .lines()
        .enumerate()
        .filter(|(_, line)| is_static(line).is_some_and(is_cell))
        .map(|(at, _)| format!("{}:{}: a mutable static", source.path, at + 1))
        .collect()
}

#[test]
fn single_things_stand_in_their_single_place() {
    assert_none(broken(&shipped(), rule));
}

#[test]
fn nothing_global_can_change() {
    assert_none(broken(&shipped(), mutable_statics));
}

#[test]
fn r082_a_secret_is_compared_once_and_in_constant_time() {
    let sources = shipped();
    let home = sources.iter().find(|source| source.path == SECRETS);
    assert_eq!(comparisons(home.unwrap()), [1, 0]);
    assert_none(broken(&sources, digests));
}

#[test]
fn another_comparison_of_secrets_is_seen() {
    for (text, expected) in [
        ("fn f() -> bool { constant_time_eq_32(a, b) }", [1, 0]),
        ("fn f() -> bool { presented == expected }", [0, 1]),
        (
            "fn f() -> bool {\n  a.as_bytes() == b.as_bytes()\n}",
            [0, 1],
        ),
        ("use constant_time_eq::constant_time_eq_32;", [0, 0]),
    ] {
        assert_eq!(comparisons(&Source::of(SECRETS, text)), expected, "{text}");
    }
    let elsewhere = "fn f(sent: &str) -> bool { Digest::of(sent) == stored }";
    assert_eq!(
        broken(&[Source::of("src/http/door.rs", elsewhere)], digests).len(),
        1
    );
    assert_eq!(broken(&[Source::of(SECRETS, elsewhere)], digests).len(), 0);
}

#[test]
fn each_single_thing_is_seen_elsewhere_and_allowed_at_home() {
    for single in &SINGLES {
        let text = format!("fn f() {{ let _ = {}x; }}", single.words[0]);
        assert_eq!(
            broken(&[Source::of("src/elsewhere.rs", &text)], rule).len(),
            1,
            "{text}"
        );
        if let Some(home) = single.place {
            assert_eq!(broken(&[Source::of(home, &text)], rule).len(), 0, "{text}");
        }
    }
    let mentioned = Source::of(
        "src/a.rs",
        "/// Never `Utc::now`.\nfn f() { say(\"env::var\") }",
    );
    assert_eq!(broken(&[mentioned], rule), Vec::<String>::new());
}

#[test]
fn a_mutable_static_is_seen() {
    let bad = "pub static A: Mutex<u8> = Mutex::new(0);\nstatic B: AtomicU64 = AtomicU64::new(0);";
    assert_eq!(
        broken(&[Source::of("src/a.rs", bad)], mutable_statics).len(),
        2
    );
    let fine = "static A: LazyLock<Map> = LazyLock::new(Map::new);\nstatic B: &str = \"x\";\nfn f(a: &'static Mutex<u8>) {}";
    assert_eq!(
        broken(&[Source::of("src/a.rs", fine)], mutable_statics).len(),
        0
    );
}
