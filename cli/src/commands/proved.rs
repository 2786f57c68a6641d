//! Methods that types prove atomic, for checkers of transactions.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Result;
use static_typer::atomicity::AtomicityTypes;

use crate::analysis::Analysis;
use crate::args::{Begin, Focus};
use crate::learnt::Learnt;

/// The atomic methods of classes that wait for their locks, `bank/Account.pay(I)V`; none without classes.
///
/// # Errors
/// The classes, or those of the JDK, cannot be read.
pub fn atomic_methods(application: &[PathBuf]) -> Result<BTreeSet<String>> {
    if application.is_empty() {
        return Ok(BTreeSet::new());
    }
    Ok(atomic_in(&Analysis::of(application, &[], None, Focus::Field, None, &Begin::default(), |_| Ok(()))?))
}

/// The same of the classes of a run.
///
/// # Errors
/// The classes cannot be read.
pub fn atomic_methods_of(learnt: &Learnt) -> Result<BTreeSet<String>> {
    if learnt.is_empty() { Ok(BTreeSet::new()) } else { Ok(atomic_in(&learnt.analysis(Focus::Field)?)) }
}

fn atomic_in(Analysis { program, bodies, types, .. }: &Analysis) -> BTreeSet<String> {
    let atomicities = AtomicityTypes::infer(program, bodies, types);
    atomicities.waiting().map(|method| program.method_name(method)).collect()
}
