use std::process::Command;

use super::file;
use crate::support::golden::assert_kept;

fn help(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sextant"))
        .args(words)
        .arg("--help")
        .env_clear()
        .output()
        .unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that the help of the whole program lists.
fn commands(help: &str) -> Vec<&str> {
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let names = listed.lines().take_while(|line| !line.is_empty());
    names
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect()
}

#[test]
fn the_help_of_the_program_and_of_each_command_is_the_kept_one() {
    let whole = help(&[]);
    assert_kept(&file("help/sextant.txt"), &whole);
    let commands = commands(&whole);
    assert!(commands.len() >= 5, "{commands:?}");
    for command in commands {
        assert_kept(&file(&format!("help/{command}.txt")), &help(&[command]));
    }
}
