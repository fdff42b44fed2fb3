//! Splits Rust source into code, with comments and literals blanked, and the literals themselves.

/// A string literal and the line on which it begins, counted from 1.
#[derive(Debug, PartialEq)]
pub struct Literal {
    pub line: usize,
    pub text: String,
}

/// The code, with as many lines as the source, and the literals in it.
pub fn scan(text: &str) -> (String, Vec<Literal>) {
    let characters: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut literals = Vec::new();
    let mut place = 0;
    while place < characters.len() {
        let end = end_of_token(&characters, place);
        let token: String = characters[place..end].iter().collect();
        if let Some(content) = content_of(&token) {
            let line = code.matches('\n').count() + 1;
            literals.push(Literal {
                line,
                text: content.to_owned(),
            });
        }
        code.push_str(&blanked(&token));
        place = end;
    }
    (code, literals)
}

/// Replaces comments and literals with spaces and keeps line ends, so that positions stay the same.
fn blanked(token: &str) -> String {
    let is_kept = !token.starts_with("//") && !token.starts_with("/*") && !is_literal(token);
    token
        .chars()
        .map(|each| if is_kept || each == '\n' { each } else { ' ' })
        .collect()
}

fn is_literal(token: &str) -> bool {
    token.len() > 1 && !token.starts_with('/') && token.ends_with(['"', '#', '\''])
}

fn content_of(token: &str) -> Option<&str> {
    let open = token
        .find('"')
        .filter(|_| is_literal(token) && !token.starts_with('\''))?;
    token.get(open + 1..token.rfind('"')?)
}

fn end_of_token(characters: &[char], place: usize) -> usize {
    let at = |offset: usize| characters.get(place + offset).copied().unwrap_or('\0');
    let in_word =
        place > 0 && (characters[place - 1].is_alphanumeric() || characters[place - 1] == '_');
    match (at(0), at(1)) {
        ('/', '/') => find(characters, place, |rest| rest[0] == '\n'),
        ('/', '*') => end_of_block(characters, place),
        ('"', _) => end_of_text(characters, place),
        ('r', '"' | '#') if !in_word || characters[place - 1] == 'b' => {
            end_of_raw(characters, place)
        }
        ('\'', '\\') => find(characters, place + 3, |rest| rest[0] == '\'') + 1,
        ('\'', _) if at(2) == '\'' => place + 3,
        _ => place + 1,
    }
    .min(characters.len())
}

fn find(characters: &[char], from: usize, is_there: impl Fn(&[char]) -> bool) -> usize {
    (from..characters.len())
        .find(|&at| is_there(&characters[at..]))
        .unwrap_or(characters.len())
}

fn end_of_block(characters: &[char], place: usize) -> usize {
    let (mut depth, mut at) = (0, place);
    while at < characters.len() {
        match &characters[at..] {
            ['/', '*', ..] => depth += 1,
            ['*', '/', ..] => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            break;
        }
    }
    at
}

fn end_of_text(characters: &[char], place: usize) -> usize {
    let mut at = place + 1;
    while at < characters.len() && characters[at] != '"' {
        at += if characters[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// `r"…"`, `r#"…"#`; an identifier such as `r#type` is not a literal.
fn end_of_raw(characters: &[char], place: usize) -> usize {
    let hashes = characters[place + 1..]
        .iter()
        .take_while(|each| **each == '#')
        .count();
    if characters.get(place + 1 + hashes) != Some(&'"') {
        return place + 1;
    }
    let closing: Vec<char> = std::iter::once('"')
        .chain(std::iter::repeat_n('#', hashes))
        .collect();
    find(characters, place + hashes + 2, |rest| {
        rest.starts_with(&closing)
    }) + closing.len()
}

#[test]
fn code_and_literals_come_apart() {
    let text = "let a = \"x \\\" y\"; // \"no\"\n/* bb /* c */ */ let c = r#\"z \"q\"\"#;\nlet d: &'a str = f('\"', b'\\'');";
    let (code, literals) = scan(text);
    let texts: Vec<(usize, &str)> = literals
        .iter()
        .map(|each| (each.line, each.text.as_str()))
        .collect();
    assert_eq!(texts, [(1, "x \\\" y"), (2, "z \"q\"")]);
    assert_eq!(code.chars().count(), text.chars().count());
    assert!(code.contains("let c") && code.contains("&'a str"), "{code}");
    for gone in ["no", "bb", "x ", "z "] {
        assert!(!code.contains(gone), "{code} still has {gone}");
    }
}
