use super::*;

#[test]
fn a_push_connection_feeds_its_table_and_what_hangs_on_it() {
    let bank = example();
    let feeds = |target: &str| bank.feeds(catalog::by_target(target).unwrap());
    assert!(feeds("finance.transactions"));
    assert!(feeds("finance.accounts"), "nested as the account");
    assert!(feeds("finance.balances"), "derived");
    assert!(!feeds("finance.holdings"));
    let phone = ConnectedSource {
        sector: "health".into(),
        target: "health.samples".into(),
        ..example()
    };
    assert!(
        phone.feeds(catalog::by_target("health.days").unwrap()),
        "merged"
    );
    let pulled = ConnectedSource {
        provider: "google".into(),
        ..example()
    };
    assert!(pulled.feeds(catalog::by_target("finance.holdings").unwrap()));
}

fn pulled() -> ConnectedSource {
    ConnectedSource {
        provider: "google".into(),
        ..example()
    }
}

#[test]
fn a_pulled_connection_is_stale_after_three_missed_intervals() {
    let read = example().as_of.unwrap();
    let after = |minutes: i64| read + TimeDelta::minutes(minutes);
    assert!(!pulled().is_stale(after(45)) && pulled().is_stale(after(46)));
    let daily = ConnectedSource {
        interval: Some(TimeDelta::days(1)),
        health: "backing_off".into(),
        ..pulled()
    };
    assert!(!daily.is_stale(after(3 * 24 * 60)) && daily.is_stale(after(3 * 24 * 60 + 1)));
    assert!(!example().is_stale(after(1_000_000)), "it has no schedule");
}

#[test]
fn what_is_stopped_or_never_came_is_stale_at_once() {
    let now = example().as_of.unwrap();
    let needs = |health: &str| ConnectedSource {
        health: health.into(),
        ..pulled()
    };
    for health in ["needs_sign_in", "needs_credentials", "consent_expired"] {
        assert!(needs(health).is_stale(now), "{health}");
    }
    let paused = ConnectedSource {
        is_paused: true,
        ..example()
    };
    let silent = ConnectedSource {
        as_of: None,
        ..pulled()
    };
    assert!(paused.is_stale(now) && silent.is_stale(now));
}

#[test]
fn an_end_is_told_of_from_two_weeks_before_it_on() {
    let ends_at = example().as_of.unwrap() + TimeDelta::days(100);
    let ending = ConnectedSource {
        expires_at: Some(ends_at),
        ..pulled()
    };
    let told = |days: i64| ending.ends_at(ends_at - TimeDelta::days(days));
    assert_eq!(
        (told(15), told(14), told(-3)),
        (None, Some(ends_at), Some(ends_at))
    );
    assert_eq!(pulled().ends_at(ends_at), None);
    let shown = ending.to_context_json(ends_at);
    assert_eq!(shown["ends_at"], rfc3339(ends_at));
}
