//! The actor tree: what is started in which order, and how it is stopped.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;

use actix::{Actor, Context, Supervised};
use futures_util::future::select;

use crate::audit::{AuditBatcher, AuditHandle};
use crate::clock::Clock;
use crate::connections::{
    ConnectionsActor, ConnectionsHandle, PublishedConnections, SourceReaders,
};
use crate::grants::{GrantsActor, GrantsHandle};
use crate::issued_tokens::TokenSnapshot;
use crate::journal::CloseOnDrop;
use crate::limits::TreeLimits;
use crate::ports::{
    AuditStore, ConnectionStore, Draw, GrantStore, JournalDisk, Outlets, Rounds, ToolCalls,
};
use crate::published_grants::PublishedGrants;
use crate::sessions::{PublishedSessions, SessionRegistry, SessionServices, SessionsHandle};
use crate::sign_ins::SignInsHandle;
use crate::supervise::{Board, Mailbox, Policy, RestartToll, Threads};
use crate::sync::SyncServices;

/// The implementations of the ports that the actors run on.
pub struct TreePorts {
    /// Where the audit log is written.
    pub audit: Arc<dyn AuditStore>,
    /// Where grants are kept.
    pub grants: Arc<dyn GrantStore>,
    /// Where connections are kept.
    pub connections: Arc<dyn ConnectionStore>,
    /// The connections over which answers leave.
    pub outlets: Arc<dyn Outlets>,
    /// The journal's folder; `None` if none could be had: then rows wait in memory alone.
    pub journal: Option<Arc<dyn JournalDisk>>,
    /// The rounds of the connections that are read from their sources.
    pub rounds: Arc<dyn Rounds>,
    /// The sign-ins whose tokens are renewed, if the service has such; made before the tree because rounds need them. They are the
    /// tree's from then on, and of no other tree.
    pub sign_ins: Option<SignInsHandle>,
    /// What spreads those rounds.
    pub draw: Draw,
    /// What tells the time.
    pub clock: Arc<dyn Clock>,
}

/// The running actors. Dropping it ends the threads they run on; what must happen before that, the methods do.
pub struct ActorTree {
    /// The handle of the audit log.
    pub audit: AuditHandle,
    /// The handle of the grants.
    pub grants: GrantsHandle,
    /// The handle of the sessions.
    pub sessions: SessionsHandle,
    /// The handle of the connections.
    pub connections: ConnectionsHandle,
    /// The handle of the sign-ins, if there are such.
    pub sign_ins: Option<SignInsHandle>,
    /// The state of each actor.
    pub board: Board,
    journal: CloseOnDrop,
    threads: Threads,
}

/// The mailboxes: they stand before any actor runs, because the handles hold one another.
struct Mailboxes {
    audit: Mailbox<AuditBatcher>,
    registry: Mailbox<SessionRegistry>,
    grants: Mailbox<GrantsActor>,
    connections: Mailbox<ConnectionsActor>,
}

/// The published snapshots, read without a message; they outlive the actors that write them.
struct Published {
    grants: Arc<PublishedGrants>,
    sessions: Arc<PublishedSessions>,
    connections: Arc<PublishedConnections>,
}

impl ActorTree {
    /// Starts the actors in order, on threads of their own, and waits until each has loaded what it needs; a database that is away is
    /// waited for. `tools` is built from the handles it reads. Must be called inside an `actix_rt::System`.
    ///
    /// An actor that gives up while it loads ends the waiting: [`ActorTree::failed`] then says so at once.
    pub async fn start(
        ports: TreePorts,
        limits: TreeLimits,
        tools: impl FnOnce(&GrantsHandle, &ConnectionsHandle) -> Arc<dyn ToolCalls>,
    ) -> Self {
        let threads = Threads::own().unwrap_or_else(|error| share_this_thread(&error));
        Self::start_on(threads, ports, limits, tools).await
    }

    /// The same, on given threads.
    pub async fn start_on(
        threads: Threads,
        ports: TreePorts,
        limits: TreeLimits,
        tools: impl FnOnce(&GrantsHandle, &ConnectionsHandle) -> Arc<dyn ToolCalls>,
    ) -> Self {
        let mailboxes = Mailboxes::open();
        let published = Published::new(&ports);
        let tree = Self::wire(threads, &mailboxes, &published, &ports, &limits);
        let tools = tools(&tree.grants, &tree.connections);
        tree.launch(mailboxes, published, ports, &limits, tools)
            .await;
        tree
    }

