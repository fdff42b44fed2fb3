//! What is done in one place only: the clock, randomness, the environment; and what is done nowhere.

use super::source::{Source, assert_none, broken, shipped};

/// Words, the one file that may have them (none: nobody), and why.
struct Single {
    words: &'static [&'static str],
    place: Option<&'static str>,
    why: &'static str,
}

const SINGLES: [Single; 6] = [
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
        words: &["process::exit", "process::abort"],
        place: None,
        why: "only main decides the exit code",
    },
];

fn rule(source: &Source) -> Vec<String> {
    SINGLES
        .iter()
        .filter(|single| single.place != Some(source.path.as_str()))
        .flat_map(|single| source.places_of(single.words, single.why))
        .collect()
}

/// A `static` whose type can change behind a shared reference; a `LazyLock` of a plain value cannot.
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
