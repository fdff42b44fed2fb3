//! The documents exist, and so do the commands, files and routes that they name.

use std::process::Command;

use super::citations::papers;
use super::source::{assert_none, root, shipped, text_of};

const PAPERS: [&str; 11] = [
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "docs/asking.md",
    "docs/decisions.md",
    "docs/operating.md",
    "docs/pushing.md",
    "docs/requirements.md",
    "docs/security.md",
];

/// The README is one page.
const README_LINES_MAX: usize = 110;

/// Ways of publishing a private service that the documents must not name (r107).
const NOT_DOCUMENTED: [&str; 5] = ["cloudflare", "ngrok", "content-delivery", "cdn", "fastly"];

/// The words after `start` in the shell blocks, up to the first that is not a plain word.
fn commands(text: &str, start: &str) -> Vec<String> {
    let blocks = text.split("```").skip(1).step_by(2);
    let lines = blocks.flat_map(str::lines).map(str::trim);
    lines
        .filter_map(|line| line.split_once(start))
        .map(|(_, rest)| first_word(rest).to_owned())
        .collect()
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The files of the project to which links lead. Sections are checked in `citations`.
fn links(text: &str) -> Vec<&str> {
    let targets = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    targets
        .filter(|target| !target.contains("://") && !target.starts_with('#'))
        .filter_map(|target| target.split('#').next())
        .collect()
}

fn make_targets() -> Vec<String> {
    let makefile = text_of("Makefile");
    let targets = makefile.lines().filter_map(|line| line.strip_suffix(':'));
    targets
        .filter(|name| !name.contains([' ', '\t', '.']))
        .map(str::to_owned)
        .collect()
}

/// Paths of the project named in backquotes in the map: `src/…`, `actors/…`, `sql/…`, `tests/…`.
fn named_paths(text: &str) -> Vec<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let is_path = |word: &&str| {
        let folders = [
            "src/", "actors/", "formats/", "sql/", "tests/", "scripts/", "benches/",
        ];
        folders.iter().any(|folder| word.starts_with(folder))
            && !word.contains(['<', '*', ' ', '{', '\n'])
    };
    quoted.filter(is_path).collect()
}

/// The routes that a document names, from `/api` on: `/api/agents`, `/api/read/<tool>`.
fn named_routes(text: &str) -> Vec<&str> {
    let ends = |letter: char| letter.is_whitespace() || "`'()|,;?\"".contains(letter);
    let words = text.split(ends).filter_map(|word| {
        let (before, _) = word.split_once("/api")?;
        let is_here = before.is_empty() || before.starts_with("http://127.0.0.1:8787");
        is_here.then(|| word[before.len()..].trim_end_matches(['.', ':', '/']))
    });
    words.collect()
}

/// Whether this is a route, or the common prefix of several. A segment in `<>` or `{}`, or `*`, matches any segment.
fn is_served(named: &str, routes: &[String]) -> bool {
    let is_any = |part: &str| part.starts_with(['<', '{']) || part == "*";
    let is_alike = |(own, of): (&str, &str)| own == of || is_any(own) || is_any(of);
    routes.iter().any(|route| {
        let is_long_enough = named.split('/').count() <= route.split('/').count();
        is_long_enough && named.split('/').zip(route.split('/')).all(is_alike)
    })
}

/// The routes in the tables beside the handlers.
fn routes() -> Vec<String> {
    let literals = shipped().into_iter().flat_map(|source| source.literals);
    let routes = literals.filter(|literal| literal.text.starts_with("/api/"));
    routes.map(|literal| literal.text).collect()
}

#[test]
fn every_route_that_the_papers_name_is_served() {
    let routes = routes();
    assert!(routes.len() > 30, "only {} were found", routes.len());
    for paper in papers() {
        let text = text_of(&paper);
        let named = named_routes(&text).into_iter();
        assert_none(
            named
                .filter(|named| !is_served(named, &routes))
                .map(|named| format!("{paper}: {named} is no route"))
                .collect(),
        );
    }
}

