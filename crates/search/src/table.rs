//! The strategies by name.

use crate::interleaved::Interleaved;
use crate::news_first::NewsFirst;
use crate::relieved::Relieved;
use crate::{bfs, by_place, dfs, nurs, random_path, random_state};
use osier_exec::Searcher;
use std::fmt;

/// A strategy as the command line offers it.
pub struct Strategy {
    pub name: &'static str,
    pub help: &'static str,
    pub make: fn() -> Box<dyn Searcher>,
}

/// The strategy whose better part is the order in which pending states are revived, which is the engine's.
pub const ZESTI: &str = "zesti";

/// Every strategy, under the names that KLEE's users know.
pub const STRATEGIES: &[Strategy] = &[
    Strategy { name: "dfs", help: "newest state first", make: dfs::make },
    Strategy { name: "bfs", help: "the state that has waited longest since a fork first", make: bfs::make },
    Strategy { name: "random-state", help: "any state, all alike", make: random_state::make },
    Strategy { name: "random-path", help: "descend the execution tree by coin", make: random_path::make },
    Strategy { name: "by-place", help: "any place in the program, then any state there", make: by_place::make },
    Strategy {
        name: "nurs:covnew",
        help: "by chance, states near uncovered code or that lately covered some preferred",
        make: nurs::covnew::make,
    },
    Strategy { name: "nurs:md2u", help: "by chance, states near uncovered code preferred", make: nurs::md2u::make },
    Strategy {
        name: ZESTI,
        help: "seeds to their end, then what they left nearest before an operation that may fail",
        make: dfs::make,
    },
    Strategy { name: "nurs:depth", help: "by chance, states with many forks preferred", make: nurs::depth::make },
    Strategy { name: "nurs:rp", help: "by chance, each fork halves the weight of a state", make: nurs::rp::make },
    Strategy { name: "nurs:icnt", help: "by chance, states in rarely executed code preferred", make: nurs::icnt::make },
    Strategy {
        name: "nurs:cpicnt",
        help: "by chance, states in a call path with few instructions so far preferred",
        make: nurs::cpicnt::make,
    },
    Strategy {
        name: "nurs:qc",
        help: "by chance, states with cheap queries preferred; not repeatable, for it goes by the clock",
        make: nurs::qc::make,
    },
];

/// What runs if the user names nothing, behind [`NewsFirst`]: one strategy that spreads over the tree, one that goes after
/// coverage, and one that spreads over the program.
pub const DEFAULT: &[&str] = &["random-path", "nurs:covnew", "by-place"];

/// A name that no strategy has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownStrategy {
    pub name: String,
}

impl fmt::Display for UnknownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
        write!(f, "there is no search strategy `{}`; there are {}", self.name, known.join(", "))
    }
}

impl std::error::Error for UnknownStrategy {}

/// The named strategies taking turns. If no name is given, [`DEFAULT`], after states that begin with something new.
pub fn make(names: &[String]) -> Result<Box<dyn Searcher>, UnknownStrategy> {
    let searcher = taking_turns(names)?;
    Ok(if names.is_empty() { Box::new(NewsFirst::new(searcher)) } else { searcher })
}

/// The same for pending states, of which none begins with something new. Where the strategies find nothing new, others
/// relieve them: one that prefers depth would ask only about those at the end of the first path, and `random-path` about
/// those at its beginning.
pub fn make_reviving(names: &[String]) -> Result<Box<dyn Searcher>, UnknownStrategy> {
    let others = Interleaved::new(vec![random_path::make(), by_place::make()]);
    Ok(Box::new(Relieved::new(taking_turns(names)?, Box::new(others))))
}

fn taking_turns(names: &[String]) -> Result<Box<dyn Searcher>, UnknownStrategy> {
    let names: Vec<&str> = if names.is_empty() { DEFAULT.to_vec() } else { names.iter().map(String::as_str).collect() };
    let mut searchers = names.into_iter().map(make_one).collect::<Result<Vec<_>, _>>()?;
    match searchers.len() {
        1 => Ok(searchers.remove(0)),
        _ => Ok(Box::new(Interleaved::new(searchers))),
    }
}

fn make_one(name: &str) -> Result<Box<dyn Searcher>, UnknownStrategy> {
    match STRATEGIES.iter().find(|strategy| strategy.name == name) {
        Some(strategy) => Ok((strategy.make)()),
        None => Err(UnknownStrategy { name: name.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, History};
    use osier_base::Random;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_the_default_has_rows() {
        let names: BTreeSet<&str> = STRATEGIES.iter().map(|s| s.name).collect();
        assert_eq!(names.len(), STRATEGIES.len());
        assert!(DEFAULT.iter().all(|name| names.contains(name)));
    }

    #[test]
    fn an_unknown_name_is_told_with_the_known_ones() {
        let error = make(&["dfs".to_string(), "dsf".to_string()]).err().expect("dsf is no strategy");
        assert!(error.to_string().starts_with("there is no search strategy `dsf`; there are dfs, bfs, "));
    }

    /// What a searcher selects during a random life of a run.
    fn selections(
        searcher: Result<Box<dyn Searcher>, UnknownStrategy>,
        history: &History,
        seed: u64,
    ) -> Vec<osier_exec::StateId> {
        let mut searcher = searcher.expect("the names are known");
        let mut random = Random::new(seed);
        let mut fake = Fake::new();
        searcher.update(&fake, None, &[fake.first()], &[]);
        let mut selected = Vec::new();
        for event in &history.events {
            let current = searcher.select(&fake, &mut random);
            assert!(fake.is_alive(current), "{current} was selected but is gone, or was never there");
            selected.push(current);
            let (added, removed) = fake.happen(current, *event);
            if fake.alive().is_empty() {
                break;
            }
            searcher.update(&fake, Some(current), &added, &removed);
        }
        selected
    }

    proptest! {
        #[test]
        fn every_strategy_selects_living_states_and_the_same_ones_for_the_same_seed(
            history in History::any(), seed in any::<u64>(),
        ) {
            for strategy in STRATEGIES {
                let names = [strategy.name.to_string()];
                prop_assert_eq!(selections(make(&names), &history, seed), selections(make(&names), &history, seed));
                selections(make_reviving(&names), &history, seed);
            }
            let all: Vec<String> = STRATEGIES.iter().map(|s| s.name.to_string()).collect();
            selections(make(&all), &history, seed);
            selections(make(&[]), &history, seed);
        }
    }

    #[test]
    fn every_strategy_but_dfs_and_bfs_selects_among_many() {
        for strategy in STRATEGIES.iter().filter(|s| !["dfs", "bfs", ZESTI].contains(&s.name)) {
            let mut fake = Fake::new();
            let added = fake.fork_all(4);
            let mut searcher = (strategy.make)();
            let mut random = Random::new(1);
            searcher.update(&fake, None, &[fake.first()], &[]);
            searcher.update(&fake, Some(fake.first()), &added, &[]);
            let selected: BTreeSet<_> = (0..2000).map(|_| searcher.select(&fake, &mut random)).collect();
            assert_eq!(selected.len(), 16, "{}", strategy.name);
        }
    }
}
