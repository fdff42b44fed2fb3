//! Numbers with a noun in the singular or plural.

/// `1 row`, `2 rows`.
pub(super) fn counted(number: u64, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one_and_none_are_many() {
        let told = [0, 1, 2].map(|number| counted(number, "agent"));
        assert_eq!(told, ["0 agents", "1 agent", "2 agents"]);
    }
}
