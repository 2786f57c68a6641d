import java.beans.FeatureDescriptor;
import java.beans.Introspector;
import java.beans.PropertyChangeSupport;
import java.beans.PropertyDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ServiceLoader;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.xml.namespace.QName;
import javax.xml.parsers.SAXParserFactory;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;
import org.xml.sax.helpers.XMLReaderFactory;

/** Calls of the JDK by which it may call the program unseen, in methods named {@code hides…}, and others that are like them. */
public final class Calls {
    static Object kept;

    static String tellsOfFields(Field field) {
        return field.getName() + field.getType() + field.getModifiers() + field.getDeclaringClass();
    }

    static int tellsNumber(Field field) throws Exception {
        field.setInt(null, 1);
        return field.getInt(null);
    }

    static int tellsBoxed(Field field) throws Exception {
        return (Integer) field.get(null);
    }

    static String tellsText(Field field, boolean first) throws Exception {
        Object text = first ? field.get(null) : field.get(field);
        return (String) text;
    }

    static Object hidesObject(Field field) throws Exception {
        return field.get(null);
    }

    static void hidesKept(Field field) throws Exception {
        kept = field.get(null);
    }

    static String hidesCalled(Field field) throws Exception {
        Object object = field.get(null);
        return object instanceof String ? (String) object : object.toString();
    }

    static Runnable hidesTask(Field field) throws Exception {
        return (Runnable) field.get(null);
    }

    static void hidesStored(Field field, Object value) throws Exception {
        field.set(null, value);
    }

    static void hidesInvoked(Method method) throws Exception {
        method.invoke(null);
    }

    static Object hidesMade(Constructor<?> constructor) throws Exception {
        return constructor.newInstance();
    }

    static Object tellsOfHandles() {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup().in(String.class);
        kept = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
        return lookup.lookupClass();
    }

    static MethodHandle hidesHandle(MethodHandles.Lookup lookup, String name) throws Exception {
        return lookup.findStatic(Calls.class, name, MethodType.methodType(void.class));
    }

    static String tellsOfConstants() {
        return java.lang.constant.ConstantDescs.CD_int.displayName();
    }

    static Object hidesConstant(MethodHandles.Lookup lookup, java.lang.constant.ConstantDesc constant) throws Exception {
        return constant.resolveConstantDesc(lookup);
    }

    static boolean tellsOfProxies(Object object) {
        return Proxy.isProxyClass(object.getClass());
    }

    static Object hidesProxy(java.lang.reflect.InvocationHandler handler) {
        return Proxy.newProxyInstance(Calls.class.getClassLoader(), new Class<?>[] {Runnable.class}, handler);
    }

    static long tellsTime(PreparedStatement statement, Timestamp time) throws SQLException {
        statement.setTimestamp(1, time);
        return new Timestamp(0).getTime();
    }

    static void tellsOfDrivers(java.sql.Driver driver) throws SQLException {
        DriverManager.registerDriver(driver);
    }

    static Object hidesConnection() throws SQLException {
        return DriverManager.getConnection("jdbc:");
    }

    static String tellsOfBeans(FeatureDescriptor feature, PropertyDescriptor property) {
        new PropertyChangeSupport(feature).firePropertyChange("a", 0, 1);
        return feature.getName() + property.getWriteMethod();
    }

    static Object hidesBean(Class<?> type) throws Exception {
        return Introspector.getBeanInfo(type);
    }

    static Object tellsOfXml(Attributes attributes) throws SAXException {
        new DefaultHandler().startElement("", "", "", attributes);
        return new QName(attributes.getValue(0));
    }

    static Object hidesParser() throws Exception {
        return SAXParserFactory.newInstance();
    }

    static Object hidesReader() throws Exception {
        return XMLReaderFactory.createXMLReader();
    }

    static Object tellsOfManagement() throws Exception {
        return new ObjectName("a:b=c").getCanonicalName();
    }

    static Object hidesManaged(Runnable object) throws Exception {
        return new StandardMBean(object, Runnable.class);
    }

    static Object hidesService() {
        return ServiceLoader.load(Runnable.class).iterator();
    }

    public static void main(String[] names) throws Exception {
        Field field = Class.forName(names[0]).getField(names[1]);
        Method method = Class.forName(names[0]).getMethod(names[1]);
        tellsOfFields(field);
        tellsNumber(field);
        tellsBoxed(field);
        tellsText(field, names.length > 2);
        tellsOfHandles();
        tellsOfProxies(names);
        tellsTime(null, new Timestamp(1));
        tellsOfDrivers(null);
        tellsOfBeans(new FeatureDescriptor(), new PropertyDescriptor("a", Calls.class));
        tellsOfXml(null);
        tellsOfManagement();
        hidesObject(field);
        hidesKept(field);
        hidesCalled(field);
        hidesTask(field);
        hidesStored(field, names);
        hidesInvoked(method);
        hidesMade(Class.forName(names[0]).getConstructor());
        tellsOfConstants();
        hidesConstant(MethodHandles.lookup(), names[0]);
        hidesHandle(MethodHandles.lookup(), names[0]);
        hidesProxy((proxy, called, arguments) -> null);
        hidesConnection();
        hidesBean(Calls.class);
        hidesParser();
        hidesReader();
        hidesManaged(() -> {});
        hidesService();
    }
}
