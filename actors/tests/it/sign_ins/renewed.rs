//! Credentials that are renewed, revoked or removed.

use futures_util::future::join;
use sextant_actors::ports::TokenRefusal;

use super::{House, ONE, TWO, settle};
use crate::support::{Obtain, problem, run, token, until};

#[test]
fn a_token_of_the_old_credential_is_forgotten() {
    run(async {
        let house = House::build().await;
        house.ask().await.unwrap();
        house.sign_ins().access_token(TWO).await.unwrap();
        house.sign_ins().forget(ONE).await;
        house.ask().await.unwrap();
        house.sign_ins().access_token(TWO).await.unwrap();
        assert_eq!(
            (house.tokens().count(ONE), house.tokens().count(TWO)),
            (2, 1)
        );
    });
}

#[test]
fn what_is_obtained_for_the_old_credential_ends_and_is_told_to_nobody() {
    run(async {
        let (hold, held) = Obtain::hold();
        let (second_hold, second_held) = Obtain::hold();
        let house = House::with([hold, second_hold]).await;
        let before = house.begin_to_ask(None).await;
        house.sign_ins().forget(ONE).await;
        let after = house.begin_to_ask(Some(token(1))).await;
        assert_eq!(house.tokens().count(ONE), 1, "one at a time");
        held.notify_one();
        until(|| house.tokens().ended(ONE) == 1).await;
        settle().await;
        assert!(!before.is_finished() && !after.is_finished());
        house.tokens().change_credential(ONE);
        second_held.notify_one();
        let (before, after) = join(before, after).await;
        assert_eq!(before.unwrap(), Ok(token(2)));
        assert_eq!(after.unwrap(), Ok(token(2)));
        assert_eq!(house.tokens().asked(ONE), [None, None]);
    });
}

#[test]
fn a_verdict_on_the_old_credential_is_told_to_nobody() {
    run(async {
        let ended = TokenRefusal::Ended(problem("credential_refused"));
        let house = House::with([Obtain::Refuse(ended)]).await;
        // The question is taken, and then the change, before anything is obtained.
        let (told, ()) = join(house.ask(), house.sign_ins().forget(ONE)).await;
        assert_eq!(told, Ok(token(1)));
        assert_eq!(house.tokens().count(ONE), 2);
    });
}

#[test]
fn the_actor_ends_with_the_credential_and_the_next_question_starts_another() {
    run(async {
        let house = House::build().await;
        house.sign_ins().forget(ONE).await;
        assert_eq!(house.row(ONE), None, "none is started for it");
        house.ask().await.unwrap();
        settle().await;
        assert!(house.row(ONE).is_some());
        house.sign_ins().forget(ONE).await;
        until(|| house.row(ONE).is_none()).await;
        assert_eq!(house.ask().await, Ok(token(1)));
        settle().await;
        assert!(house.row(ONE).is_some());
        assert_eq!(house.tokens().count(ONE), 2);
    });
}

#[test]
fn a_question_that_follows_the_change_at_once_is_the_only_one_that_obtains() {
    run(async {
        let house = House::build().await;
        house.ask().await.unwrap();
        let (hold, held) = Obtain::hold();
        house.tokens().play(ONE, [hold]);
        let sign_ins = house.sign_ins().clone();
        let both = async move { join(sign_ins.forget(ONE), sign_ins.access_token(ONE)).await };
        let both = tokio::spawn(both);
        settle().await;
        assert_eq!(house.tokens().count(ONE), 2, "nothing is remembered");
        let other = house.begin_to_ask(None).await;
        assert_eq!(house.tokens().count(ONE), 2, "it is the same actor");
        held.notify_one();
        assert_eq!(both.await.unwrap(), ((), Ok(token(1))));
        assert_eq!(other.await.unwrap(), Ok(token(1)));
        settle().await;
        assert!(house.row(ONE).is_some(), "there is a credential after all");
    });
}

#[test]
fn the_actor_of_a_removed_credential_ends_after_what_it_had_begun() {
    run(async {
        let (hold, held) = Obtain::hold();
        let house = House::with([hold]).await;
        let asking = house.begin_to_ask(None).await;
        house.sign_ins().forget(ONE).await;
        asking.abort();
        settle().await;
        assert!(house.row(ONE).is_some());
        held.notify_one();
        until(|| house.row(ONE).is_none()).await;
        assert_eq!(
            (house.tokens().ended(ONE), house.tokens().count(ONE)),
            (1, 1)
        );
    });
}
