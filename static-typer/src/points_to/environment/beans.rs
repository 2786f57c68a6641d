//! What application frameworks make of a program's classes, and which of its methods they call.
//!
//! They go by annotations (Spring, CDI, EJB, JAX-RS, Micronaut, Guice), and by types of theirs: servlets, and whatever a bean implements that a
//! library declares. A bean is an object that they make; most have one of a class, which all threads share. What XML, registration
//! by calls, or an annotation of a parameter says is not known.

use std::collections::BTreeSet;

use crate::program::{Annotation, ClassId, FieldId, MethodId, Name, Program, Type, flag};

use super::is_concrete;

/// Annotations: a package, with what is below it, and simple names. `ee/` stands for `jakarta/` and `javax/`.
type Rules = &'static [(&'static str, &'static [&'static str])];

/// One object for all.
const OF_ALL: Rules = &[
    ("ee/enterprise/context/", &["ApplicationScoped"]),
    ("ee/inject/", &["Singleton"]),
    ("com/google/inject/", &["Singleton"]),
    ("org/springframework/web/context/annotation/", &["ApplicationScope"]),
];
/// One for each request or session, or one that a container lets no two threads use at once.
const OF_EACH: Rules = &[
    ("ee/enterprise/context/", &["RequestScoped", "SessionScoped", "ConversationScoped", "Dependent"]),
    ("ee/ejb/", &["Stateless", "Stateful", "MessageDriven", "Singleton"]),
    ("ee/websocket/server/", &["ServerEndpoint"]),
    ("com/google/inject/servlet/", &["RequestScoped", "SessionScoped"]),
    ("org/springframework/web/context/annotation/", &["RequestScope", "SessionScope"]),
    ("io/micronaut/runtime/http/scope/", &["RequestScope"]),
];
/// One for all, unless something else says more.
const COMPONENTS: Rules = &[
    (
        "org/springframework/",
        &[
            "Component",
            "Service",
            "Repository",
            "Controller",
            "RestController",
            "Configuration",
            "ControllerAdvice",
            "RestControllerAdvice",
            "SpringBootApplication",
            "ConfigurationProperties",
            "Endpoint",
            "WebEndpoint",
        ],
    ),
    ("ee/servlet/annotation/", &["WebServlet", "WebFilter", "WebListener"]),
    ("ee/ws/rs/ext/", &["Provider"]),
    ("ee/inject/", &["Named"]),
    ("io/micronaut/", &["Controller", "Factory", "Filter", "ServerFilter", "Endpoint"]),
];
/// One for each request, unless something else says more.
const RESOURCES: Rules = &[("ee/ws/rs/", &["Path"])];
const SPRING_SCOPE: &str = "org/springframework/context/annotation/Scope";
/// With it, resources are one for all.
const QUARKUS: &str = "io/quarkus/";

