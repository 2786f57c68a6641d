//! Where an access is within transactions.
//!
//! A thread can be in thousands of transactions at once, so a path is a list that shares its beginning with others.

use std::sync::Arc;

use facts::index::SiteId;

use super::violation::Transaction;

/// So many of the transactions around an access are named at most, the innermost: one of them is to blame.
const NAMED: usize = 64;

/// A transaction with those around it.
#[derive(Debug)]
pub(super) struct Path {
    transaction: Transaction,
    /// How many are around it.
    depth: u32,
    around: Option<Arc<Path>>,
    /// One of those around it, so that any of them is found in logarithmically many steps; after Myers, "An applicative
    /// random-access stack" (Information Processing Letters 17, 1983).
    jump: Option<Arc<Path>>,
    /// Whether it is checked for itself.
    is_checked: bool,
    /// The innermost of those around it that are checked for themselves.
    checked: Option<Arc<Path>>,
    /// Code that is entered again on it.
    again: Option<Arc<Again>>,
}

/// Code that is entered while it is open, and more such code.
#[derive(Debug)]
struct Again {
    code: SiteId,
    more: Option<Arc<Again>>,
}

impl Path {
    fn new(transaction: Transaction, is_checked: bool, around: Option<Arc<Self>>) -> Self {
        let depth = around.as_ref().map_or(0, |around| around.depth + 1);
        let jump = around.as_ref().map(|around| {
            let far = around.jump.as_ref().and_then(|jump| Some((jump, jump.jump.as_ref()?)));
            let is_even = |(one, two): &(&Arc<Self>, &Arc<Self>)| around.depth - one.depth == one.depth - two.depth;
            far.filter(is_even).map_or_else(|| Arc::clone(around), |(_, two)| Arc::clone(two))
        });
        let checked = around.as_ref().and_then(Self::innermost_checked).cloned();
        let is_known = is_checked || around.as_ref().is_some_and(|around| around.is_again(transaction.site));
        let more = around.as_ref().and_then(|around| around.again.clone());
        let again = if is_known { more } else { Some(Arc::new(Again { code: transaction.site, more })) };
        Self { transaction, depth, around, jump, is_checked, checked, again }
    }

    /// Whether code is entered on this path while it is open.
    fn is_again(&self, code: SiteId) -> bool {
        let mut all = std::iter::successors(self.again.as_deref(), |again| again.more.as_deref());
        all.any(|again| again.code == code)
    }

    /// The innermost transaction of both paths.
    pub fn common<'a>(one: &'a Arc<Self>, other: &'a Arc<Self>) -> Option<&'a Arc<Self>> {
        let depth = one.depth.min(other.depth);
        let (mut one, mut other) = (one.ancestor(depth)?, other.ancestor(depth)?);
        while !Arc::ptr_eq(one, other) {
            (one, other) = match (&one.jump, &other.jump) {
                (Some(left), Some(right)) if !Arc::ptr_eq(left, right) => (left, right),
                _ => (one.around.as_ref()?, other.around.as_ref()?),
            };
        }
        Some(one)
    }

    /// The innermost that is checked for itself.
    fn innermost_checked(self: &Arc<Self>) -> Option<&Arc<Self>> {
        if self.is_checked { Some(self) } else { self.checked.as_ref() }
    }

    /// In which parts of the transactions around it something is.
    pub fn parts(self: &Arc<Self>) -> Parts<'_> {
        Parts { path: self, next: self.innermost_checked(), inside: None }
    }

    /// The one that so many are around.
    fn ancestor(self: &Arc<Self>, depth: u32) -> Option<&Arc<Self>> {
        let mut path = self;
        while path.depth > depth {
            path = path.jump.as_ref().filter(|jump| jump.depth >= depth).or(path.around.as_ref())?;
        }
        Some(path)
    }

    /// The code of the transactions from the innermost one of some code to here, without it.
    pub fn inside(self: &Arc<Self>, code: SiteId) -> Vec<SiteId> {
        let all = std::iter::successors(Some(self), |path| path.around.as_ref());
        let codes = all.map(|path| path.transaction.site);
        let mut inside: Vec<SiteId> = codes.take_while(|other| *other != code).take(NAMED).collect();
        inside.reverse();
        inside
    }
}

impl Drop for Path {
    /// One after the other: a path may be longer than the stack.
    fn drop(&mut self) {
        (self.jump, self.checked) = (None, None);
        let mut around = self.around.take();
        while let Some(mut path) = around.and_then(Arc::into_inner) {
            (path.jump, path.checked) = (None, None);
            around = path.around.take();
        }
    }
}

