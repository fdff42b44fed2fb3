//! What the Console's page is made of: `static/vendor` as `scripts/vendor-console.sh` wrote it, and all of it without addresses of others.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::source::root;

/// Names of XML's namespaces, which are never asked for.
const NAMESPACES: &str = "http://www.w3.org/";

/// Each file below `folder` with its bytes, but for the list itself.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
            found.insert(name.to_owned(), fs::read(&path).unwrap());
        }
    }
    found.remove("VERSIONS");
    found
}

fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What differs between the files and the list of their digests.
fn changed(list: &str, files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let listed: BTreeMap<&str, &str> = list
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(digest, name)| (name, digest))
        .collect();
    let is_as_listed = |(name, bytes): &(&String, &Vec<u8>)| {
        listed.get(name.as_str()) == Some(&digest(bytes).as_str())
    };
    let other = files.iter().filter(|file| !is_as_listed(file));
    let other = other.map(|(name, _)| format!("{name} is not as it was written"));
    let missing = listed.keys().filter(|name| !files.contains_key(**name));
    let missing = missing.map(|name| format!("{name} is missing"));
    other.chain(missing).collect()
}

/// The addresses in what the page loads as text.
fn addresses(name: &str, text: &str) -> Vec<String> {
    let begin = ["http://", "https://", "//cdn."];
    let at = begin.iter().flat_map(|scheme| text.match_indices(scheme));
    at.filter_map(|(at, _)| text.get(at..))
        .filter(|rest| !rest.starts_with(NAMESPACES))
        .map(|rest| format!("{name}: {}", rest.chars().take(60).collect::<String>()))
        .collect()
}

#[test]
fn what_is_vendored_is_as_the_script_wrote_it() {
    let folder = root().join("static/vendor");
    let list = fs::read_to_string(folder.join("VERSIONS")).unwrap();
    let files = files(&folder);
    assert_eq!(changed(&list, &files), [""; 0]);
}

/// Licences are served too, as texts that nothing loads.
#[test]
fn no_file_that_the_page_loads_has_an_address_of_others() {
    let files = files(&root().join("static"));
    let texts = files.iter().filter(|(name, _)| {
        let endings = [".html", ".js", ".css", ".svg", ".json"];
        endings.iter().any(|end| name.ends_with(end))
    });
    let texts: Vec<_> = texts.collect();
    assert!(texts.len() > 30);
    for (name, bytes) in texts {
        let text = String::from_utf8_lossy(bytes);
        assert_eq!(addresses(name, &text), [""; 0]);
    }
}

#[test]
fn a_changed_a_further_and_a_missing_file_are_told_and_so_is_an_address() {
    let digest = digest(b"one");
    let list = format!("preact 1.0\n\n{digest}  one.js\n{digest}  two.js\n{digest}  three.js\n");
    let files = [("one.js", "one"), ("two.js", "changed"), ("four.js", "one")];
    let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
    let told = changed(&list, &files.into());
    assert_eq!(
        told,
        [
            "four.js is not as it was written",
            "two.js is not as it was written",
            "three.js is missing"
        ]
    );
    let text = r#"xmlns="http://www.w3.org/2000/svg" url(https://fonts.example/a)"#;
    assert_eq!(
        addresses("a.css", text),
        ["a.css: https://fonts.example/a)"]
    );
}
