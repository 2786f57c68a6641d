package mocked;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;
import static util.Threads.thrice;

import org.mockito.MockedConstruction;
import org.mockito.MockedStatic;
import org.mockito.Mockito;

/** Mockito's inline mock maker retransforms the classes it mocks, and their superclasses. */
class Service {
    int calls; // race: Service.calls
    int guarded;

    synchronized int guarded() {
        return ++guarded;
    }

    int answer(int n) {
        calls++;
        return n;
    }

    final String finalMethod() {
        calls++;
        return "real";
    }
}

final class FinalService extends Service {
    int own; // race: FinalService.own

    @Override
    int answer(int n) {
        own++;
        return super.answer(n) + 1;
    }
}

record Value(String text) {
}

enum Kind {
    A, B
}

final class Statics {
    static int counter; // race: Statics.counter

    static int next() {
        return ++counter;
    }
}

public final class Main {
    static final Service REAL = new Service();
    static final FinalService REAL_FINAL = new FinalService();

    static void work() {
        REAL.answer(1);
        REAL.guarded();
        REAL_FINAL.answer(1);
        REAL_FINAL.finalMethod();
        Statics.next();
    }

    public static void main(String[] args) {
        thrice(Main::work);
        Service service = mock(Service.class);
        when(service.answer(3)).thenReturn(33);
        when(service.finalMethod()).thenReturn("mocked");
        when(service.guarded()).thenReturn(-1);
        System.out.println(service.answer(3) + " " + service.answer(4) + " " + service.finalMethod() + service.guarded());
        verify(service, times(1)).answer(4);
        FinalService finalService = mock(FinalService.class);
        when(finalService.answer(1)).thenReturn(7);
        System.out.println(finalService.answer(1) + " " + finalService.own);
        FinalService spied = spy(new FinalService());
        System.out.println(spied.answer(1) + " " + spied.own + " " + spied.calls + " " + spied.guarded());
        verify(spied).answer(1);
        Value value = mock(Value.class);
        when(value.text()).thenReturn("mocked record");
        System.out.println(value.text());
        try (MockedStatic<Statics> statics = mockStatic(Statics.class)) {
            statics.when(Statics::next).thenReturn(100);
            System.out.println(Statics.next());
        }
        try (MockedConstruction<FinalService> constructed = Mockito.mockConstruction(FinalService.class)) {
            System.out.println(new FinalService().answer(5) + " " + constructed.constructed().size());
        }
        thrice(Main::work);
        System.out.println(Kind.valueOf("A"));
        synchronized (REAL) {
            System.out.println(REAL.guarded);
        }
    }
}