/// The parts of transactions, from the innermost one outwards.
pub(super) struct Parts<'a> {
    path: &'a Path,
    /// The next one outwards that is checked for itself, and the one before.
    next: Option<&'a Arc<Path>>,
    inside: Option<u64>,
}

impl Parts<'_> {
    /// The outermost transaction inside of the next one of interest that is checked for itself, by the number of the event that began
    /// it; none where the other one's code is entered again, which only the other one is checked for.
    pub fn of(&mut self, own: Transaction) -> Option<u64> {
        while let Some(path) = self.next {
            let (begin, inside) = (path.transaction.begin, self.inside);
            (self.next, self.inside) = (path.checked.as_ref(), Some(begin));
            if begin == own.begin {
                return inside.filter(|_| !self.path.is_again(own.site));
            }
        }
        None
    }
}

/// The number of a path of one thread; that of none is the default.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct PathId(u32);

/// The paths of a thread: of what waits, nothing may come of them.
#[derive(Debug, Default)]
pub(super) struct Paths(Vec<Entry>);

#[derive(Debug)]
struct Entry {
    around: PathId,
    transaction: Transaction,
    is_checked: bool,
    path: Option<Arc<Path>>,
}

impl Paths {
    /// A transaction begins; whether it is checked for itself.
    pub fn enter(&mut self, around: PathId, transaction: Transaction, is_checked: bool) -> PathId {
        self.0.push(Entry { around, transaction, is_checked, path: None });
        PathId(u32::try_from(self.0.len()).unwrap_or_default())
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Forgets all paths but some, each in the next one.
    pub fn keep<'a>(&mut self, ids: impl Iterator<Item = &'a mut PathId>) {
        let mut kept = Self::default();
        let mut around = PathId::default();
        for id in ids {
            if let Some(entry) = Self::place(*id).and_then(|at| self.0.get_mut(at)) {
                kept.0.push(Entry { around, path: entry.path.take(), ..*entry });
                around = PathId(u32::try_from(kept.0.len()).unwrap_or_default());
            }
            *id = around;
        }
        *self = kept;
    }

    /// The path of a number.
    pub fn path(&mut self, id: PathId) -> Option<Arc<Path>> {
        let unmade =
            |id: PathId| Self::place(id).filter(|at| self.0.get(*at).is_some_and(|entry| entry.path.is_none()));
        let new: Vec<usize> = std::iter::successors(unmade(id), |at| unmade(self.0[*at].around)).collect();
        for at in new.into_iter().rev() {
            let Entry { around, transaction, is_checked, .. } = self.0[at];
            let around = self.made(around);
            self.0[at].path = Some(Arc::new(Path::new(transaction, is_checked, around)));
        }
        self.made(id)
    }

    fn made(&self, id: PathId) -> Option<Arc<Path>> {
        self.0.get(Self::place(id)?)?.path.clone()
    }

    fn place(id: PathId) -> Option<usize> {
        id.0.checked_sub(1).map(|at| at as usize)
    }
}

#[cfg(test)]
mod tests {
    use facts::index::ThreadId;

    use super::*;

    fn transaction(site: u32) -> Transaction {
        Transaction { site: SiteId(site), thread: ThreadId(1), begin: u64::from(site) }
    }

    /// A tree of paths, each in one of the two before it but one.
    #[test]
    fn what_two_paths_have_in_common() {
        let (mut paths, mut parents) = (Paths::default(), vec![0_usize]);
        let mut ids = vec![PathId::default()];
        for number in 1..200_u32 {
            let parent = ids.len().saturating_sub(1 + number as usize * 7 % 3);
            parents.push(parent);
            ids.push(paths.enter(ids[parent], transaction(number), true));
        }
        let all = |at: usize| std::iter::successors(Some(at), |at| Some(parents[*at])).take_while(|at| *at > 0);
        for (one, other) in (1..200).flat_map(|one| (1..200).map(move |other| (one, other))) {
            let expected = all(one).find(|at| all(other).any(|its| its == *at));
            let (left, right) = (paths.path(ids[one]).unwrap(), paths.path(ids[other]).unwrap());
            let common = Path::common(&left, &right);
            assert_eq!(common.map(|path| path.transaction.begin), expected.map(|at| at as u64));
        }
    }

    /// Neither making nor dropping one takes a stack of that depth.
    #[test]
    fn paths_can_be_long() {
        let mut paths = Paths::default();
        let innermost = (0..1_000_000).fold(PathId::default(), |around, _| paths.enter(around, transaction(1), true));
        let path = paths.path(innermost);
        paths.clear();
        assert_eq!(path.unwrap().depth, 999_999);
    }
}
