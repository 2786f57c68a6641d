//! Static race detection in the manner of Chord (papers 000 and 001): pairs of accesses that two threads may run in parallel,
//! to an object that both reach, without a common lock.
//!
//! Unlike paper 000, two threads of one kind do race unless there is one only, what the main thread does before it starts
//! another and what anyone does after joining a thread is ordered, class initializers run in whichever thread comes first,
//! constructors count from where their object is out, and a pair whose only common lock may be two locks is kept, with less
//! confidence. [`Options::chord`] goes back to the paper's rules.

mod escape;
mod initialization;
mod locks;
mod must;
mod order;
mod pairs;
mod paths;
mod proofs;
mod reach;
mod search;
mod sources;
mod threads;
mod worklist;

pub use initialization::definite::Beginning;
pub use locks::guards::{Guard, guard};
pub use locks::sections::{Section, sections};
pub use pairs::accesses::Place;
pub use pairs::reasons::Reason;
pub use pairs::stages::{Counts, STAGES, Stage};
pub use pairs::variable::Variable;
pub use paths::{Bounds, CallPath, Callers, Found, Goal, Kind, Step, naive, plain};
pub use proofs::closed::{hidden, hidden_by, hiding, unfollowed};
pub use proofs::idle::{IdleLocks, idle_transactions};
pub use proofs::race_free::RaceFree;
pub use proofs::typed::Proofs;
pub use reach::leading;
pub use search::{Confidence, Options, Race, Races, Side, is_run_by_several, only_thread};
pub use threads::alone::run_by_one;
pub use threads::within::{Root, Within};
pub use threads::{RunBy, Threads};
