package dev.holdfast.broker;

import dev.holdfast.broker.config.SecretSettings;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Restarts the previous broker at an address, for a hook or bridge, with the same store and settings. A second store
 * behind the same address would grant claims that are held in the first.
 */
record PreviousBroker(BrokerRecord served) {
    static final String SOURCE = "the broker that was here before";

    /** Empty when there was no broker, or when the flags name a store. */
    static Optional<PreviousBroker> of(Settings flags, Path state) {
        boolean explicit = flags.source(Setting.DATA).isPresent()
                || flags.source(Setting.DATABASE).isPresent();
        return explicit
                ? Optional.empty()
                : BrokerRecord.at(state, flags.textOrDefault(Setting.HOST), Math.toIntExact(flags.number(Setting.PORT)))
                        .map(PreviousBroker::new);
    }

    /** The pool setting that it was given by flag. */
    Settings pool() {
        String engine = served.pool();
        return engine == null ? new Settings() : new Settings().put(Setting.POOL_ENGINE, engine, SOURCE);
    }

    /** The previous store, combined with what still applies from the environment and the files. */
    Settings over(Settings environment, Settings files, List<String> notices) {
        Settings rest = environment.without(Setting.DATA, Setting.DATABASE, Setting.DIRECT_DATABASE);
        Settings settings = served.chosen()
                ? store(environment).over(rest).over(without(files))
                : rest.over(files).over(store(files));
        check(settings, environment, notices);
        return settings;
    }

    private static Settings without(Settings files) {
        return files.without(Setting.DATA, Setting.DATABASE, Setting.DIRECT_DATABASE);
    }

    /** @param given where to find the password, if the store needs one */
    private Settings store(Settings given) {
        Settings store = new Settings().put(Setting.DATA, served.data().toString(), SOURCE);
        String database = served.database();
        if (database == null) {
            return store;
        }
        String known = given.text(Setting.DATABASE);
        if (database.equals(SecretSettings.withoutPassword(known))) {
            String direct = given.text(Setting.DIRECT_DATABASE);
            store.put(Setting.DATABASE, Objects.requireNonNull(known), SOURCE);
            return direct == null ? store : store.put(Setting.DIRECT_DATABASE, direct, SOURCE);
        }
        if (served.password()) {
            throw new StartException("the broker at " + served.url() + " served " + database
                    + ", whose password was not in a settings file; start it by hand with HOLDFAST_DATABASE, or put"
                    + " store.database into a settings file");
        }
        return store.put(Setting.DATABASE, database, SOURCE);
    }

    private void check(Settings settings, Settings environment, List<String> notices) {
        String database = settings.text(Setting.DATABASE);
        String data = settings.text(Setting.DATA);
        if (database == null && served.data().toString().equals(data) && !Files.isDirectory(served.data())) {
            throw new StartException("the broker at " + served.url() + " served the store in " + served.data()
                    + ", which is gone; restore it, or start another by hand with 'holdfast serve'");
        }
        noteIgnored("HOLDFAST_DATA", environment.text(Setting.DATA), data, notices);
        noteIgnored("HOLDFAST_DATABASE", environment.text(Setting.DATABASE), database, notices);
    }

    private void noteIgnored(String variable, @Nullable String said, @Nullable String used, List<String> notices) {
        if (said != null && !said.equals(used)) {
            notices.add("ignores " + variable + ": " + served.url() + " served another store, and keeps it;"
                    + " to use " + variable + ", stop this broker and run 'holdfast serve' by hand");
        }
    }
}
