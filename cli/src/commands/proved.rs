//! Methods that types prove atomic, for checkers of transactions.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Result;
use static_typer::atomicity::AtomicityTypes;

use crate::analysis::Analysis;
use crate::args::Focus;

/// The atomic methods of classes, `bank/Account.pay(I)V`; none without classes.
///
/// # Errors
/// The classes, or those of the JDK, cannot be read.
pub fn atomic_methods(application: &[PathBuf]) -> Result<BTreeSet<String>> {
    if application.is_empty() {
        return Ok(BTreeSet::new());
    }
    let Analysis { program, bodies, types, .. } = Analysis::of(application, &[], None, Focus::Field, |_| {})?;
    let atomicities = AtomicityTypes::infer(&program, &bodies, &types);
    let atomic = atomicities.methods().iter().filter(|method| atomicities.is_atomic(**method));
    Ok(atomic.map(|method| program.method_name(*method)).collect())
}
