package suite;

import java.io.File;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests get what their sources make, and nothing else. */
public class Provided {
    static class Account {
        int balance; // race
        int limit; // race
        int rate; // race

        void report() {}
    }

    /** No source makes one, nor does a test. */
    static class Audited extends Account {
        static int reports;

        @Override
        void report() {
            new Thread(() -> reports++).start();
            reports++;
        }
    }

    enum Level {
        LOW,
        HIGH;

        int uses; // race
    }

    /** JUnit makes it of a text. */
    static class Code {
        int reads; // race

        public Code(String text) {}
    }

    /** An extension gives it. */
    static class Session {
        int requests; // race
    }

    static class Sessions implements ParameterResolver {
        @Override
        public Object resolveParameter() {
            return new Session();
        }
    }

    static Stream<Arguments> accounts() {
        return Stream.of(1, 2).map(number -> Arguments.of(new Account()));
    }

    @ParameterizedTest
    @MethodSource("accounts")
    void deposits(Account account) {
        new Thread(() -> account.balance++).start();
        account.balance++;
        account.report();
    }

    static Stream<Supplier<Account>> suppliers() {
        return Stream.of(Account::new);
    }

    @ParameterizedTest
    @MethodSource("suppliers")
    void limits(Supplier<Account> supplier) {
        Account account = supplier.get();
        new Thread(() -> account.limit++).start();
        account.limit++;
        account.report();
    }

    static Object[][] named() {
        return new Object[][] {{"", new Account()}};
    }

    @ParameterizedTest
    @MethodSource
    void named(String name, Account account) {
        new Thread(() -> account.rate++).start();
        account.rate++;
    }

    /** Called like a test, but not by JUnit. */
    void deposits(Object helped) {
        Audited audited = new Audited();
        audited.report();
    }

    @ParameterizedTest
    void converted(Level level, Code code) {
        new Thread(() -> level.uses++).start();
        new Thread(() -> code.reads++).start();
        level.uses++;
        code.reads++;
    }

    @Test
    void resolved(Session session, File file) {
        new Thread(() -> session.requests++).start();
        session.requests++;
    }
}
