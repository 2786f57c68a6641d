//! Tests of the analyses, with the JDKs of the machine. `cargo test -p static-typer --test all MODULE` runs those of one module.

mod atomicity;
mod common;
mod damage;
mod handed_over;
mod hiding;
mod hierarchy;
mod hostile;
mod idle_locks;
mod idle_transactions;
mod inherited;
mod initializers;
mod ir;
mod meaning;
mod obstacles;
mod parts;
mod paths;
mod points_to;
mod presumed;
mod proofs;
mod races;
mod reflection;
mod subroutines;
mod types;
mod verify;
mod whole;
