//! By what names code and sites are known in every program that has them: code by its method, a lambda's code and sites by their
//! number among those of the code.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use static_typer::points_to::{CodeId, Site};
use static_typer::program::{ClassId, MethodId};

use crate::call_graph::CallGraph;
use crate::environment::ENVIRONMENT;
use crate::fresh::Fresh;

/// Sites by where they stand.
#[derive(Default, Debug)]
pub struct Sites {
    places: FxHashMap<Site, (CodeId, u32)>,
    sites: FxHashMap<(CodeId, u32), Site>,
}

/// The names of a program's code and sites, and what is known of them by now.
pub struct Names<'a, 'p> {
    /// The program.
    pub graph: &'a CallGraph<'p>,
    pub(super) sites: Sites,
    /// Initializers are code, too, that no call runs.
    methods: FxHashMap<MethodId, CodeId>,
    lambdas: FxHashMap<CodeId, (CodeId, u32)>,
    pub(super) shapes: RefCell<FxHashMap<ClassId, u128>>,
    pub(super) codes: RefCell<FxHashMap<CodeId, Option<u128>>>,
    pub(super) fresh: RefCell<Fresh>,
}

impl<'a, 'p> Names<'a, 'p> {
    /// Those of a program.
    pub fn of(graph: &'a CallGraph<'p>) -> Self {
        let (mut sites, mut lambdas) = (Sites::default(), FxHashMap::default());
        for code in graph.reached().chain(graph.environment().map(|_| ENVIRONMENT)) {
            for (number, (_, site, _)) in graph.code(code).allocations.iter().enumerate() {
                let place = (code, number as u32);
                sites.add(*site, place);
                if let Site::Lambda(_, _, bridge) = site {
                    lambdas.entry(*bridge).or_insert(place);
                }
            }
        }
        let of_method =
            |code: CodeId| Some((graph.code(code).method.filter(|_| graph.code(code).lambda.is_none())?, code));
        let methods = graph.reached().filter_map(of_method).collect();
        Self {
            graph,
            sites,
            methods,
            lambdas,
            shapes: RefCell::default(),
            codes: RefCell::default(),
            fresh: RefCell::default(),
        }
    }

    /// The method of code, and the number of the site that makes the lambda, if it is one's.
    pub fn name_of(&self, code: CodeId) -> Option<(MethodId, Option<u32>)> {
        let data = self.graph.find(code)?;
        let method = data.method?;
        match data.lambda {
            Some(_) => Some((method, Some(self.lambdas.get(&code)?.1))),
            None => Some((method, None)),
        }
    }

    /// The code of such a name.
    pub fn code_of(&self, method: MethodId, lambda: Option<u64>) -> Option<CodeId> {
        let code = *self.methods.get(&method)?;
        let Some(number) = lambda else { return Some(code) };
        match self.graph.code(code).allocations.get(usize::try_from(number).ok()?)?.1 {
            Site::Lambda(_, _, bridge) => Some(bridge),
            _ => None,
        }
    }
}

impl Sites {
    fn add(&mut self, site: Site, place: (CodeId, u32)) {
        if matches!(site, Site::New(..) | Site::Copy(..) | Site::Lambda(..) | Site::Reflected(..)) {
            self.places.entry(site).or_insert(place);
            self.sites.insert(place, site);
        }
    }

    /// Where a site stands.
    pub fn place(&self, site: &Site) -> Option<(CodeId, u32)> {
        self.places.get(site).copied()
    }

    /// The site that stands there.
    pub fn at(&self, place: (CodeId, u32)) -> Option<Site> {
        self.sites.get(&place).copied()
    }
}
