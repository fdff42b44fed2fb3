//! The modules of a crate that are files, and which of them each one uses, read off the paths in their code.

use std::collections::{BTreeMap, BTreeSet};

use super::super::layers::paths::words;
use super::super::source::Source;
use super::Uses;

/// The most re-exports from a name to its definition.
const HANDS_MAX: usize = 8;

/// A path or the name of a module, segment by segment.
type Path<'a> = Vec<&'a str>;

/// A path as the code has it.
struct Named<'a> {
    path: Path<'a>,
    /// The name that it gets in a `use`.
    name: Option<&'a str>,
    /// Whether others can take that name from here.
    is_exported: bool,
}

struct Module<'a> {
    file: &'a str,
    named: Vec<Named<'a>>,
}

/// The modules of a crate by their paths; its root has an empty one.
pub struct Crate<'a>(BTreeMap<Path<'a>, Module<'a>>);

impl<'a> Crate<'a> {
    /// The modules of those sources that lie in `folder`.
    pub fn of(folder: &str, sources: &'a [Source]) -> Self {
        let inside = sources.iter().filter_map(|source| {
            let name = source.path.strip_prefix(folder)?.strip_suffix(".rs")?;
            let path = match name {
                "lib" => Vec::new(),
                name => name.split('/').collect(),
            };
            let words: Path = words(&source.code)
                .into_iter()
                .map(|(_, word)| word)
                .collect();
            let named = named(&words);
            let file = source.path.as_str();
            Some((path, Module { file, named }))
        });
        Self(inside.collect())
    }

    /// Which files each file uses.
    pub fn uses(&self) -> Uses<'a> {
        let each = self.0.iter().map(|(own, module)| {
            let paths = module.named.iter();
            let used = paths.filter_map(|named| {
                let used = self.defining(own, &named.path, HANDS_MAX)?;
                let is_handed_on = named.is_exported && used.starts_with(own);
                (used != *own && !is_handed_on).then(|| self.0[&used].file)
            });
            (module.file, used.collect::<BTreeSet<_>>())
        });
        each.collect()
    }

    /// The module that defines what a path in `own` names; none for a module itself, and for what is no part of the crate.
    fn defining(&self, own: &[&'a str], path: &[&'a str], hands: usize) -> Option<Path<'a>> {
        let (mut module, rest) = self.start(own, path, hands)?;
        let inner = rest.iter().take_while(|segment| {
            module.push(**segment);
            self.0.contains_key(&module)
        });
        let depth = inner.count();
        module.truncate(module.len() - usize::from(depth < rest.len()));
        let item = rest.get(depth).filter(|item| **item != "self")?;
        match self.import(&module, item).filter(|_| hands > 0) {
            Some(import) => self.defining(&module, import, hands - 1),
            None => Some(module),
        }
    }

    /// The module in which a path begins, and what of it is left.
    fn start<'p>(
        &self,
        own: &[&'a str],
        path: &'p [&'a str],
        hands: usize,
    ) -> Option<(Path<'a>, &'p [&'a str])> {
        let rest = &path[1..];
        match path[0] {
            "crate" => Some((Vec::new(), rest)),
            "self" => Some((own.to_vec(), rest)),
            "super" => {
                let steps = path.iter().take_while(|segment| **segment == "super");
                let steps = steps.count();
                let above = own.get(..own.len().checked_sub(steps)?)?;
                Some((above.to_vec(), &path[steps..]))
            }
            child if self.0.contains_key(&[own, &[child]].concat()) => Some((own.to_vec(), path)),
            name => {
                let import = self.import(own, name).filter(|_| hands > 0)?;
                Some((self.module(own, import, hands - 1)?, rest))
            }
        }
    }

    /// The module that a path in `own` names, if it names one.
    fn module(&self, own: &[&'a str], path: &[&'a str], hands: usize) -> Option<Path<'a>> {
        let (mut module, rest) = self.start(own, path, hands)?;
        module.extend(rest.iter().filter(|segment| **segment != "self"));
        self.0.contains_key(&module).then_some(module)
    }

    /// The path by which a module has a name from elsewhere.
    fn import(&self, module: &[&'a str], name: &str) -> Option<&[&'a str]> {
        let named = self.0.get(module)?.named.iter();
        let mut imports = named.filter(|named| named.name == Some(name));
        imports.next().map(|named| named.path.as_slice())
    }
}

/// Every path of two segments or more in some code.
fn named<'a>(words: &[&'a str]) -> Vec<Named<'a>> {
    let mut named = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| words[at]);
        let begins = words.get(at + 1) == Some(&"::") && before(1) != "::" && is_name(words[at]);
        if !begins {
            at += 1;
            continue;
        }
        let is_use = before(1) == "use";
        let is_exported = is_use && ["pub", ")"].contains(&before(2));
        let mut branches = Vec::new();
        at = read_branches(words, at, &[], &mut branches);
        named.extend(branches.into_iter().map(|(path, alias)| Named {
            name: is_use.then(|| alias.unwrap_or_else(|| own_name(&path))),
            path,
            is_exported,
        }));
    }
    named
}

/// What a path is called where it is imported.
fn own_name<'a>(path: &[&'a str]) -> &'a str {
    let mut names = path.iter().rev().filter(|segment| **segment != "self");
    names.next().copied().unwrap_or_default()
}

/// Reads the path, or the tree of paths in braces, that begins at `at`, each with its `as`; returns the place behind it.
fn read_branches<'a>(
    words: &[&'a str],
    at: usize,
    before: &[&'a str],
    branches: &mut Vec<(Path<'a>, Option<&'a str>)>,
) -> usize {
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    if word(at) == "{" {
        let mut at = at + 1;
        while !["}", ""].contains(&word(at)) {
            at = match word(at) {
                "," => at + 1,
                _ => read_branches(words, at, before, branches),
            };
        }
        return at + 1;
    }
    let path = [before, &[word(at)]].concat();
    let goes_on = is_name(word(at + 2)) || ["{", "*"].contains(&word(at + 2));
    if word(at + 1) == "::" && goes_on {
        return read_branches(words, at + 2, &path, branches);
    }
    let alias = (word(at + 1) == "as").then(|| word(at + 2));
    branches.push((path, alias));
    at + if alias.is_some() { 3 } else { 1 }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}
