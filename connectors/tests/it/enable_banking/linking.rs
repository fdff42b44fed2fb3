//! An application, banks, and a link from its beginning to its end.

use chrono::Duration;
use sextant_connectors::failure::FailureKind;
use sextant_connectors::provider::{AccountHolder, ExchangeError, LinkingApplication};
use sextant_connectors::secret::SourceSecret;

use super::{World, application, consent_end, day};
use crate::support::logged;
use crate::support::stand_ins::enable_banking::keys::keys;
use crate::support::stand_ins::enable_banking::{ListedBank, REDIRECT};

impl World {
    async fn check(&self, application: &LinkingApplication) -> Result<bool, ExchangeError> {
        let checked = self.provider.check_application(application, self.now());
        let checked = checked.await?;
        assert_eq!(checked.redirect_urls, [REDIRECT]);
        assert!(!checked.is_sandbox);
        Ok(checked.is_active)
    }

    async fn refused_field(&self, application: &LinkingApplication) -> String {
        match self.check(application).await {
            Err(ExchangeError::Form(refusal)) => {
                assert!(!refusal.message.contains("word"), "{refusal}");
                refusal.field
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn an_application_is_tried_with_its_key_in_either_form() {
    let Some(world) = World::new("an_application_is_tried").await else {
        return;
    };
    for key in [&keys().private, &keys().older] {
        assert_eq!(world.check(&application(key)).await, Ok(true));
    }
    world.aggregator().is_active = false;
    assert_eq!(world.check(&world.application).await, Ok(false));
    let cut = keys().private.get(..400).unwrap().to_owned();
    for key in [keys().other.as_str(), "word", "", &cut] {
        assert_eq!(world.refused_field(&application(key)).await, "key");
    }
    for id in ["", "a word", "../aspsps"] {
        let application = LinkingApplication {
            id: id.to_owned(),
            ..world.application.clone()
        };
        assert_eq!(world.refused_field(&application).await, "id");
    }
    let shown = format!("{:?}", world.application);
    assert!(!shown.contains("PRIVATE"), "{shown}");
}

#[tokio::test]
async fn the_banks_of_a_country_are_listed_with_what_they_need() {
    let Some(world) = World::new("the_banks_of_a_country").await else {
        return;
    };
    let present = ListedBank {
        needs: vec!["Psu-Ip-Address"],
        ..ListedBank::new("Present Bank", "FI")
    };
    world.aggregator().banks.push(present);
    world
        .aggregator()
        .banks
        .push(ListedBank::new("Other", "SE"));
    let banks = |country| world.provider.banks(&world.application, country, day(0));
    let listed = banks("fi").await.unwrap();
    let names: Vec<_> = listed.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["Bank of Test", "Present Bank"]);
    assert_eq!(listed[0].consent_max, Duration::days(90));
    assert_eq!(
        listed[0].holders,
        [AccountHolder::Person, AccountHolder::Business]
    );
    assert_eq!(listed[0].bic.as_deref(), Some("TESTFIHH"));
    assert_eq!(listed[1].needs, ["Psu-Ip-Address"]);
    for country in ["", "Finland", "F1"] {
        let refused = banks(country).await.unwrap_err();
        assert_eq!(refused.kind, FailureKind::Rejected);
    }
}

#[tokio::test]
async fn r125_a_link_lasts_as_long_as_the_banks_consent() {
    let Some(mut world) = World::new("r125_a_link_lasts").await else {
        return;
    };
    world.aggregator().open("a");
    for (bank_days, ends_at) in [(90, consent_end(0)), (700, day(180))] {
        world.aggregator().banks[0].consent_max = bank_days * 86_400;
        let begun = world.begin(&world.bank().await, REDIRECT).await.unwrap();
        assert_eq!(begun.ends_at, ends_at);
        assert_eq!(begun.url.host_str(), Some("bank.test"));
        world.credential = None;
        world.link(&["a"]).await.unwrap();
        let own = world.credential.as_ref().unwrap();
        assert_eq!(
            (own.account.as_str(), own.ends_at),
            ("Bank of Test", Some(ends_at))
        );
    }
    world.feed().check().await.unwrap();
    let told = world.aggregator().take_asked();
    assert!(!told.iter().any(|path| path.contains("BOOK")), "{told:?}");
}

#[tokio::test]
async fn what_cannot_be_linked_is_told_with_what_to_do() {
    let Some(world) = World::new("what_cannot_be_linked").await else {
        return;
    };
    let bank = world.bank().await;
    let refused = world.begin(&bank, "https://elsewhere.test/").await;
    let refused = refused.unwrap_err();
    assert!(refused.message.contains("redirect address"), "{refused}");
    world.aggregator().banks.clear();
    let gone = world.begin(&bank, REDIRECT).await.unwrap_err();
    assert_eq!(gone.kind, FailureKind::NotFound);
    let used = world.finish(&SourceSecret::new("code"), None).await;
    let used = used.unwrap_err();
    assert!(used.message.contains("used up or too old"), "{used}");
    assert!(used.message.contains("Message of WRONG_AUTHORIZATION_CODE"));
}

#[tokio::test]
async fn a_consent_without_accounts_is_no_link() {
    let Some(mut world) = World::new("a_consent_without_accounts").await else {
        return;
    };
    let refused = world.link(&[]).await.unwrap_err();
    assert!(refused.message.contains("tick accounts"), "{refused}");
}

#[tokio::test]
async fn a_link_is_ended_at_the_bank_once() {
    let Some(world) = World::start("a_link_is_ended").await else {
        return;
    };
    let sealed = &world.credential.as_ref().unwrap().sealed;
    for _ in 0..2 {
        let ended = world.provider.revoke(&world.application, sealed, day(0));
        ended.await.unwrap();
        let status = |own: &crate::support::stand_ins::enable_banking::Consent| own.status;
        let all: Vec<_> = world.aggregator().sessions.values().map(status).collect();
        assert_eq!(all, ["CLOSED"]);
    }
    let refused = world.feed().check().await.unwrap_err();
    assert_eq!(refused.kind, FailureKind::SignInEnded);
}

#[tokio::test]
async fn no_log_at_any_level_holds_a_key_a_token_or_what_a_bank_tells() {
    logged::keep();
    let Some(mut world) = World::start("no_log_of_a_bank").await else {
        return;
    };
    world.sync().await;
    world.application = application(&keys().other);
    world.try_sync(usize::MAX).await.unwrap_err();
    let session = world.aggregator().sessions.keys().next().cloned().unwrap();
    let (own, other) = (&keys().private, &keys().other);
    let lines = [own, other].map(|key| key.lines().nth(3).unwrap());
    logged::assert_unlogged(&lines);
    logged::assert_unlogged(&[
        "Bearer ey",
        "code-0000",
        &session,
        "FI21123456",
        "Payment -1",
    ]);
}
