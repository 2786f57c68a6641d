//! JVMs that cannot write findings, and tell `jrace run` so instead.
//!
//! The agent sends the records that it would have written as one datagram to a socket that is named after the directory of the run
//! ([`facts::finding::roll_name`]). So another user's JVM reaches it too, as long as it shares the network.

use std::io::{self, Write as _};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::thread::JoinHandle;

use facts::finding::{self, Record};

use crate::output;
use crate::report::merge::Merged;

/// The longest that is told, in bytes.
const LONGEST: usize = 64 << 10;

/// Who listens while a command runs.
pub struct Roll {
    address: SocketAddr,
    listener: JoinHandle<Vec<Vec<u8>>>,
}

impl Roll {
    /// Listens for the JVMs that have this directory for their findings.
    ///
    /// # Errors
    /// There can be no such socket.
    pub fn listen(directory: &Path) -> io::Result<Self> {
        let address = SocketAddr::from_abstract_name(finding::roll_name(directory))?;
        let socket = UnixDatagram::bind_addr(&address)?;
        Ok(Self { address, listener: std::thread::spawn(move || told(&socket)) })
    }

    /// What was told until now; it is kept in the directory, too.
    pub fn end(self, directory: &Path) -> Merged {
        let ended = UnixDatagram::unbound().and_then(|socket| socket.send_to_addr(b"", &self.address));
        // Who cannot be told to end is left alone.
        let told = if ended.is_ok() { self.listener.join().unwrap_or_default() } else { Vec::new() };
        told.iter().map(|lines| taken(lines, directory)).fold(Merged::default(), Merged::union)
    }
}

/// Everything up to an empty datagram.
fn told(socket: &UnixDatagram) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let mut buffer = vec![0; LONGEST];
    while let Ok(length @ 1..) = socket.recv(&mut buffer) {
        all.push(buffer[..length].to_vec());
    }
    all
}

fn taken(lines: &[u8], directory: &Path) -> Merged {
    let records: Vec<Record> =
        lines.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let Some(Record::Jvm(jvm)) = records.first().cloned() else { return Merged::default() };
    let file = directory.join(finding::file_name(jvm.pid, jvm.started));
    // What cannot be kept is reported all the same.
    let _ = output::private().create(true).append(true).open(file).and_then(|mut file| file.write_all(lines));
    Merged::of_file(jvm, records)
}
