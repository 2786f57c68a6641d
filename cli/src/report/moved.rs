//! Methods that only one of two builds has: what is done in them, their callers did before, or do now.
//!
//! A helper that is extracted, inlined or renamed is then nothing new, as a race in it is known by the nearest methods that both builds
//! have. One that somebody outside the code may call, or that a library calls back, is one more way to come there: it stands for itself.

use std::collections::{BTreeMap, BTreeSet};

use super::identity::Pair;

/// The methods of a build, `bank/Account.deposit`, and who calls them.
#[derive(Default, Debug)]
pub struct Methods {
    callers: BTreeMap<String, BTreeSet<String>>,
    /// Those that are called from outside of the application, too.
    called_outside: BTreeSet<String>,
}

impl Methods {
    /// Methods of which no call is known.
    pub fn of(methods: impl IntoIterator<Item = String>) -> Self {
        let callers = methods.into_iter().map(|method| (method, BTreeSet::new())).collect();
        Self { callers, called_outside: BTreeSet::new() }
    }

    /// A call; without a caller, or by one that is none of these methods, it comes from outside.
    pub fn add_call(&mut self, caller: Option<&str>, callee: &str) {
        let caller = caller.filter(|caller| self.callers.contains_key(*caller)).map(str::to_owned);
        let Some(callers) = self.callers.get_mut(callee) else { return };
        match caller {
            Some(caller) => drop(callers.insert(caller)),
            None => drop(self.called_outside.insert(callee.to_owned())),
        }
    }

    /// The methods that another build has too, and that come to one that it has not: itself, where nobody knows any.
    fn known_in<'m>(&'m self, other: &Self, method: &'m str) -> BTreeSet<&'m str> {
        let (mut known, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![method]);
        while let Some(method) = open.pop() {
            let callers = self.callers.get(method).filter(|_| !other.callers.contains_key(method));
            let is_outside = self.called_outside.contains(method) || callers.is_none_or(BTreeSet::is_empty);
            known.extend(is_outside.then_some(method));
            if seen.insert(method) {
                open.extend(callers.into_iter().flatten().map(String::as_str));
            }
        }
        known
    }

    /// A pair of methods, in methods that another build has too.
    pub fn pairs_in(&self, other: &Self, pair: &Pair) -> BTreeSet<Pair> {
        let known = |name: Option<&str>| match name {
            Some(name) => self.known_in(other, name).into_iter().map(|name| Some(name.to_owned())).collect(),
            None => vec![None],
        };
        let [first, second] = pair.names().map(known);
        first.iter().flat_map(|a| second.iter().map(|b| Pair::new(a.clone(), b.clone()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(methods: &[&str], calls: &[(&str, &str)]) -> Methods {
        let mut build = Methods::of(methods.iter().map(|name| (*name).to_owned()));
        for (caller, callee) in calls {
            build.add_call(Some(caller).filter(|caller| !caller.is_empty()).copied(), callee);
        }
        build
    }

    fn pairs(a: &Methods, b: &Methods, pair: [&str; 2]) -> Vec<String> {
        let [first, second] = pair.map(|name| Some(name.to_owned()));
        a.pairs_in(b, &Pair::new(first, second)).iter().map(Pair::text).collect()
    }

    #[test]
    fn what_is_new_is_its_callers() {
        let then = build(&["add", "get", "set"], &[("", "add"), ("", "get")]);
        let now = build(
            &["add", "get", "set", "help", "deep", "back", "loop"],
            &[
                ("", "add"),
                ("add", "help"),
                ("set", "help"),
                ("help", "deep"),
                ("deep", "help"),
                ("List.forEach", "back"),
                ("loop", "loop"),
            ],
        );
        assert_eq!(pairs(&now, &then, ["add", "get"]), ["add and get"]);
        assert_eq!(pairs(&now, &then, ["help", "get"]), ["add and get", "get and set"]);
        assert_eq!(pairs(&now, &then, ["deep", "deep"]), ["add and add", "add and set", "set and set"]);
        assert_eq!(pairs(&now, &then, ["back", "get"]), ["back and get"]);
        assert_eq!(pairs(&then, &now, ["set", "get"]), ["get and set"]);
    }

    #[test]
    fn what_clients_may_call_is_itself_too() {
        let then = build(&["add"], &[("", "add")]);
        let now = build(&["add", "help"], &[("", "add"), ("add", "help"), ("", "help")]);
        assert_eq!(pairs(&now, &then, ["help", "help"]), ["add and add", "add and help", "help and help"]);
    }
}
