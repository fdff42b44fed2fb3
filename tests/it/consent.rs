//! Sign-ins at which a person consents in a browser, through the whole service: real servers issue the codes and tokens, and a stand-in
//! that is held to the provider's own description has the data.
//!
//! ```text
//! world       the service, a provider, and the browser between them
//! granted     what was granted becomes connections: all of it, a part, none; the same account again
//! completed   accounts that cannot be asked at once, and what was to be renewed meanwhile
//! returned    browsers that come back forged, late, twice or from elsewhere
//! renewed     tokens that end, are spent, are lost on the way
//! ended       disconnect, revoke, and the provider's own end
//! rounds      what is read: changes, deletions, limits, a process that is cut off
//! ```

mod completed;
mod ended;
mod granted;
mod renewed;
mod returned;
mod rounds;
mod world;
