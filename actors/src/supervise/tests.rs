//! The guard around a small actor that can be told to crash; also the canary for what the pinned actix does.

mod restarts;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix::{
    Actor, ActorContext as _, AsyncContext as _, Context, Handler, Message, ResponseActFuture,
    Supervised, WrapFuture as _,
};
use actix_rt::Arbiter;

use super::*;
use crate::clock::FrozenClock;

/// What the actor went through, told from outside.
#[derive(Clone, Default)]
struct Diary(Arc<Mutex<Vec<&'static str>>>);

impl Diary {
    fn write(&self, line: &'static str) {
        self.0.lock().unwrap().push(line);
    }

    fn read(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().clone()
    }
}

struct Patient(Diary, Relapses);

/// How often its `restarting` panics: no actor of the house calls a port there.
#[derive(Clone, Default)]
struct Relapses(Arc<AtomicU32>);

impl Relapses {
    fn next(&self) -> bool {
        let one_less = |left: u32| left.checked_sub(1);
        let left = self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
        left.is_ok()
    }
}

#[derive(Message)]
#[rtype(result = "()")]
enum Treatment {
    Note(&'static str),
    Crash,
    CrashOver(String),
    /// Does this first.
    CrashAfter(Box<dyn FnOnce() + Send>),
    Stop,
}

#[derive(Message)]
#[rtype(result = "()")]
struct Forever;

impl Actor for Patient {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.0.write("started");
        let diary = self.0.clone();
        context.wait(async move { diary.write("loaded") }.into_actor(self));
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        self.0.write("stopped");
    }
}

impl Supervised for Patient {
    fn restarting(&mut self, _: &mut Self::Context) {
        self.0.write("restarting");
        assert!(!self.1.next(), "relapsed");
    }
}

impl Handler<Treatment> for Patient {
    type Result = ();

    fn handle(&mut self, message: Treatment, context: &mut Self::Context) {
        match message {
            Treatment::Note(line) => self.0.write(line),
            Treatment::Crash => panic!("crashed"),
            Treatment::CrashOver(data) => panic!("crashed over {data}"),
            Treatment::CrashAfter(act) => {
                act();
                panic!("crashed");
            }
            Treatment::Stop => context.stop(),
        }
    }
}

impl Handler<Forever> for Patient {
    type Result = ResponseActFuture<Self, ()>;

    fn handle(&mut self, _: Forever, _: &mut Self::Context) -> Self::Result {
        Box::pin(std::future::pending().into_actor(self))
    }
}

const PATIENCE: Duration = Duration::from_secs(600);

fn run(test: impl Future<Output = ()>) {
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap()
    };
    let bounded = async { tokio::time::timeout(48 * PATIENCE, test).await };
    let played = actix_rt::System::with_tokio_rt(runtime).block_on(bounded);
    played.unwrap();
}

fn admit(policy: Policy) -> (actix::Addr<Patient>, Diary, Board) {
    admit_with(policy, Relapses::default())
}

fn admit_with(policy: Policy, relapses: Relapses) -> (actix::Addr<Patient>, Diary, Board) {
    let (room, diary, board) = (
        Mailbox::open(),
        Diary::default(),
        Board::new(Arc::new(FrozenClock::at(chrono::DateTime::UNIX_EPOCH))),
    );
    let address = room.address();
    let patient = Patient(diary.clone(), relapses);
    assert!(room.start("patient", policy, &board, &Arbiter::current(), patient));
    (address, diary, board)
}

fn status(board: &Board) -> ActorStatus {
    board.read().pop().unwrap()
}

#[test]
fn messages_wait_through_a_crash_at_the_same_address_and_the_actor_loads_again() {
    run(async {
        let (address, diary, board) = admit(Policy::Permanent);
        address.do_send(Treatment::Note("before"));
        address.do_send(Treatment::Crash);
        address.do_send(Treatment::Note("queued"));
        ask(&address, Treatment::Note("asked"), PATIENCE)
            .await
            .unwrap();
        let life = [
            "started",
            "loaded",
            "before",
            "restarting",
            "started",
            "loaded",
            "queued",
            "asked",
        ];
        assert_eq!(diary.read(), life);
        let status = status(&board);
        assert_eq!((status.state, status.restarts), (ActorState::Running, 1));
        assert_eq!(status.last_error.as_deref(), Some("crashed"));
    });
}

#[test]
fn whoever_waits_for_an_answer_learns_of_the_crash() {
    run(async {
        let (address, _, _) = admit(Policy::Permanent);
        let (crashed, waiting) = futures_util::future::join(
            ask(&address, Treatment::Crash, PATIENCE),
            ask(&address, Forever, PATIENCE),
        )
        .await;
        assert_eq!(crashed, Err(AskError::Lost));
        // Asked after the crash, it waits in the mailbox and then for ever: that is what patience is for.
        assert_eq!(waiting, Err(AskError::Late));
        let (waiting, _) = futures_util::future::join(
            ask(&address, Forever, PATIENCE),
            ask(&address, Treatment::Crash, PATIENCE),
        )
        .await;
        assert_eq!(
            waiting,
            Err(AskError::Lost),
            "work in flight goes with the crash"
        );
    });
}

