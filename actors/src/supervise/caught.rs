//! Work that runs in its caller's future, with its panics caught: they end what the work belongs to, never the caller's thread.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;

use super::guard::quotable;

/// The work panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Panicked;

/// Runs work. A panic of it, also one as it is begun or dropped, is reported to `crash` with what may be quoted of it.
///
/// To go on after a panic is safe: the work is neither polled nor seen again, and `crash` ends what it belongs to.
pub(crate) struct CaughtWork<T, Crash: FnMut(&'static str)> {
    work: Option<BoxFuture<'static, T>>,
    crash: Crash,
}

impl<T, Crash: FnMut(&'static str)> CaughtWork<T, Crash> {
    /// Begins the work, without polling it.
    pub(crate) fn begin(begin: impl FnOnce() -> BoxFuture<'static, T>, mut crash: Crash) -> Self {
        let begun = catch_unwind(AssertUnwindSafe(begin));
        let work = begun.map_err(|panic| crash(quotable(panic))).ok();
        Self { work, crash }
    }

    fn discard(&mut self) {
        let work = self.work.take();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(work))) {
            (self.crash)(quotable(panic));
        }
    }
}

impl<T, Crash: FnMut(&'static str) + Unpin> Future for CaughtWork<T, Crash> {
    type Output = Result<T, Panicked>;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let caught = self.get_mut();
        let Some(work) = &mut caught.work else {
            return Poll::Ready(Err(Panicked));
        };
        match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(task))) {
            Ok(polled) => polled.map(Ok),
            Err(panic) => {
                (caught.crash)(quotable(panic));
                caught.discard();
                Poll::Ready(Err(Panicked))
            }
        }
    }
}

impl<T, Crash: FnMut(&'static str)> Drop for CaughtWork<T, Crash> {
    fn drop(&mut self) {
        self.discard();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use futures_util::FutureExt as _;
    use futures_util::future::{pending, ready};

    use super::*;

    struct PanickingDrop;

    impl Drop for PanickingDrop {
        fn drop(&mut self) {
            assert!(std::thread::panicking(), "a literal");
        }
    }

    /// What running the work once gives, dropped afterwards, and what was reported.
    fn run(
        begin: impl FnOnce() -> BoxFuture<'static, u8>,
    ) -> (Option<Result<u8, Panicked>>, Vec<&'static str>) {
        let reported = RefCell::default();
        let crash = |cause| RefCell::<Vec<_>>::borrow_mut(&reported).push(cause);
        let polled = CaughtWork::begin(begin, crash).now_or_never();
        (polled, reported.into_inner())
    }

    #[test]
    fn work_that_does_not_panic_is_as_without() {
        assert_eq!(run(|| ready(7).boxed()), (Some(Ok(7)), vec![]));
        assert_eq!(run(|| pending().boxed()), (None, vec![]));
    }

    #[test]
    fn a_panic_is_reported_once_wherever_it_comes() {
        let reported = (Some(Err(Panicked)), vec!["a literal"]);
        assert_eq!(run(|| panic!("a literal")), reported);
        assert_eq!(run(|| async { panic!("a literal") }.boxed()), reported);
        let dropped = run(|| {
            let thorn = PanickingDrop;
            async move {
                let _thorn = thorn;
                pending().await
            }
            .boxed()
        });
        assert_eq!(dropped, (None, vec!["a literal"]));
    }

    #[test]
    fn what_a_formatted_panic_says_is_not_repeated() {
        let secret = String::from("secret");
        let (_, reported) = run(|| async move { panic!("{secret}") }.boxed());
        assert!(!reported.concat().contains("secret"), "{reported:?}");
    }
}
