//! Restarts that somebody asks for.

use futures_util::FutureExt as _;
use futures_util::future::join;
use tokio::task::yield_now;
use tokio::time::Instant;

use super::*;
use crate::limits::PERMANENT_BACKOFF;

/// A patient that has begun to take messages.
async fn begun(policy: Policy) -> (actix::Addr<Patient>, Diary, Board) {
    let (address, diary, board) = admit(policy);
    ask(&address, Treatment::Note("begun"), PATIENCE)
        .await
        .unwrap();
    (address, diary, board)
}

/// Waits until the patient is in this state.
async fn until(board: &Board, state: ActorState) {
    while status(board).state != state {
        yield_now().await;
    }
}

#[test]
fn twenty_in_a_row_are_no_crashes_and_the_crash_after_them_is_the_first() {
    run(async {
        let (address, _, board) = begun(Policy::Permanent).await;
        for _ in 0..20 {
            assert_eq!(board.restart("patient").await, Ok(None));
        }
        let restarted = status(&board);
        assert_eq!(restarted.state, ActorState::Running);
        assert_eq!((restarted.restarts, restarted.crashes), (20, 0));
        assert_eq!(restarted.last_error, None);
        address.do_send(Treatment::Crash);
        until(&board, ActorState::Restarting).await;
        let crashed_at = Instant::now();
        ask(&address, Treatment::Note("back"), PATIENCE)
            .await
            .unwrap();
        assert!(crashed_at.elapsed() < PERMANENT_BACKOFF.after(2));
        let crashed = status(&board);
        assert_eq!((crashed.restarts, crashed.crashes), (21, 1));
    });
}

#[test]
fn the_mailbox_is_kept_and_what_was_under_way_is_dropped() {
    run(async {
        let (address, diary, board) = begun(Policy::Permanent).await;
        let asked = address.clone();
        let waiting = actix_rt::spawn(async move { ask(&asked, Forever, PATIENCE).await });
        ask(&address, Treatment::Note("waiting"), PATIENCE)
            .await
            .unwrap();
        address.do_send(Treatment::Note("queued"));
        assert_eq!(board.restart("patient").await, Ok(None));
        assert_eq!(waiting.await.unwrap(), Err(AskError::Lost));
        ask(&address, Treatment::Note("asked"), PATIENCE)
            .await
            .unwrap();
        let told = diary.read();
        let since = told.iter().position(|line| *line == "restarting").unwrap();
        let life = ["restarting", "started", "loaded", "queued", "asked"];
        assert_eq!(told[since..], life);
        assert_eq!(told[..since], ["started", "loaded", "begun", "waiting"]);
    });
}

#[test]
fn one_that_is_asked_for_already_is_refused() {
    run(async {
        let (_address, diary, board) = begun(Policy::Permanent).await;
        let (first, second) = join(board.restart("patient"), board.restart("patient")).await;
        assert_eq!(first, Ok(None));
        assert_eq!(second, Err(RestartRefusal::AlreadyAsked));
        let told = diary.read();
        let restarts = told.iter().filter(|line| **line == "restarting");
        assert_eq!(restarts.count(), 1);
        assert_eq!(board.restart("patient").await, Ok(None));
    });
}

#[test]
fn whoever_is_not_there_or_not_running_is_refused() {
    use ActorState::{Failed, Restarting, Stopped};
    run(async {
        let (address, _, board) = begun(Policy::Permanent).await;
        assert_eq!(board.restart("nurse").await, Err(RestartRefusal::Unknown));
        for crash in 1..=5 {
            address.do_send(Treatment::Crash);
            let state = if crash < 5 { Restarting } else { Failed };
            until(&board, state).await;
            let refused = Err(RestartRefusal::NotRunning);
            assert_eq!(board.restart("patient").await, refused);
            if crash < 5 {
                until_running(&board).await;
            }
        }
        let (address, _, board) = begun(Policy::Permanent).await;
        address.do_send(Treatment::Stop);
        until(&board, Stopped).await;
        let refused = Err(RestartRefusal::NotRunning);
        assert_eq!(board.restart("patient").await, refused);
        let (_, _, board) = begun(Policy::Temporary).await;
        assert_eq!(
            board.restart("patient").await,
            Err(RestartRefusal::Temporary)
        );
    });
}

/// Waits until the rest after a crash is over.
async fn until_running(board: &Board) {
    while status(board).state != ActorState::Running {
        tokio::time::advance(PERMANENT_BACKOFF.first).await;
        yield_now().await;
    }
}

#[test]
fn one_that_a_crash_overtakes_waits_for_no_rest_and_is_counted_with_the_crash() {
    run(async {
        let (address, diary, board) = begun(Policy::Permanent).await;
        let asked = board.clone();
        let order: Box<dyn FnOnce() + Send> = Box::new(move || {
            assert_eq!(asked.restart("patient").now_or_never(), None);
        });
        let crashed_at = Instant::now();
        address.do_send(Treatment::CrashAfter(order));
        ask(&address, Treatment::Note("back"), PATIENCE)
            .await
            .unwrap();
        assert_eq!(crashed_at.elapsed(), Duration::ZERO);
        assert_eq!(diary.read().last(), Some(&"back"));
        let crashed = status(&board);
        assert_eq!(crashed.state, ActorState::Running);
        assert_eq!((crashed.restarts, crashed.crashes), (1, 1));
    });
}

#[test]
fn a_crash_in_it_is_a_crash_like_any_other() {
    run(async {
        let relapses = Relapses(Arc::new(AtomicU32::new(1)));
        let (address, _, board) = admit_with(Policy::Permanent, relapses);
        ask(&address, Treatment::Note("begun"), PATIENCE)
            .await
            .unwrap();
        assert_eq!(board.restart("patient").await, Err(RestartRefusal::Lost));
        ask(&address, Treatment::Note("back"), PATIENCE)
            .await
            .unwrap();
        let crashed = status(&board);
        assert_eq!((crashed.restarts, crashed.crashes), (1, 1));
    });
}