#[test]
fn a_text_that_may_hold_data_is_not_repeated() {
    run(async {
        let (address, _, board) = admit(Policy::Permanent);
        address.do_send(Treatment::CrashOver("hunter2".to_owned()));
        ask(&address, Treatment::Note("back"), PATIENCE)
            .await
            .unwrap();
        assert!(!format!("{:?}", status(&board)).contains("hunter2"));
    });
}

#[test]
fn a_deliberate_stop_is_the_end_whatever_the_policy() {
    use ActorState::{Running, Stopped};
    for (policy, state) in [
        (Policy::Permanent, Some(Stopped)),
        (Policy::Transient, None),
        (Policy::Temporary, Some(Running)),
    ] {
        run(async {
            let (address, diary, board) = admit(policy);
            ask(&address, Treatment::Stop, PATIENCE).await.unwrap();
            let asked = ask(&address, Treatment::Note("late"), PATIENCE).await;
            assert_eq!(asked, Err(AskError::Lost));
            assert_eq!(diary.read(), ["started", "loaded", "stopped"]);
            assert_eq!(board.state("patient"), state);
        });
    }
}

#[test]
fn a_temporary_actor_is_never_restarted_and_runs_no_more() {
    run(async {
        let (address, diary, board) = admit(Policy::Temporary);
        address.do_send(Treatment::Crash);
        let asked = ask(&address, Treatment::Note("late"), PATIENCE).await;
        assert_eq!(asked, Err(AskError::Lost));
        assert_eq!(diary.read(), ["started", "loaded"]);
        let status = status(&board);
        assert_eq!((status.crashes, status.restarts), (1, 0));
    });
}

#[test]
fn a_transient_actor_that_crashes_too_often_is_parked_for_an_hour() {
    run(async {
        let (address, _, board) = admit(Policy::Transient);
        for _ in 0..5 {
            let crashed = ask(&address, Treatment::Crash, PATIENCE).await;
            assert_eq!(crashed, Err(AskError::Lost));
        }
        // The fifth crash is answered when the parked hour is over, the first moment at which its futures are dropped.
        assert_eq!(status(&board).restarts, 5);
        ask(&address, Treatment::Note("back"), 7 * PATIENCE)
            .await
            .unwrap();
        assert_eq!(status(&board).state, ActorState::Running);
    });
}

#[test]
fn a_parked_actor_is_restarted_by_whoever_asks_for_it() {
    run(async {
        let (address, _, board) = admit(Policy::Transient);
        for _ in 0..5 {
            address.do_send(Treatment::Crash);
        }
        while board.state("patient") != Some(ActorState::Parked) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(board.restart("patient").await, Ok(None));
        let begun = tokio::time::Instant::now();
        ask(&address, Treatment::Note("back"), PATIENCE)
            .await
            .unwrap();
        assert!(begun.elapsed() < PATIENCE);
    });
}

#[test]
fn a_panic_while_restarting_is_a_crash_like_any_other() {
    run(async {
        let relapses = Relapses(Arc::new(AtomicU32::new(2)));
        let (address, diary, board) = admit_with(Policy::Permanent, relapses);
        address.do_send(Treatment::Crash);
        ask(&address, Treatment::Note("back"), PATIENCE)
            .await
            .unwrap();
        let restarts = diary.read();
        let tried = restarts.iter().filter(|line| **line == "restarting");
        assert_eq!(tried.count(), 3);
        assert_eq!(diary.read().last(), Some(&"back"));
        assert_eq!(status(&board).crashes, 3);
    });
}

#[test]
fn one_that_cannot_be_restarted_is_given_up() {
    run(async {
        let relapses = Relapses(Arc::new(AtomicU32::new(u32::MAX)));
        let (address, _, board) = admit_with(Policy::Permanent, relapses);
        address.do_send(Treatment::Crash);
        assert_eq!(board.failed().await, "patient crashed too often (relapsed)");
        let asked = ask(&address, Treatment::Note("late"), PATIENCE).await;
        assert_eq!(asked, Err(AskError::Lost));
        assert_eq!(status(&board).state, ActorState::Failed);
    });
}

#[test]
fn actix_itself_still_drops_an_actor_that_panics() {
    run(async {
        let diary = Diary::default();
        let patient = Patient(diary.clone(), Relapses::default());
        let address = actix::Supervisor::start(move |_| patient);
        address.do_send(Treatment::Crash);
        let asked = ask(&address, Treatment::Note("late"), PATIENCE).await;
        assert_eq!(asked, Err(AskError::Lost));
        assert_eq!(diary.read(), ["started", "loaded", "stopped"]);
    });
}