/// What any number of threads call.
const CALLED: Rules = &[
    (
        "org/springframework/",
        &[
            "RequestMapping",
            "GetMapping",
            "PostMapping",
            "PutMapping",
            "DeleteMapping",
            "PatchMapping",
            "MessageMapping",
            "SubscribeMapping",
            "QueryMapping",
            "MutationMapping",
            "SubscriptionMapping",
            "SchemaMapping",
            "BatchMapping",
            "ExceptionHandler",
            "MessageExceptionHandler",
            "ModelAttribute",
            "InitBinder",
            "EventListener",
            "TransactionalEventListener",
            "Async",
            "ReadOperation",
            "WriteOperation",
            "DeleteOperation",
            "ServiceActivator",
        ],
    ),
    ("ee/ws/rs/", &["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "Path"]),
    ("ee/websocket/", &["OnOpen", "OnMessage", "OnClose", "OnError"]),
    ("ee/ejb/", &["Asynchronous"]),
    ("io/micronaut/http/annotation/", &["Get", "Post", "Put", "Delete", "Patch", "Head", "Options", "Trace", "Error"]),
    ("io/micronaut/runtime/event/annotation/", &["EventListener"]),
];
/// What one thread calls, again and again: tasks by the clock, and listeners of queues as they are set up if nothing says more.
const CALLED_BY_ONE: Rules = &[
    (
        "org/springframework/",
        &[
            "Scheduled",
            "Schedules",
            "KafkaListener",
            "RabbitListener",
            "JmsListener",
            "PulsarListener",
            "StreamListener",
        ],
    ),
    ("io/awspring/cloud/", &["SqsListener"]),
    ("ee/ejb/", &["Schedule", "Schedules", "Timeout"]),
    ("io/quarkus/scheduler/", &["Scheduled"]),
    ("io/micronaut/scheduling/annotation/", &["Scheduled"]),
    ("org/eclipse/microprofile/reactive/messaging/", &["Incoming"]),
];
/// What comes before all that.
const BEGINS: Rules = &[
    ("ee/annotation/", &["PostConstruct", "Resource"]),
    ("ee/inject/", &["Inject"]),
    ("com/google/inject/", &["Inject"]),
    ("org/springframework/beans/factory/annotation/", &["Autowired", "Value"]),
];
/// Fields that are set before all that.
const INJECTED: Rules = &[
    ("ee/annotation/", &["Resource"]),
    ("ee/ejb/", &["EJB"]),
    ("ee/inject/", &["Inject"]),
    ("ee/persistence/", &["PersistenceContext", "PersistenceUnit"]),
    ("ee/ws/rs/core/", &["Context"]),
    ("com/google/inject/", &["Inject"]),
    ("org/springframework/beans/factory/annotation/", &["Autowired", "Value"]),
];
/// What returns a bean.
const MAKES: Rules = &[
    ("org/springframework/context/annotation/", &["Bean"]),
    ("ee/enterprise/inject/", &["Produces"]),
    ("com/google/inject/", &["Provides"]),
    ("io/micronaut/context/annotation/", &["Bean"]),
];
/// What implements a type of a library and comes before all else, by the beginning of its name.
const BEGINNINGS: [&str; 10] = [
    "add",
    "afterPropertiesSet",
    "afterSingletonsInstantiated",
    "configure",
    "contextInitialized",
    "customize",
    "init",
    "onStartup",
    "postProcess",
    "set",
];
/// What comes after all else.
const ENDS: [&str; 4] = ["close", "contextDestroyed", "destroy", "stop"];
/// What is called once, when threads may come already (`CommandLineRunner`).
const RUN: &str = "run";
/// How deep annotations of annotations are looked at; they may go in circles.
const MAX_DEPTH: u8 = 8;

/// How many objects of a class there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// One, which all threads share.
    All,
    /// One for each request, or that one thread has at a time.
    Each,
    /// One for each that it is set in, or for each request.
    Prototype,
    /// Those that a method returns.
    Returned,
}

/// A method that is called on a bean.
pub type OnBean = (ClassId, MethodId);

/// What frameworks make and call.
#[derive(Clone, Default, Debug)]
pub struct Beans {
    /// Classes of beans.
    pub classes: Vec<(ClassId, Scope)>,
    /// What returns beans.
    pub makes: Vec<OnBean>,
    /// What is called before everything else.
    pub begins: Vec<OnBean>,
    /// What any number of threads call.
    pub called: Vec<OnBean>,
    /// What one thread calls.
    pub called_by_one: Vec<OnBean>,
    /// Fields that are set.
    pub injected: Vec<FieldId>,
    /// Types of beans that a method makes for each request.
    pub made_for_each: Vec<Type>,
}

impl Beans {
    /// Looks for them in the application.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let search = Search { program, has_quarkus: has_quarkus(program) };
        let concrete: Vec<ClassId> = program.application().filter(|class| is_concrete(program, *class)).collect();
        let classes = concrete.iter().filter_map(|class| Some((*class, search.scope(*class)?))).collect();
        let mut beans = Self { classes, ..Self::default() };
        let makes = search.makes(&beans.classes);
        let (for_each, makes): (Vec<_>, Vec<_>) =
            makes.into_iter().partition(|(_, method)| search.is_for_each(*method));
        beans.makes = makes;
        beans.made_for_each = for_each.iter().map(|(_, method)| program.signature(*method).result).collect();
        let returned = search.returned(&beans.makes);
        let known: BTreeSet<ClassId> = beans.classes.iter().map(|(class, _)| *class).collect();
        let is_returned = |class: &&ClassId| {
            !known.contains(class) && returned.iter().any(|above| program.is_subclass(**class, *above))
        };
        beans.classes.extend(concrete.iter().filter(is_returned).map(|class| (*class, Scope::Returned)));
        for (class, _) in beans.classes.clone() {
            beans.add(&search, class);
        }
        beans.injected.sort_unstable();
        beans.injected.dedup();
        beans
    }

    /// Whether nothing is called.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.called.is_empty() && self.called_by_one.is_empty()
    }

    /// Every method that is called, in the order of the classes.
    pub fn methods(&self, program: &Program) -> impl Iterator<Item = MethodId> + use<> {
        let made = self.classes.iter().filter(|(_, scope)| *scope != Scope::Returned);
        let constructors = made.flat_map(|(class, _)| constructors(program, *class));
        let on_beans = self.begins.iter().chain(&self.called).chain(&self.called_by_one).chain(&self.makes);
        let all: BTreeSet<MethodId> = constructors.chain(on_beans.map(|(_, method)| *method)).collect();
        all.into_iter()
    }

    fn add(&mut self, search: &Search<'_>, class: ClassId) {
        let program = search.program;
        for above in program.ancestors(class).filter(|above| program.class(*above).is_application) {
            for method in program.methods_of(above).filter(|method| search.is_callable(*method)) {
                let annotations = &program.method(method).annotations;
                let into = match search.callback(class, method) {
                    _ if search.has(annotations, CALLED) => &mut self.called,
                    _ if search.has(annotations, CALLED_BY_ONE) => &mut self.called_by_one,
                    _ if search.has(annotations, BEGINS) => &mut self.begins,
                    Some(Callback::First) => &mut self.begins,
                    Some(Callback::Once) => &mut self.called_by_one,
                    Some(Callback::Often) => &mut self.called,
                    None => continue,
                };
                into.push((class, method));
            }
            let is_injected = |field: &FieldId| search.has(&program.field(*field).annotations, INJECTED);
            self.injected.extend(program.fields_of(above).filter(is_injected));
        }
    }
}

