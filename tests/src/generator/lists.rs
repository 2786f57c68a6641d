//! Two threads that use lists one after the other, in no order, with what races: an access to an element, by whatever way, races with a
//! write to it, and what changes which elements there are races with all.

use std::fmt::Write as _;

use super::Random;

/// How many lists a program has.
const LISTS: usize = 150;
/// How many elements each has at first; calls go to the first half, and fewer than that are taken out.
const SIZE: usize = 12;
const FIRST: usize = SIZE / 2;
/// How many calls a thread makes at most.
const MOST: usize = 3;

/// What a call does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    /// It reads an element.
    Get(usize),
    /// It writes one.
    Set(usize),
    /// It reads so many elements, one after the other.
    Reads(usize),
    /// It reads each.
    Each,
    /// It reads no element.
    Counts,
    /// It changes which there are.
    Changes,
}

#[derive(Clone, Copy)]
struct Call {
    does: Does,
    is_locked: bool,
}

/// A program, and what is known of each of its lists, by the names of their fields.
pub struct Program {
    /// The source of `Main`.
    pub text: String,
    /// Those that race.
    pub racy: Vec<String>,
    /// Those of them whose races are missed, as nobody knows to which elements the first accesses were.
    pub missed: Vec<String>,
    /// Those that seem to race, as how many elements there are was asked without the lock under which elements are read.
    pub invented: Vec<String>,
}

/// A program `Main` in which one thread uses every list, and another one then does.
#[must_use]
pub fn program(seed: u64) -> Program {
    let mut random = Random(seed);
    let mut text = "import java.util.*; public class Main {\n".to_owned();
    let (mut firsts, mut seconds) = (String::new(), String::new());
    let (mut racy, mut missed, mut invented) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..LISTS {
        _ = writeln!(
            text,
            "static final List<Integer> l{number} = new ArrayList<>(Collections.nCopies({SIZE}, 1)), w{number} = Collections.unmodifiableList(l{number});"
        );
        if number % 3 == 0 {
            _ = writeln!(text, "static {{ int s = l{number}.get(0) + l{number}.get(1); l{number}.add(s); }}");
        }
        let first = calls(&mut random, &mut firsts, number);
        let second = calls(&mut random, &mut seconds, number);
        if race(&first, &second).next().is_some() {
            racy.push(format!("l{number}"));
            if is_missed(&first, &second) {
                missed.push(format!("l{number}"));
            }
        } else if first.iter().any(|call| call.does == Does::Counts) {
            invented.push(format!("l{number}"));
        }
    }
    let text = super::in_turn(&text, &firsts, &seconds);
    Program { text, racy, missed, invented }
}

fn calls(random: &mut Random, code: &mut String, number: usize) -> Vec<Call> {
    let calls = (0..=random.below(MOST)).map(|_| {
        let is_locked = random.one_in(4);
        let (does, call) = call(random);
        let call = call.replace("LIST", &format!("l{number}")).replace("WRAPPED", &format!("w{number}"));
        _ = writeln!(
            code,
            "{} {{ int s = 0; {call} }}",
            if is_locked { format!("synchronized (w{number})") } else { String::new() }
        );
        Call { does, is_locked }
    });
    calls.collect()
}

fn call(random: &mut Random) -> (Does, String) {
    let at = random.below(FIRST);
    let (does, call) = match random.below(18) {
        0..4 => (Does::Get(at), "s += LIST.get(AT);"),
        4..9 => (Does::Set(at), "LIST.set(AT, 2);"),
        9 => (Does::Get(at), "s += WRAPPED.get(AT);"),
        10 => (Does::Get(at), "s += LIST.subList(AT, 9).get(0);"),
        11 => {
            (Does::Reads(at + 1), "Iterator<Integer> i = LIST.iterator(); for (int n = 0; n <= AT; n++) s += i.next();")
        }
        12 => (Does::Reads(SIZE), "for (int x : LIST) s += x;"),
        13 if at == 0 => (Does::Each, "s += Collections.max(LIST);"),
        13 if at == 1 => (Does::Each, "s += LIST.containsAll(List.of(-1)) ? 1 : 0;"),
        13 if at == 2 => (Does::Each, "s += LIST.subList(0, 9).contains(-1) ? 1 : 0;"),
        13 => (Does::Each, "s += new ArrayList<>(LIST).hashCode();"),
        14 => (Does::Each, "s += LIST.contains(-1) ? 1 : 0;"),
        15 => (Does::Counts, "s += LIST.size();"),
        16 => (Does::Changes, "LIST.add(3);"),
        _ => (Does::Changes, "LIST.remove(LIST.size() - 1);"),
    };
    (does, call.replace("AT", &at.to_string()))
}

/// The pairs of calls that race.
fn race<'a>(first: &'a [Call], second: &'a [Call]) -> impl Iterator<Item = (&'a Call, &'a Call)> {
    let pairs = first.iter().flat_map(move |one| second.iter().map(move |other| (one, other)));
    pairs.filter(|(one, other)| {
        !(one.is_locked && other.is_locked) && (conflict(one.does, other.does) || conflict(other.does, one.does))
    })
}

fn conflict(one: Does, other: Does) -> bool {
    match (one, other) {
        (Does::Changes, _) => true,
        (Does::Set(at), Does::Set(other) | Does::Get(other)) => at == other,
        (Does::Set(at), Does::Reads(n)) => at < n,
        (Does::Set(_), Does::Each) => true,
        _ => false,
    }
}

/// Whether the first write to an element comes after reads of several, and all that races are these.
fn is_missed(first: &[Call], second: &[Call]) -> bool {
    let is_set = |call: &Call| matches!(call.does, Does::Set(_));
    let before = first.iter().position(is_set).unwrap_or(first.len());
    let writes = race(&first[before..], second).next().is_some();
    let counted = race(first, second).any(|(_, other)| !is_set(other));
    let reads = first.iter().chain(second).map(|call| call.does).take_while(|does| !matches!(does, Does::Set(_)));
    !writes && !counted && reads.fold(Known::Nothing, Known::after) == Known::Several
}

/// To which elements all reads were.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    Each,
    One(usize),
    Several,
}

impl Known {
    fn after(self, does: Does) -> Self {
        match (self, does) {
            (known, Does::Counts) => known,
            (Self::Nothing | Self::Each, Does::Each) => Self::Each,
            (Self::Nothing, Does::Get(at)) => Self::One(at),
            (Self::One(at), Does::Get(other)) if at == other => self,
            _ => Self::Several,
        }
    }
}
