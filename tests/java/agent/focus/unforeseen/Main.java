package unforeseen;

import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import javax.security.auth.spi.LoginModule;
import util.Threads;

/** What the JDK makes by a name in a configuration, no instruction makes or calls. */
public final class Main {
    private Main() {}

    public static final class Box implements LoginModule {
        static int shown; // race: Main$Box.shown

        @Override
        public void initialize(Subject subject, CallbackHandler handler, Map<String, ?> shared, Map<String, ?> options) {}

        @Override
        public boolean login() {
            shown++;
            count();
            return true;
        }

        @Override
        public boolean commit() {
            return true;
        }

        @Override
        public boolean abort() {
            return true;
        }

        @Override
        public boolean logout() {
            return true;
        }
    }

    static final class Named extends Configuration {
        @Override
        public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
            var required = AppConfigurationEntry.LoginModuleControlFlag.REQUIRED;
            return new AppConfigurationEntry[] {new AppConfigurationEntry("unforeseen.Main$Box", required, Map.of())};
        }
    }

    static int counted; // race: Main.counted

    static void count() {
        counted++;
    }

    private static void show() {
        try {
            for (int i = 0; i < 3; i++) {
                new LoginContext("box", new Subject(), null, new Named()).login();
            }
        } catch (LoginException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        count();
        Threads.each(Main::show, Main::show, Main::show);
    }
}
