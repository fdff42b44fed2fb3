//! Actors of sign-ins that crash, or are restarted because somebody asked for it.

use std::time::Duration;

use futures_util::future::join_all;
use sextant_actors::ports::TokenRefusal;
use sextant_actors::supervise::ActorState;

use super::{House, ONE, TWO};
use crate::support::{Obtain, run, token, until};

#[test]
fn r506_a_panic_costs_those_who_waited_alone() {
    for panic in [Obtain::Panic, Obtain::PanicWhenCalled] {
        run(async {
            let house = House::with([panic]).await;
            house.tokens().play(TWO, [Obtain::Hang]);
            let sign_ins = house.sign_ins().clone();
            let other = tokio::spawn(async move { sign_ins.access_token(TWO).await });
            until(|| house.tokens().count(TWO) == 1).await;
            assert_eq!(house.ask().await, Err(TokenRefusal::Lost));
            assert_eq!(house.ask().await, Ok(token(1)));
            let row = house.row(ONE).unwrap();
            assert_eq!((row.state, row.crashes), (ActorState::Running, 1));
            let row = house.row(TWO).unwrap();
            assert_eq!((row.crashes, row.restarts), (0, 0));
            assert!(!other.is_finished());
        });
    }
}

#[test]
fn r506_all_who_waited_for_what_panicked_are_told() {
    run(async {
        let house = House::with([Obtain::Panic]).await;
        let told = join_all([house.ask(), house.ask(), house.ask()]).await;
        assert_eq!(told, vec![Err(TokenRefusal::Lost); 3]);
        assert_eq!(house.tokens().count(ONE), 1);
    });
}

#[test]
fn r506_what_is_asked_after_a_crash_waits_for_the_restart() {
    run(async {
        let house = House::with([Obtain::Panic]).await;
        let lost = house.begin_to_ask(None).await;
        assert_eq!(house.row(ONE).unwrap().state, ActorState::Restarting);
        assert_eq!(house.ask().await, Ok(token(1)));
        assert_eq!(lost.await.unwrap(), Err(TokenRefusal::Lost));
    });
}

#[test]
fn one_that_crashes_too_often_answers_at_once_that_it_cannot() {
    run(async {
        let house = House::with(vec![Obtain::Panic; 5]).await;
        while house
            .row(ONE)
            .is_none_or(|row| row.state != ActorState::Parked)
        {
            assert_eq!(house.ask().await, Err(TokenRefusal::Lost));
        }
        let begun = tokio::time::Instant::now();
        assert_eq!(house.ask().await, Err(TokenRefusal::Lost));
        assert!(begun.elapsed() < Duration::from_secs(1));
        assert_eq!(house.tokens().count(ONE), 5);
        house.restart().await;
        assert_eq!(house.ask().await, Ok(token(1)));
    });
}

#[test]
fn r506_a_restart_tells_who_waited_and_what_was_begun_goes_on() {
    run(async {
        let (hold, held) = Obtain::hold();
        let house = House::with([hold]).await;
        let asking = house.begin_to_ask(None).await;
        house.restart().await;
        assert_eq!(asking.await.unwrap(), Err(TokenRefusal::Lost));
        let asking = house.begin_to_ask(None).await;
        held.notify_one();
        assert_eq!(asking.await.unwrap(), Ok(token(1)));
        assert_eq!(
            (house.tokens().count(ONE), house.tokens().ended(ONE)),
            (1, 1)
        );
        let row = house.row(ONE).unwrap();
        assert_eq!((row.restarts, row.crashes), (1, 0));
    });
}

#[test]
fn r506_a_restart_forgets_the_token_in_memory() {
    run(async {
        let house = House::build().await;
        house.ask().await.unwrap();
        house.restart().await;
        assert_eq!(house.ask().await, Ok(token(1)));
        assert_eq!(house.tokens().count(ONE), 2);
    });
}
