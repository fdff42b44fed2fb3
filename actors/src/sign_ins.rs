//! Sign-ins: one consent of a person each, whose connections need access tokens. One supervised actor a sign-in has them renewed.
//!
//! A token that renews may be taken once only, so that two renewals at one time, or one that is done by half, cost the consent. Hence
//! one actor asks for a token ([`crate::ports::SignInTokens`]), once at a time; whoever needs one meanwhile waits for the same. What has
//! begun depends on nobody who waits, and on no restart of the actor (`obtaining`). What came of it is kept in memory (`memory`) until
//! it may not be used any more, a source does not take it, or the credential is another.
//!
//! # When it is opened
//! The rounds need the handle, and the tree is started with the rounds. So the handle is made before the tree, from the port alone, and
//! is given to [`crate::tree::TreePorts`]; the tree gives it a clock, the board and threads before it starts any actor. What is asked
//! before that waits for it.
//!
//! # How long an actor lives
//! From the first question (`roll`) until its credential is renewed, revoked or removed, or there turns out to be none; the question
//! after that starts another, once the first has nothing under way any more.

mod actor;
mod asker;
mod handle;
mod memory;
mod messages;
mod obtaining;
mod roll;

pub use handle::SignInsHandle;
