//! The command that installs PostgreSQL on this system, for an error message.
//!
//! It knows package managers. It decides from the text of `os-release` and must not run anything.

use std::fs;
use std::path::Path;

/// The command for the distribution in `etc/os-release` under `system_root`; general advice if that file is missing or names an
/// unknown one.
///
/// `newer` asks for a release newer than the distribution's default.
pub(super) fn install_command(system_root: &Path, newer: bool) -> String {
    if cfg!(target_os = "macos") {
        return "brew install postgresql@17".into();
    }
    // A system that does not say what it is gets the words for any.
    let release = fs::read_to_string(system_root.join("etc/os-release")).unwrap_or_default();
    command_for(&families(&release), newer).into()
}

/// The values of `ID` and `ID_LIKE`: the distribution, then those it is based on.
fn families(release: &str) -> Vec<String> {
    ["ID=", "ID_LIKE="]
        .iter()
        .filter_map(|key| release.lines().find_map(|line| line.strip_prefix(key)))
        .flat_map(|value| {
            value
                .trim_matches('"')
                .split_whitespace()
                .map(str::to_owned)
        })
        .collect()
}

fn command_for(families: &[String], newer: bool) -> &'static str {
    families.iter().find_map(|family| known(family, newer)).unwrap_or(
        "your system's package manager (PostgreSQL 15 or newer, server programs included), see https://www.postgresql.org/download/",
    )
}

fn known(family: &str, newer: bool) -> Option<&'static str> {
    match (family, newer) {
        ("debian" | "ubuntu", false) => Some("sudo apt-get install -y postgresql"),
        ("debian" | "ubuntu", true) => Some(
            "sudo apt-get install -y postgresql-common && sudo /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
             && sudo apt-get install -y postgresql-17",
        ),
        ("fedora", _) => Some("sudo dnf install -y postgresql-server"),
        ("rhel" | "centos", _) => Some("sudo dnf module install -y postgresql:16/server"),
        ("suse" | "opensuse", _) => Some("sudo zypper install -y postgresql-server"),
        ("alpine", _) => Some("sudo apk add postgresql"),
        ("arch", _) => Some("sudo pacman -S --noconfirm postgresql"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(release: &str) -> &'static str {
        command_for(&families(release), false)
    }

    #[test]
    fn the_hint_names_the_system_s_own_package_manager() {
        assert!(
            hint("NAME=\"Debian GNU/Linux\"\nID=debian\n")
                .contains("apt-get install -y postgresql")
        );
        assert!(hint("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n").contains("apt-get"));
        assert!(
            hint("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n").contains("postgresql:16/server")
        );
        assert!(hint("ID=fedora\n").contains("dnf install -y postgresql-server"));
        assert!(hint("ID=alpine\n").contains("apk add"));
        assert!(hint("ID=arch\n").contains("pacman"));
        assert!(hint("ID=opensuse-leap\nID_LIKE=\"suse opensuse\"\n").contains("zypper"));
        assert!(hint("ID=plan9\n").contains("https://www.postgresql.org/download/"));
    }

    #[test]
    fn a_distribution_with_an_old_default_is_sent_to_the_project_s_repository() {
        assert!(command_for(&families("ID=ubuntu\n"), true).contains("postgresql-17"));
    }
}
