//! End-to-end tests. `cargo test -p jrace-tests --test all MODULE` runs those of one module.

mod agent_behaviour;
mod agent_classes;
mod agent_endings;
mod agent_locks;
mod agent_memory;
mod agent_neighbours;
mod agent_options;
mod agent_threads;
mod agent_variables;
mod arrows;
mod atomicity;
mod check;
mod compare;
mod demos;
mod discover;
mod fixes;
mod focus;
mod helper_class;
mod hostile;
mod owners;
mod races;
mod real;
mod replayed;
mod suites;
mod traces;
mod unchecked;
