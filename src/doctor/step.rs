/// What stands between a hosted agent and an answer, in the order in which it is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DoctorStep {
    Resolves,
    Public,
    Port,
    Certificate,
    Funnel,
    Arrives,
    ConsoleAbsent,
    Metadata,
    Registers,
    SignsIn,
    ListsTools,
    RevokedKeyRefused,
}

impl DoctorStep {
    /// All of them, in order.
    pub(crate) const ALL: [Self; 12] = [
        Self::Resolves,
        Self::Public,
        Self::Port,
        Self::Certificate,
        Self::Funnel,
        Self::Arrives,
        Self::ConsoleAbsent,
        Self::Metadata,
        Self::Registers,
        Self::SignsIn,
        Self::ListsTools,
        Self::RevokedKeyRefused,
    ];

    /// The word it is sent as.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Resolves => "resolves",
            Self::Public => "public",
            Self::Port => "port",
            Self::Certificate => "certificate",
            Self::Funnel => "funnel",
            Self::Arrives => "arrives",
            Self::ConsoleAbsent => "console_absent",
            Self::Metadata => "metadata",
            Self::Registers => "registers",
            Self::SignsIn => "signs_in",
            Self::ListsTools => "lists_tools",
            Self::RevokedKeyRefused => "revoked_key_refused",
        }
    }

    /// What is checked.
    pub(crate) const fn about(self) -> &'static str {
        match self {
            Self::Resolves => "The name of the address stands for a computer.",
            Self::Public => "That computer can be reached from anywhere.",
            Self::Port => "Something answers at the port of the address.",
            Self::Certificate => {
                "The certificate is for the name, trusted, and valid for some time."
            }
            Self::Funnel => "The port is one that hosted agents call.",
            Self::Arrives => {
                "What is sent to the address arrives at this Sextant, under its own name."
            }
            Self::ConsoleAbsent => "The Console does not answer at the address.",
            Self::Metadata => "What clients read before they sign in names this address.",
            Self::Registers => "A client can register.",
            Self::SignsIn => "A client signs in with an agent's key.",
            Self::ListsTools => "It is served with its token, and is told all tools.",
            Self::RevokedKeyRefused => "Once the agent is revoked, its token is refused.",
        }
    }
}