/// When what implements a type of a library is called.
enum Callback {
    First,
    Once,
    Often,
}

struct Search<'p> {
    program: &'p Program,
    has_quarkus: bool,
}

impl Search<'_> {
    fn scope(&self, class: ClassId) -> Option<Scope> {
        let annotations = &self.program.class(class).annotations;
        let has = |rules| self.has(annotations, rules);
        let spring = || annotations.iter().find_map(|annotation| self.spring_scope(annotation, MAX_DEPTH));
        match () {
            () if has(OF_ALL) => Some(Scope::All),
            () if has(OF_EACH) => Some(Scope::Each),
            () if has(COMPONENTS) || self.is_servlet(class) => Some(spring().unwrap_or(Scope::All)),
            () if has(RESOURCES) => Some(if self.has_quarkus { Scope::All } else { Scope::Each }),
            () => None,
        }
    }

    /// Whether what a method returns is a request's own.
    fn is_for_each(&self, method: MethodId) -> bool {
        let annotations = &self.program.method(method).annotations;
        let spring = || annotations.iter().find_map(|annotation| self.spring_scope(annotation, MAX_DEPTH));
        self.has(annotations, OF_EACH) || spring() == Some(Scope::Each)
    }

    fn spring_scope(&self, annotation: &Annotation, depth: u8) -> Option<Scope> {
        let program = self.program;
        let names = program.names();
        if names.text(annotation.class) == SPRING_SCOPE {
            let name = annotation.strings.first().map(|(_, text)| names.text(*text));
            return Some(match name.as_deref() {
                None | Some("singleton" | "application") => Scope::All,
                Some("prototype") => Scope::Prototype,
                Some(_) => Scope::Each,
            });
        }
        let above = (depth > 0).then(|| program.find(annotation.class)).flatten()?;
        program.class(above).annotations.iter().find_map(|annotation| self.spring_scope(annotation, depth - 1))
    }

    /// Whether a servlet container makes one object of a class.
    fn is_servlet(&self, class: ClassId) -> bool {
        let is_theirs = |name: &str| {
            let name = name.strip_prefix("ee/servlet/").unwrap_or_default();
            matches!(name, "Servlet" | "Filter" | "GenericServlet" | "http/HttpServlet") || name.ends_with("Listener")
        };
        self.program.ancestors(class).any(|above| is_theirs(&plain(&self.program.class_name(above))))
    }

    /// Methods of beans, and static ones in their classes, that return beans.
    fn makes(&self, beans: &[(ClassId, Scope)]) -> Vec<OnBean> {
        let program = self.program;
        let makes = |method: &MethodId| {
            let data = program.method(*method);
            data.has_code() && data.access & flag::SYNTHETIC == 0 && self.has(&data.annotations, MAKES)
        };
        let of_bean = |class: ClassId| {
            let own = program.ancestors(class).filter(|above| program.class(*above).is_application);
            own.flat_map(|above| program.methods_of(above)).filter(makes).map(move |method| (class, method))
        };
        beans.iter().flat_map(|(class, _)| of_bean(*class)).collect()
    }

    /// What methods return, but for types of the JDK.
    fn returned(&self, makes: &[OnBean]) -> Vec<ClassId> {
        let results =
            makes.iter().filter_map(|(_, method)| self.program.class_of(self.program.signature(*method).result));
        let mut results: Vec<ClassId> = results.filter(|class| !self.program.is_of_jdk(*class)).collect();
        results.sort_unstable();
        results.dedup();
        results
    }

    fn is_callable(&self, method: MethodId) -> bool {
        let data = self.program.method(method);
        !data.is_static() && !data.is_constructor() && data.access & flag::SYNTHETIC == 0
    }

    /// When a method of a bean is called that a type of a library declares, if one does.
    fn callback(&self, class: ClassId, method: MethodId) -> Option<Callback> {
        let program = self.program;
        let data = program.method(method);
        let declares = |above: ClassId| {
            let declared = program.declared_method(above, data.name, data.descriptor);
            declared.is_some_and(|above| program.method(above).access & (flag::STATIC | flag::PRIVATE) == 0)
        };
        let is_of_library = |above: &ClassId| !program.class(*above).is_application && !program.is_of_jdk(*above);
        let is_of_object = || program.find(Name::OBJECT).is_some_and(declares);
        let is_theirs =
            data.has_code() && program.ancestors(class).filter(is_of_library).any(declares) && !is_of_object();
        let name = program.names().text(data.name);
        let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| name.starts_with(beginning));
        match () {
            () if !is_theirs || begins(&ENDS) => None,
            () if begins(&BEGINNINGS) => Some(Callback::First),
            () if name == RUN => Some(Callback::Once),
            () => Some(Callback::Often),
        }
    }

    /// Whether one of some annotations, or one of its own annotations, is among the rules.
    fn has(&self, annotations: &[Annotation], rules: Rules) -> bool {
        annotations.iter().any(|annotation| self.is_one(annotation, rules, MAX_DEPTH))
    }

    fn is_one(&self, annotation: &Annotation, rules: Rules, depth: u8) -> bool {
        let program = self.program;
        let name = plain(&program.names().text(annotation.class));
        let simple = name.rsplit('/').next().unwrap_or_default();
        let fits = |(package, names): &(&str, &[&str])| name.starts_with(package) && names.contains(&simple);
        let above = || (depth > 0).then(|| program.find(annotation.class)).flatten();
        rules.iter().any(fits)
            || above().is_some_and(|above| {
                program.class(above).annotations.iter().any(|annotation| self.is_one(annotation, rules, depth - 1))
            })
    }
}

/// A name of the Java EE by either of its packages.
fn plain(class: &str) -> String {
    let rest = class.strip_prefix("jakarta/").or_else(|| class.strip_prefix("javax/"));
    rest.map_or_else(|| class.to_owned(), |rest| format!("ee/{rest}"))
}

fn has_quarkus(program: &Program) -> bool {
    program.classes().any(|class| program.class_name(class).starts_with(QUARKUS))
}

/// The constructors of a class.
pub(super) fn constructors(program: &Program, class: ClassId) -> impl Iterator<Item = MethodId> + '_ {
    program.methods_of(class).filter(|method| program.method(*method).is_constructor())
}

/// The type of the objects of a class.
pub(super) fn type_of(program: &Program, class: ClassId) -> Type {
    Type::class(program.class(class).name)
}
