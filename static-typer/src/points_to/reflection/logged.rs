//! What runs have reached by reflection, by the places of the calls: a log names both, and here they are found in the program.

use std::collections::BTreeSet;

use facts::reflection_log::{Caller, Entry, Kind, ReflectionLog, Target};
use rustc_hash::FxHashMap;

use crate::points_to::core::site::Site;
use crate::program::{ClassId, MethodId, Program, Type};

use super::api::Api;

/// What calls have reached.
#[derive(Default, Debug)]
pub struct Logged {
    targets: FxHashMap<(MethodId, Option<u16>, Kind), Vec<Site>>,
    lacking: BTreeSet<String>,
}

impl Logged {
    /// Finds what a log names.
    #[must_use]
    pub fn of(program: &Program, log: &ReflectionLog) -> Self {
        let mut logged = Self::default();
        for Entry { caller, kind, target } in &log.entries {
            match (method(program, caller), site(program, *kind, target)) {
                (Some(method), Some(site)) => {
                    // A class file has no greater lines.
                    let line = caller.line.and_then(|line| u16::try_from(line).ok());
                    logged.targets.entry((method, line, *kind)).or_default().push(site);
                }
                (None, _) => drop(logged.lacking.insert(format!("{}.{}", caller.class, caller.method))),
                (_, None) => drop(logged.lacking.insert(name(target))),
            }
        }
        logged
    }

    /// What a call has been made on that does something in a line of a method; each stands for its mirror, a class for its name.
    #[must_use]
    pub fn at(&self, program: &Program, method: MethodId, line: Option<u16>, api: Api) -> Vec<Site> {
        let found = kind(api).and_then(|kind| self.targets.get(&(method, line, kind)));
        let site = |site: &Site| match (api, *site) {
            (Api::Make, Site::Constructor(made)) => Site::Class(ty(program, program.method(made).class)),
            (_, site) => site,
        };
        found.into_iter().flatten().map(site).collect()
    }

    /// What it names that the program does not have, members with their classes.
    #[must_use]
    pub const fn lacking(&self) -> &BTreeSet<String> {
        &self.lacking
    }
}

const fn kind(api: Api) -> Option<Kind> {
    match api {
        Api::ForName | Api::Load => Some(Kind::Class),
        Api::Make | Api::Construct => Some(Kind::Make),
        Api::Call => Some(Kind::Call),
        Api::Get => Some(Kind::Get),
        Api::Set => Some(Kind::Set),
        Api::Constants | Api::Find(_) | Api::Interfaces | Api::Proxy => None,
    }
}

fn ty(program: &Program, class: ClassId) -> Type {
    Type::class(program.class(class).name)
}

fn name(target: &Target) -> String {
    let member = target.member.as_ref().map(|member| format!(".{}", member.name));
    format!("{}{}", target.class, member.unwrap_or_default())
}

fn method(program: &Program, caller: &Caller) -> Option<MethodId> {
    program.method_named(&caller.class, &caller.method, &caller.descriptor)
}

fn site(program: &Program, kind: Kind, target: &Target) -> Option<Site> {
    let class = program.class_named(&target.class)?;
    match (kind, &target.member) {
        (Kind::Class, None) => Some(Site::Text(program.class(class).name)),
        (Kind::Make, Some(member)) => {
            program.method_named(&target.class, &member.name, &member.descriptor).map(Site::Constructor)
        }
        (Kind::Call, Some(member)) => {
            program.method_named(&target.class, &member.name, &member.descriptor).map(Site::Method)
        }
        (Kind::Get | Kind::Set, Some(member)) => program.field_named(&target.class, &member.name).map(Site::Field),
        _ => None,
    }
}
