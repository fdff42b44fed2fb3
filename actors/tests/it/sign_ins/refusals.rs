//! Tokens that a source does not take, and sources that issue none.

use chrono::TimeDelta;
use futures_util::future::{join, join_all, join3};
use sextant_actors::ports::TokenRefusal;

use super::{House, ONE, settle};
use crate::support::{Obtain, noon, problem, run, token, until};

#[test]
fn a_token_that_two_connections_cannot_use_is_renewed_once() {
    run(async {
        let house = House::build().await;
        assert_eq!(house.ask().await, Ok(token(1)));
        let told = join_all([house.replace(1), house.replace(1)]).await;
        assert_eq!(told, [Ok(token(2)), Ok(token(2))]);
        assert_eq!(house.replace(1).await, Ok(token(2)), "it came later");
        assert_eq!(house.ask().await, Ok(token(2)));
        assert_eq!(house.tokens().asked(ONE), [None, Some(token(1))]);
    });
}

#[test]
fn nobody_is_given_the_very_token_that_its_source_did_not_take() {
    run(async {
        let house = House::build().await;
        house.ask().await.unwrap();
        house.restart().await;
        let (hold, held) = Obtain::hold();
        house.tokens().play(ONE, [hold]);
        let asking = house.begin_to_ask(None).await;
        let replacing = house.begin_to_ask(Some(token(1))).await;
        held.notify_one();
        let (asked, replaced) = join(asking, replacing).await;
        // The kept one, which was obtained before it was known that a source does not take it.
        assert_eq!(asked.unwrap(), Ok(token(1)));
        assert_eq!(replaced.unwrap(), Ok(token(2)));
        let asked = [None, None, Some(token(1))];
        assert_eq!(house.tokens().asked(ONE), asked);
    });
}

#[test]
fn a_token_that_was_not_taken_is_told_to_nobody_until_there_is_another() {
    run(async {
        let house = House::build().await;
        house.ask().await.unwrap();
        let plays = [Obtain::Refuse(TokenRefusal::StoreAway), Obtain::Panic];
        house.tokens().play(ONE, plays);
        assert_eq!(house.replace(1).await, Err(TokenRefusal::StoreAway));
        assert_eq!(house.ask().await, Err(TokenRefusal::Lost));
        assert_eq!(house.ask().await, Ok(token(2)));
        let refused = || Some(token(1));
        let asked = [None, refused(), refused(), refused()];
        assert_eq!(house.tokens().asked(ONE), asked);
    });
}

#[test]
fn the_same_token_again_is_no_answer() {
    run(async {
        let house = House::with([]).await;
        house.ask().await.unwrap();
        house.tokens().play(ONE, [Obtain::Repeat]);
        assert_eq!(house.replace(1).await, Err(TokenRefusal::Lost));
        assert_eq!(house.ask().await, Ok(token(2)));
        assert_eq!(house.tokens().count(ONE), 3);
    });
}

#[test]
fn a_refusal_is_told_to_all_who_wait_and_then_asked_for_again() {
    let refusals = [
        TokenRefusal::Ended(problem("credential_refused")),
        TokenRefusal::Missing(problem("credential_missing")),
        TokenRefusal::Later {
            problem: problem("unavailable"),
            retry_at: None,
        },
        TokenRefusal::StoreAway,
    ];
    for refusal in refusals {
        run(async {
            let house = House::with([Obtain::Refuse(refusal.clone())]).await;
            let (one, two, three) = join3(house.ask(), house.replace(7), house.ask()).await;
            assert_eq!([one, two, three], [(); 3].map(|()| Err(refusal.clone())));
            assert_eq!(house.tokens().count(ONE), 1);
            assert_eq!(house.ask().await, Ok(token(1)), "{refusal:?}");
            assert_eq!(house.tokens().count(ONE), 2);
        });
    }
}

#[test]
fn a_source_that_wants_a_rest_is_not_asked_before_whoever_asks() {
    run(async {
        let later = |hours| TokenRefusal::Later {
            problem: problem("rate_limited"),
            retry_at: Some(noon() + TimeDelta::hours(hours)),
        };
        let plays = [later(2), later(3)].map(Obtain::Refuse);
        let house = House::with(plays).await;
        assert_eq!(house.ask().await, Err(later(2)));
        house.restart().await;
        house.pass(TimeDelta::hours(2) - TimeDelta::microseconds(1));
        let told = join(house.ask(), house.replace(1)).await;
        assert_eq!(told, (Err(later(2)), Err(later(2))));
        assert_eq!(house.tokens().count(ONE), 1);
        house.pass(TimeDelta::microseconds(1));
        assert_eq!(house.ask().await, Err(later(3)));
        // Of another credential that is not known.
        house.sign_ins().forget(ONE).await;
        assert_eq!(house.ask().await, Ok(token(1)));
        assert_eq!(house.tokens().count(ONE), 3);
    });
}

#[test]
fn a_sign_in_without_a_credential_has_no_actor() {
    run(async {
        let missing = TokenRefusal::Missing(problem("credential_missing"));
        let house = House::with([Obtain::Refuse(missing.clone())]).await;
        assert_eq!(house.ask().await, Err(missing));
        until(|| house.row(ONE).is_none()).await;
        let ended = TokenRefusal::Ended(problem("credential_refused"));
        house.tokens().play(ONE, [Obtain::Refuse(ended.clone())]);
        assert_eq!(house.ask().await, Err(ended));
        settle().await;
        assert!(house.row(ONE).is_some(), "its credential is there");
    });
}
