//! The numbers of requirements: each that is cited is listed, and what the list says about tests is true.

use std::collections::BTreeSet;

use super::super::source::{all, assert_none, text_of};
use super::{REQUIREMENTS, Text, texts, words};

/// Whether a word is a requirement's number: `r` and three digits.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('r').unwrap_or_default();
    digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The requirement numbers in a text, those in names of tests too.
fn numbers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = words(text, |letter| !letter.is_ascii_alphanumeric());
    words.filter(|(_, word)| is_number(word))
}

/// An entry of the list of requirements.
struct Requirement {
    number: String,
    is_built: bool,
}

fn requirements(paper: &str) -> Vec<Requirement> {
    let entries = paper.split("\n- <a id=\"").skip(1);
    let entry = |text: &str| {
        let own = text.split("\n\n").next().unwrap_or_default();
        let number = own.split('"').next().filter(|number| is_number(number))?;
        let heads = own.contains(&format!("></a>**{number}** "));
        heads.then(|| Requirement {
            number: number.to_owned(),
            is_built: !own.contains("*Not built yet*"),
        })
    };
    entries.filter_map(entry).collect()
}

fn unknown_numbers(text: &Text, known: &BTreeSet<String>) -> Vec<String> {
    let unknown = numbers(&text.text).filter(|(_, number)| !known.contains(*number));
    unknown
        .map(|(place, number)| text.at(place, &format!("{number} is not in {REQUIREMENTS}")))
        .collect()
}

/// Requirements that are listed as built although no test names them, and those listed as not built although one
/// does.
fn misjudged(requirements: &[Requirement], tested: &BTreeSet<String>) -> Vec<String> {
    let wrong = requirements
        .iter()
        .filter(|one| one.is_built != tested.contains(&one.number));
    wrong
        .map(|one| match one.is_built {
            true => format!(
                "{}: no test bears it, and it is not marked as not built yet",
                one.number
            ),
            false => format!(
                "{}: a test bears it, and it is marked as not built yet",
                one.number
            ),
        })
        .collect()
}

/// The requirement numbers in names of functions, which are tests.
fn tested(texts: &[Text]) -> BTreeSet<String> {
    let names = texts
        .iter()
        .flat_map(|text| text.text.lines())
        .filter_map(|line| {
            let (_, name) = line.trim_start().split_once("fn ")?;
            name.split('(').next().filter(|name| name.starts_with('r'))
        });
    names
        .flat_map(|name| numbers(name).map(|(_, number)| number.to_owned()))
        .collect()
}

fn known(requirements: &[Requirement]) -> BTreeSet<String> {
    let numbers = requirements.iter().map(|one| one.number.clone());
    numbers.collect()
}

#[test]
fn every_number_that_is_cited_is_a_requirement() {
    let requirements = requirements(&text_of(REQUIREMENTS));
    let known = known(&requirements);
    assert_eq!(known.len(), requirements.len(), "a number stands twice");
    assert!(known.len() > 90, "only {} were read", known.len());
    let texts = texts();
    assert_none(
        texts
            .iter()
            .flat_map(|text| unknown_numbers(text, &known))
            .collect(),
    );
}

#[test]
fn what_is_not_built_yet_is_what_no_test_bears() {
    let sources: Vec<Text> = all()
        .iter()
        .map(|source| Text::of(&source.path, &source.text))
        .collect();
    let requirements = requirements(&text_of(REQUIREMENTS));
    assert_none(misjudged(&requirements, &tested(&sources)));
}

#[test]
fn a_number_that_is_no_requirement_is_seen() {
    let (one, other) = (["r0", "01"].concat(), ["r9", "99"].concat());
    let paper = format!("# R\n\n- <a id=\"{one}\"></a>**{one}** Words.\n\n- no entry\n");
    let requirements = requirements(&paper);
    let known = known(&requirements);
    assert_eq!(known, BTreeSet::from([one.clone()]));
    for text in [
        format!("// as {other} says"),
        format!("fn {one}_{other}_x() {{}}"),
        format!("({other};"),
    ] {
        assert_eq!(
            unknown_numbers(&Text::of("src/a.rs", &text), &known).len(),
            1,
            "{text}"
        );
    }
    for text in [format!("// {one}"), "// r12, r1234, pr123".to_owned()] {
        assert_eq!(
            unknown_numbers(&Text::of("src/a.rs", &text), &known),
            Vec::<String>::new()
        );
    }
}

#[test]
fn a_requirement_that_is_misjudged_is_seen() {
    let (one, other) = (["r0", "01"].concat(), ["r9", "99"].concat());
    let entry =
        |number: &str, words: &str| format!("\n- <a id=\"{number}\"></a>**{number}** {words}");
    let paper = entry(&one, "Built.") + &entry(&other, "Words.\n  *Not built yet*.");
    let tests = |text: String| tested(&[Text::of("tests/a.rs", &text)]);
    let requirements = requirements(&paper);
    assert_eq!(
        misjudged(&requirements, &tests(format!("async fn {one}_x() {{}}"))),
        Vec::<String>::new()
    );
    assert_eq!(misjudged(&requirements, &tests(String::new())).len(), 1);
    assert_eq!(
        misjudged(&requirements, &tests(format!("fn {one}_{other}_x() {{}}"))).len(),
        1
    );
}
