package remote;

import java.lang.management.ManagementFactory;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import javax.management.MXBean;
import javax.management.ObjectName;

/** The JDK calls methods of remote objects and of managed beans by reflection, in threads of its own. */
public class Main {
    interface Counting extends Remote {
        void count() throws RemoteException;
    }

    interface Plain {
        void count();
    }

    public interface CounterMBean {
        void count();
    }

    @MXBean
    public interface Gauge {
        int read();
    }

    static class Exported implements Counting {
        int counted; // type: unsafe

        @Override
        public void count() {
            counted++;
        }
    }

    public static class Counter implements CounterMBean {
        int counted; // type: unsafe

        @Override
        public void count() {
            counted++;
        }
    }

    public static class Meter implements Gauge {
        int readings; // type: unsafe

        @Override
        public int read() {
            return ++readings;
        }
    }

    static class Own implements Plain {
        int counted; // type: unique

        @Override
        public void count() {
            counted++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Exported exported = new Exported();
        Counting stub = (Counting) UnicastRemoteObject.exportObject(exported, 0);
        stub.count();
        exported.counted++;
        Counter counter = new Counter();
        ManagementFactory.getPlatformMBeanServer().registerMBean(counter, new ObjectName("remote:type=Counter"));
        counter.counted++;
        Meter meter = new Meter();
        ManagementFactory.getPlatformMBeanServer().registerMBean(meter, new ObjectName("remote:type=Meter"));
        meter.readings++;
        Own own = new Own();
        own.count();
        own.counted++;
    }
}
