//! Access tokens: one is obtained at a time for all who need it, it is committed whoever waits, and nobody is told what does not hold.

mod refusals;
mod renewed;
mod restarts;

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::{join, join_all};
use sextant_actors::limits::TreeLimits;
use sextant_actors::ports::{AccessToken, TokenRefusal};
use sextant_actors::sign_ins::SignInsHandle;
use sextant_actors::supervise::{ActorState, ActorStatus, Threads};
use sextant_actors::tree::ActorTree;
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::support::{FakeTokens, Obtain, TOKEN_LIFE, World, in_real_time, run, token, until};

const ONE: Uuid = Uuid::from_u128(1);
const TWO: Uuid = Uuid::from_u128(2);

type Answer = Result<AccessToken, TokenRefusal>;

/// A tree, and the port of its sign-ins.
struct House {
    world: World,
    tree: ActorTree,
}

impl House {
    async fn build() -> Self {
        let world = World::new();
        let tree = world.start().await;
        Self { world, tree }
    }

    /// One in which the first sign-in obtains its tokens so.
    async fn with(plays: impl IntoIterator<Item = Obtain>) -> Self {
        let house = Self::build().await;
        house.tokens().play(ONE, plays);
        house
    }

    fn tokens(&self) -> &FakeTokens {
        &self.world.tokens
    }

    fn sign_ins(&self) -> &SignInsHandle {
        self.tree.sign_ins.as_ref().unwrap()
    }

    async fn ask(&self) -> Answer {
        self.sign_ins().access_token(ONE).await
    }

    async fn replace(&self, number: usize) -> Answer {
        self.sign_ins().replace(ONE, token(number)).await
    }

    /// Asks, and goes on meanwhile; returns when the question has been taken.
    async fn begin_to_ask(&self, refused: Option<AccessToken>) -> JoinHandle<Answer> {
        let sign_ins = self.sign_ins().clone();
        let asking = tokio::spawn(async move {
            match refused {
                None => sign_ins.access_token(ONE).await,
                Some(refused) => sign_ins.replace(ONE, refused).await,
            }
        });
        settle().await;
        asking
    }

    fn pass(&self, by: TimeDelta) {
        self.world.clock.time.advance(by);
    }

    fn row(&self, sign_in: Uuid) -> Option<ActorStatus> {
        let name = SignInsHandle::name_of(sign_in);
        let mut rows = self.tree.board.read().into_iter();
        rows.find(|row| row.name == name)
    }

    async fn restart(&self) {
        let id = format!("sign-in-{ONE}");
        assert_eq!(self.tree.board.restart(&id).await, Ok(None));
    }
}

/// Lets everybody do what can be done now.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(50)).await;
}

#[test]
fn those_who_ask_at_one_time_are_given_what_was_obtained_once() {
    run(async {
        let (hold, held) = Obtain::hold();
        let house = House::with([hold]).await;
        let release = async {
            settle().await;
            held.notify_one();
        };
        let asked = join_all((0..20).map(|_| house.ask()));
        let (told, ()) = join(asked, release).await;
        assert_eq!(told, vec![Ok(token(1)); 20]);
        assert_eq!(house.tokens().asked(ONE), [None]);
    });
}

#[test]
fn a_token_is_told_until_it_may_not_be_used_any_more() {
    run(async {
        let house = House::build().await;
        assert_eq!(house.ask().await, Ok(token(1)));
        house.pass(TOKEN_LIFE - TimeDelta::microseconds(1));
        assert_eq!(house.ask().await, Ok(token(1)));
        assert_eq!(house.tokens().count(ONE), 1);
        house.pass(TimeDelta::microseconds(1));
        assert_eq!(house.ask().await, Ok(token(2)));
        assert_eq!(house.ask().await, Ok(token(2)));
        assert_eq!(house.tokens().asked(ONE), [None, None]);
    });
}

#[test]
fn sign_ins_do_not_wait_for_one_another() {
    run(async {
        let house = House::with([Obtain::Hang]).await;
        let asking = house.begin_to_ask(None).await;
        let other = house.sign_ins().access_token(TWO).await;
        assert_eq!(other, Ok(token(1)));
        let refused = house.sign_ins().replace(TWO, token(1)).await;
        assert_eq!(refused, Ok(token(2)));
        house.sign_ins().forget(TWO).await;
        assert!(!asking.is_finished());
        assert_eq!(
            (house.tokens().count(ONE), house.tokens().count(TWO)),
            (1, 2)
        );
    });
}

#[test]
fn what_was_begun_is_committed_though_everybody_has_left() {
    run(async {
        let (hold, held) = Obtain::hold();
        let house = House::with([hold]).await;
        let asking = house.begin_to_ask(None).await;
        asking.abort();
        assert!(asking.await.unwrap_err().is_cancelled());
        settle().await;
        held.notify_one();
        until(|| house.tokens().ended(ONE) == 1).await;
        assert_eq!(house.tokens().renewed(ONE), 1);
        assert_eq!(house.ask().await, Ok(token(1)));
        assert_eq!(house.tokens().count(ONE), 1);
    });
}

