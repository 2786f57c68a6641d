//! Tests of weaving, with the JDKs of the machine. `cargo test -p instrumenter --test all MODULE` runs those of one module.

mod archive;
mod behaviour;
mod common;
mod damage;
mod identity;
mod models;
mod verify;
