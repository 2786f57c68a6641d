//! What a JVM tells `jrace run` that it cannot write into the directory of its findings: that it runs unchecked, and why.

use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;

use facts::finding::{Jvm, Record, roll_name};

/// How much is told of a command, in characters: a datagram is no place for a class path.
const LONGEST: usize = 1000;

/// Tells it, if there is anybody who listens; never waits.
pub fn tell(directory: &Path, jvm: &Jvm, reason: &str) {
    let command = jvm.command.chars().take(LONGEST).collect();
    let records = [Record::Jvm(Jvm { command, ..jvm.clone() }), Record::Unchecked(reason.to_owned())];
    let lines: String = records.iter().flat_map(serde_json::to_string).map(|line| line + "\n").collect();
    // The program was started without `jrace run`, or where that cannot be reached.
    let _ = send(directory, lines.as_bytes());
}

fn send(directory: &Path, lines: &[u8]) -> io::Result<usize> {
    let socket = UnixDatagram::unbound()?;
    socket.set_nonblocking(true)?;
    socket.send_to_addr(lines, &SocketAddr::from_abstract_name(roll_name(directory))?)
}
