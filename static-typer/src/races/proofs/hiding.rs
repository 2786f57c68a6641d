//! Methods of the JDK that call what the call graph does not show: by reflection, from native code, or in classes that they look for
//! by name.
//!
//! What such a method makes or returns is not known either. Calls on that are not listed: without the first one, there is nothing to call
//! them on. Neither is listed what only tells of classes and members, or reads and writes numbers by them: of these accesses the
//! agent tells.

use crate::program::{MethodId, Program};

/// A class, or a package with all below it; the beginnings of the names of methods, all if there are none.
type Row = (&'static str, &'static [&'static str]);

/// What hides calls or objects.
const HIDING: &[Row] = &[
    ("java/lang/Class", &["newInstance"]),
    ("java/lang/ClassLoader", &["<init>", "defineClass", "loadClass"]),
    ("java/lang/Runtime", &["load"]),
    ("java/lang/System", &["load"]),
    ("java/lang/constant/", &["resolve"]),
    ("java/lang/instrument/", &[]),
    ("java/lang/foreign/", &[]),
    ("java/lang/invoke/MethodHandle", &[]),
    ("java/lang/invoke/MethodHandleProxies", &[]),
    ("java/lang/invoke/MethodHandles", &[]),
    ("java/lang/ref/Cleaner", &[]),
    ("java/lang/reflect/Constructor", &["newInstance"]),
    ("java/lang/reflect/Field", &["get(", "set("]),
    ("java/lang/reflect/Method", &["invoke"]),
    ("java/lang/reflect/Proxy", &["getProxyClass", "newProxyInstance"]),
    ("java/awt/", &[]),
    ("java/beans/", &[]),
    ("java/io/ObjectInputStream", &[]),
    ("java/net/URLClassLoader", &[]),
    ("java/rmi/", &[]),
    ("java/sql/DriverManager", &["drivers", "getConnection", "getDriver"]),
    ("java/util/ServiceLoader", &[]),
    ("javax/management/", &[]),
    ("javax/naming/", &[]),
    ("javax/script/", &[]),
    ("javax/swing/", &[]),
    ("javax/xml/", &[]),
    ("org/xml/sax/helpers/NewInstance", &[]),
    ("org/xml/sax/helpers/ParserFactory", &[]),
    ("org/xml/sax/helpers/XMLReaderFactory", &[]),
    ("sun/misc/", &[]),
];

/// What of that does not.
const OPEN: &[Row] = &[
    ("java/beans/BeanDescriptor", &[]),
    ("java/beans/FeatureDescriptor", &[]),
    ("java/beans/IndexedPropertyChangeEvent", &[]),
    ("java/beans/IntrospectionException", &[]),
    ("java/beans/MethodDescriptor", &[]),
    ("java/beans/ParameterDescriptor", &[]),
    ("java/beans/PropertyChangeEvent", &[]),
    ("java/beans/PropertyChangeListener", &[]),
    ("java/beans/PropertyChangeListenerProxy", &[]),
    ("java/beans/PropertyChangeSupport", &[]),
    ("java/beans/PropertyDescriptor", &["<init>", "getPropertyType", "getReadMethod", "getWriteMethod"]),
    ("java/beans/PropertyVetoException", &[]),
    ("java/beans/VetoableChangeListener", &[]),
    ("java/beans/VetoableChangeSupport", &[]),
    (
        "java/lang/invoke/MethodHandles",
        &[
            "arrayElementVarHandle",
            "byteArrayViewVarHandle",
            "byteBufferViewVarHandle",
            "lookup(",
            "privateLookupIn",
            "publicLookup",
        ],
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup",
        &[
            "dropLookupMode",
            "findClass",
            "findStaticVarHandle",
            "findVarHandle",
            "in(",
            "lookupClass",
            "lookupModes",
            "unreflectVarHandle",
        ],
    ),
    ("javax/management/Attribute", &["<init>", "getName"]),
    ("javax/management/ObjectName", &[]),
    ("javax/xml/namespace/QName", &[]),
    ("javax/xml/parsers/FactoryConfigurationError", &[]),
    ("javax/xml/parsers/ParserConfigurationException", &[]),
    ("javax/xml/stream/Location", &[]),
    ("javax/xml/stream/XMLStreamException", &[]),
    ("javax/xml/transform/SourceLocator", &[]),
    ("javax/xml/transform/TransformerConfigurationException", &[]),
    ("javax/xml/transform/TransformerException", &[]),
    ("javax/xml/transform/stream/StreamResult", &[]),
    ("javax/xml/transform/stream/StreamSource", &[]),
    (
        "sun/misc/Unsafe",
        &[
            "addressSize",
            "allocateMemory",
            "arrayBaseOffset",
            "arrayIndexScale",
            "compareAndSwapInt",
            "compareAndSwapLong",
            "freeMemory",
            "fullFence",
            "getUnsafe",
            "loadFence",
            "objectFieldOffset",
            "pageSize",
            "park",
            "setMemory",
            "staticFieldOffset",
            "storeFence",
            "unpark",
        ],
    ),
];

/// Calls that run code of the program which no search follows, however it is used.
const UNFOLLOWED: &[Row] = &[
    ("java/beans/EventHandler", &["create"]),
    ("java/beans/XMLDecoder", &["readObject"]),
    ("java/io/ObjectInputStream", &["readObject", "readUnshared"]),
    ("java/lang/ClassLoader", &["defineClass"]),
    ("java/lang/instrument/Instrumentation", &["addTransformer"]),
    ("java/lang/invoke/MethodHandle", &["invoke"]),
    ("java/lang/invoke/MethodHandleProxies", &["asInterfaceInstance"]),
    ("java/lang/invoke/MethodHandles$Lookup", &["defineClass", "defineHiddenClass"]),
    ("java/rmi/server/UnicastRemoteObject", &["<init>", "exportObject"]),
    ("javax/management/MBeanServer", &["createMBean", "registerMBean"]),
    ("javax/naming/Context", &["lookup"]),
    ("javax/naming/InitialContext", &["lookup"]),
    ("javax/script/Compilable", &[]),
    ("javax/script/CompiledScript", &["eval"]),
    ("javax/script/Invocable", &[]),
    ("javax/script/ScriptEngine", &["eval"]),
    ("sun/misc/Signal", &["handle"]),
];

/// Whether a call of a method runs code that is not followed.
pub fn is_unfollowed(program: &Program, method: MethodId) -> bool {
    is_in(UNFOLLOWED, program, method)
}

/// Whether a method may hide calls or objects.
pub fn is_hiding(program: &Program, method: MethodId) -> bool {
    is_in(HIDING, program, method) && !is_in(OPEN, program, method)
}

fn is_in(rows: &[Row], program: &Program, method: MethodId) -> bool {
    let name = program.names().text(program.method(method).name);
    let class = program.class_name(program.method(method).class);
    rows.iter().any(|row| has(row, &class, &name))
}

/// Whether a row has a method. With its classes, one has those inside of them.
fn has((listed, methods): &Row, class: &str, name: &str) -> bool {
    let is_named = |beginning: &&str| match beginning.strip_suffix('(') {
        Some(whole) => name == whole,
        None => name.starts_with(beginning),
    };
    let rest = class.strip_prefix(listed);
    rest.is_some_and(|rest| rest.is_empty() || listed.ends_with('/') || rest.starts_with('$'))
        && (methods.is_empty() || methods.iter().any(is_named))
}