#[test]
fn a_route_that_is_not_served_is_seen() {
    let text = "`GET /api/a?b=c`, http://127.0.0.1:8787/api/a/<id>/c. and src/api/x";
    assert_eq!(named_routes(text), ["/api/a", "/api/a/<id>/c"]);
    let routes = ["/api/a/{id}/c".to_owned(), "/api/b".to_owned()];
    for (named, is) in [
        ("/api", true),
        ("/api/a", true),
        ("/api/a/<id>/c", true),
        ("/api/*", true),
        ("/api/a/<id>/d", false),
        ("/api/b/c", false),
        ("/api/c", false),
    ] {
        assert_eq!(is_served(named, &routes), is, "{named}");
    }
}

#[test]
fn the_papers_are_there() {
    for paper in PAPERS {
        assert!(text_of(paper).len() > 400, "{paper} is hardly a paper");
    }
}

#[test]
fn what_the_readme_tells_to_type_exists() {
    let readme = text_of("README.md");
    let targets = make_targets();
    let told = commands(&readme, "make ");
    assert!(
        told.contains(&"run".into()) && told.contains(&"test".into()),
        "{told:?}"
    );
    assert_none(
        told.into_iter()
            .filter(|target| !targets.contains(target))
            .collect(),
    );
    for subcommand in commands(&readme, "release/sextant ") {
        let answer = Command::new(env!("CARGO_BIN_EXE_sextant"))
            .args([&subcommand, "--help"])
            .output()
            .unwrap();
        assert!(
            answer.status.success(),
            "sextant {subcommand} is no command"
        );
    }
}

#[test]
fn what_the_papers_point_to_exists() {
    for paper in papers() {
        let text = text_of(&paper);
        let path = root().join(&paper);
        let folder = path.parent().unwrap();
        let linked = links(&text).into_iter().map(|target| (folder, target));
        let named = named_paths(&text).into_iter().map(|path| (root(), path));
        let absent = linked
            .chain(named)
            .filter(|(from, target)| !from.join(target).exists());
        assert_none(
            absent
                .map(|(_, target)| format!("{paper}: {target} is not there"))
                .collect(),
        );
    }
}

#[test]
fn the_readme_is_one_page_and_leads_to_every_paper() {
    let readme = text_of("README.md");
    assert!(readme.lines().count() <= README_LINES_MAX);
    let links = links(&readme);
    let unlinked = papers().into_iter().chain(PAPERS.map(str::to_owned));
    assert_none(
        unlinked
            .filter(|paper| paper != "README.md" && !links.contains(&paper.as_str()))
            .map(|paper| format!("README.md does not lead to {paper}"))
            .collect(),
    );
}

#[test]
fn r107_a_private_network_is_the_only_documented_way_in() {
    for paper in ["README.md", "docs/security.md"] {
        assert!(
            text_of(paper).contains("private-network overlay"),
            "{paper}"
        );
    }
    for paper in papers() {
        let text = text_of(&paper).to_lowercase();
        for name in NOT_DOCUMENTED {
            assert!(!text.contains(name), "{paper}: {name}");
        }
    }
}

#[test]
fn the_change_log_knows_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    assert!(text_of("CHANGELOG.md").contains(&format!("## {version}")));
}

#[test]
fn the_readers_of_papers_see_what_is_there() {
    let text = "run `src/a.rs` and `actors/b/<c>`\n```sh\nmake fly\n$ ./target/release/sextant push x\n```\n[a](b.md#g) [c](https://d) [e](#f) make tea";
    assert_eq!(commands(text, "make "), ["fly"]);
    assert_eq!(commands(text, "release/sextant "), ["push"]);
    assert_eq!(links(text), ["b.md"]);
    assert_eq!(
        named_paths("run `src/a.rs` and `actors/b/<c>` in `sh`"),
        ["src/a.rs"]
    );
}