#[test]
fn whoever_waits_too_long_is_told_and_what_was_begun_goes_on() {
    run(async {
        let (hold, held) = Obtain::hold();
        let house = House::with([hold]).await;
        let begun = tokio::time::Instant::now();
        assert_eq!(house.ask().await, Err(TokenRefusal::Lost));
        // Longer than a request to a source may take.
        assert!(begun.elapsed() > Duration::from_secs(60));
        assert_eq!(house.ask().await, Err(TokenRefusal::Lost));
        held.notify_one();
        assert_eq!(house.ask().await, Ok(token(1)));
        assert_eq!(house.tokens().count(ONE), 1);
    });
}

#[test]
fn obtaining_that_never_ends_is_given_up_once_nobody_can_hope_for_it() {
    run(async {
        let house = House::with([Obtain::Hang]).await;
        assert_eq!(house.ask().await, Err(TokenRefusal::Lost));
        tokio::time::sleep(Duration::from_secs(12 * 60)).await;
        let asking = house.begin_to_ask(None).await;
        assert_eq!(house.tokens().count(ONE), 1);
        assert_eq!(asking.await.unwrap(), Err(TokenRefusal::Lost));
        assert_eq!(house.ask().await, Ok(token(1)));
        assert_eq!(house.tokens().asked(ONE), [None, None]);
    });
}

#[test]
fn the_board_shows_the_sign_ins_that_were_asked_for() {
    run(async {
        let house = House::build().await;
        assert_eq!(house.row(ONE), None);
        house.ask().await.unwrap();
        let row = house.row(ONE).unwrap();
        assert_eq!((row.state, row.crashes), (ActorState::Running, 0));
        assert_eq!(row.name, format!("sign-in {ONE}"));
        assert_eq!(SignInsHandle::sign_in_of(&row.name), Some(ONE));
        assert_eq!(SignInsHandle::sign_in_of("audit"), None);
        assert_eq!(house.row(TWO), None);
    });
}

#[test]
fn what_is_asked_before_the_tree_starts_waits_for_it() {
    run(async {
        let world = World::new();
        let sign_ins = SignInsHandle::new(Arc::new(world.tokens.clone()));
        sign_ins.forget(ONE).await;
        let asking = tokio::spawn({
            let sign_ins = sign_ins.clone();
            async move { sign_ins.access_token(ONE).await }
        });
        settle().await;
        assert!(!asking.is_finished());
        let limits = TreeLimits::default();
        let tree = world.start_with_sign_ins(sign_ins, Threads::here(), limits);
        let tree = tree.await;
        assert_eq!(asking.await.unwrap(), Ok(token(1)));
        assert_eq!(
            tree.sign_ins.as_ref().unwrap().access_token(ONE).await,
            Ok(token(1))
        );
        assert_eq!(world.tokens.count(ONE), 1);
    });
}

#[test]
fn a_stop_waits_for_what_was_begun_and_nothing_begins_any_more() {
    run(async {
        let (hold, held) = Obtain::hold();
        let house = House::with([hold]).await;
        house.sign_ins().access_token(TWO).await.unwrap();
        let asking = house.begin_to_ask(None).await;
        let release = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            assert_eq!(house.ask().await, Err(TokenRefusal::Lost));
            held.notify_one();
        };
        let begun = tokio::time::Instant::now();
        let stop = async {
            house.tree.halt_connections().await;
            assert!(begun.elapsed() < Duration::from_secs(3));
            house.tokens().ended(ONE)
        };
        let (ended, ()) = join(stop, release).await;
        assert_eq!(ended, 1, "it was waited for");
        assert_eq!(asking.await.unwrap(), Ok(token(1)));
        assert_eq!(
            house.sign_ins().access_token(TWO).await,
            Err(TokenRefusal::Lost)
        );
    });
}

#[test]
fn a_stop_does_not_wait_for_ever() {
    run(async {
        let house = House::with([Obtain::Hang]).await;
        let _asking = house.begin_to_ask(None).await;
        let begun = tokio::time::Instant::now();
        house.tree.halt_connections().await;
        assert!(begun.elapsed() < Duration::from_secs(5));
    });
}

/// On threads of their own, where questions, changes of the credential and those who leave come between one another everywhere.
#[test]
fn no_two_tokens_of_a_sign_in_are_obtained_at_one_time() {
    in_real_time(async {
        let world = World::new();
        let threads = Threads::own().unwrap();
        let tree = world.start_on(threads, TreeLimits::default()).await;
        for turn in 0..400_u128 {
            let sign_in = Uuid::from_u128(turn % 3);
            let asked = (0..6).map(|asker| {
                let sign_ins = tree.sign_ins.clone().unwrap();
                tokio::spawn(async move {
                    match asker {
                        0 | 5 => sign_ins.forget(sign_in).await,
                        1 => drop(sign_ins.replace(sign_in, token(1)).await),
                        _ => drop(sign_ins.access_token(sign_in).await),
                    }
                })
            });
            let asked: Vec<JoinHandle<()>> = asked.collect();
            tokio::task::yield_now().await;
            if let Some(leaving) = asked.get(2 + usize::try_from(turn % 3).unwrap()) {
                leaving.abort();
            }
            join_all(asked).await;
        }
        let crashes = tree.board.read().iter().map(|row| row.crashes).sum::<u64>();
        assert_eq!(crashes, 0, "{:?}", tree.board.read());
    });
}