    /// Makes the handles, to mailboxes whose actors do not run yet.
    fn wire(
        threads: Threads,
        mailboxes: &Mailboxes,
        published: &Published,
        ports: &TreePorts,
        limits: &TreeLimits,
    ) -> Self {
        let sessions = SessionsHandle::new(
            mailboxes.registry.address(),
            Arc::clone(&published.sessions),
        );
        let grants = Arc::clone(&published.grants);
        let board = Board::new(Arc::clone(&ports.clock));
        let sign_ins = ports.sign_ins.clone();
        if let Some(sign_ins) = &sign_ins {
            sign_ins.open(Arc::clone(&ports.clock), &board, &threads);
        }
        let audit = AuditHandle::new(
            mailboxes.audit.address(),
            ports.journal.clone(),
            Arc::clone(&ports.clock),
            limits,
        );
        Self {
            journal: CloseOnDrop(audit.journal()),
            audit,
            grants: GrantsHandle::new(
                mailboxes.grants.address(),
                grants,
                Arc::new(TokenSnapshot::new(Arc::clone(&ports.clock))),
                sessions.clone(),
            ),
            sessions,
            connections: Self::connections(mailboxes, published, ports, &board, &threads),
            sign_ins,
            board,
            threads,
        }
    }

    fn connections(
        mailboxes: &Mailboxes,
        published: &Published,
        ports: &TreePorts,
        board: &Board,
        threads: &Threads,
    ) -> ConnectionsHandle {
        let address = mailboxes.connections.address();
        let services = SyncServices {
            rounds: Arc::clone(&ports.rounds),
            clock: Arc::clone(&ports.clock),
            draw: Arc::clone(&ports.draw),
            settled: ConnectionsHandle::progress_publisher(&address),
        };
        let readers = SourceReaders::new(services, board.clone(), threads.borrowed());
        let connections = Arc::clone(&published.connections);
        ConnectionsHandle::new(address, connections, Arc::new(readers))
    }

    /// Starts the actors: the audit log first, so that no call goes unrecorded, and the grants after the registry through which an edit
    /// ends sessions.
    async fn launch(
        &self,
        mailboxes: Mailboxes,
        published: Published,
        ports: TreePorts,
        limits: &TreeLimits,
        tools: Arc<dyn ToolCalls>,
    ) {
        let batcher = self.audit.batcher(ports.audit, limits.audit_flush_interval);
        self.run(mailboxes.audit, "audit", batcher);
        self.unless_failed(self.journal.0.wait_begun()).await;
        let toll = RestartToll::default();
        let registry = SessionRegistry::new(
            SessionServices {
                tools,
                audit: self.audit.clone(),
                clock: Arc::clone(&ports.clock),
                outlets: ports.outlets,
                board: self.board.clone(),
            },
            published.sessions,
            self.threads.shared().clone(),
            limits,
            toll.clone(),
        );
        let mailbox = mailboxes.registry.counting(toll);
        self.run(mailbox, "session registry", registry);
        let sessions = self.sessions.clone();
        let grants = Arc::clone(&published.grants);
        let actor = GrantsActor::new(ports.grants, Arc::clone(&grants), sessions, ports.clock);
        self.run(mailboxes.grants, "grants", actor);
        self.unless_failed(grants.loaded()).await;
        let connections = published.connections;
        let readers = self.connections.readers();
        let actor = ConnectionsActor::new(ports.connections, Arc::clone(&connections), readers);
        self.run(mailboxes.connections, "connections", actor);
        self.unless_failed(connections.loaded()).await;
    }

    /// Resolves when an actor has given up: the service must stop, with a non-zero exit.
    pub async fn failed(&self) -> String {
        self.board.failed().await
    }

    /// No new sessions, and every live one ends.
    pub async fn close_sessions(&self) {
        match self.sessions.kill_all().await {
            Ok(0) => {}
            Ok(ended) => log::info!("{ended} sessions ended"),
            Err(cause) => log::error!("sessions may be left: {cause:?}"),
        }
    }

    /// Connections halt at a page boundary; then the tokens that are being obtained are waited for.
    pub async fn halt_connections(&self) {
        self.connections.halt().await;
        if let Some(sign_ins) = &self.sign_ins {
            sign_ins.close().await;
        }
    }

    /// Writes the rows that wait; returns how many were left.
    pub async fn drain(&self) -> usize {
        self.audit.drain().await
    }

    /// Closes the journal, after the last drain.
    pub async fn close_journal(&self) {
        self.journal.0.close().await;
    }

    /// Starts one of the actors that the service needs.
    fn run<A>(&self, mailbox: Mailbox<A>, name: &'static str, actor: A)
    where
        A: Supervised + Actor<Context = Context<A>> + Send,
    {
        mailbox.start(
            name,
            Policy::Permanent,
            &self.board,
            self.threads.shared(),
            actor,
        );
    }

    async fn unless_failed(&self, fact: impl Future<Output = ()>) {
        select(pin!(self.board.failed()), pin!(fact)).await;
    }
}

impl Mailboxes {
    fn open() -> Self {
        Self {
            audit: Mailbox::open(),
            registry: Mailbox::open(),
            grants: Mailbox::open(),
            connections: Mailbox::open(),
        }
    }
}

impl Published {
    fn new(ports: &TreePorts) -> Self {
        let grants = Arc::new(PublishedGrants::new(Arc::clone(&ports.clock)));
        Self {
            sessions: Arc::new(PublishedSessions::new(Arc::clone(&grants))),
            grants,
            connections: Arc::default(),
        }
    }
}

fn share_this_thread(error: &io::Error) -> Threads {
    log::error!("no threads for the actors ({error}); they share this one");
    Threads::here()
}
