//! The sizes and time limits of the pools, by the machine's cores.

use std::num::NonZero;
use std::thread;
use std::time::Duration;

/// Shared connections at the most: as many as both ports can have threads.
const PIPES_MAX: usize = 12;
/// Reads other than cheap ones that all agents together run for each core: one that computes, and one that waits for the disk.
const OTHER_READS_PER_CORE: usize = 2;
/// Their maximum, however many cores there are: PostgreSQL accepts 97 connections by default, and abandoned connections may exist
/// for a moment beside those that replace them.
const OTHER_READS_MAX: usize = 24;

/// The sizes and time limits of the pools.
#[derive(Clone, Copy, Debug)]
pub struct PoolLimits {
    pub service_connections_max: usize,
    /// For agents' reads that use a key or an index, and get no answer on a shared connection: it is being opened, has many reads
    /// under way, or a lock is waited for. A lock held on a table sends all its cheap reads here.
    pub cheap_connections_max: usize,
    /// Connections that cheap reads share, one for each thread that serves agents; each is opened when its thread first reads.
    pub pipes_max: usize,
    /// For all other reads of agents.
    pub other_connections_max: usize,
    /// For the operator's own reads, so that agents cannot delay them.
    pub operator_connections_max: usize,
    /// The time limit of an agent's statement.
    pub reader_statement_timeout: Duration,
}

impl Default for PoolLimits {
    fn default() -> Self {
        Self::of_cores(thread::available_parallelism().map_or(1, NonZero::get))
    }
}

impl PoolLimits {
    /// The limits for a machine with this many cores.
    fn of_cores(cores: usize) -> Self {
        Self {
            service_connections_max: 16,
            cheap_connections_max: 16,
            pipes_max: PIPES_MAX,
            other_connections_max: (OTHER_READS_PER_CORE * cores).clamp(1, OTHER_READS_MAX),
            operator_connections_max: 2,
            reader_statement_timeout: Duration::from_secs(30),
        }
    }

    /// The connections of all pools, and that of the lock.
    pub const fn connections_max(&self) -> usize {
        self.service_connections_max
            + self.cheap_connections_max
            + self.pipes_max
            + self.other_connections_max
            + self.operator_connections_max
            + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What PostgreSQL takes unless it is told otherwise, without those it keeps for superusers.
    const SERVER_CONNECTIONS: usize = 97;

    #[test]
    fn all_pools_together_fit_into_a_server_even_while_given_up_readers_are_replaced() {
        for cores in 0..=1024 {
            let limits = PoolLimits::of_cores(cores);
            let replaced = limits.other_connections_max + limits.operator_connections_max;
            assert!(
                limits.connections_max() + replaced <= SERVER_CONNECTIONS,
                "{limits:?}"
            );
        }
        assert_eq!(PoolLimits::of_cores(2).other_connections_max, 4);
        assert_eq!(PoolLimits::of_cores(8).other_connections_max, 16);
    }
}
