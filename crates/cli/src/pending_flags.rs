//! The options about pending constraints: what is asked now and what later.

use crate::flags::duration;
use clap::Args;
use osier::{PendingConfig, RevivalOrder};
use std::time::Duration;

#[derive(Args, Clone)]
pub struct PendingFlags {
    /// Follow what is known to be feasible; ask about the other sides of branches later. The default with seeds.
    #[arg(long, help_heading = "Exploration", conflicts_with = "no_pending")]
    pub pending: bool,
    /// Ask about the other side of each branch at once. The default without seeds.
    #[arg(long, help_heading = "Exploration", conflicts_with = "relaxed_checks")]
    pub no_pending: bool,
    /// Ask later about errors too; implies --pending.
    #[arg(long, help_heading = "Exploration")]
    pub relaxed_checks: bool,
    /// When a limit ends the run, make deferred checks for so long.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration, help_heading = "Exploration")]
    pub check_budget: Duration,
    /// With --search=zesti: run so many branches from where a seed's path was left before others have their turn.
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Exploration")]
    pub zesti_bound: u32,
}

impl PendingFlags {
    /// How states are deferred, if they are. Which is the default was measured: see `benches/recorded`, November 2026.
    pub fn config(&self, strategies: &[String], is_seeded: bool) -> Option<PendingConfig> {
        let PendingFlags { pending, no_pending, relaxed_checks, check_budget, zesti_bound } = *self;
        let zesti = strategies.iter().any(|name| name == osier::ZESTI);
        let order = if zesti { RevivalOrder::Sensitive { bound: zesti_bound } } else { RevivalOrder::Strategy };
        let deferred = zesti || pending || relaxed_checks || (is_seeded && !no_pending);
        deferred.then_some(PendingConfig { relaxed_checks, check_budget, order })
    }
}
