package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.ConfigException;
import dev.holdfast.broker.config.LoopbackAccess;
import dev.holdfast.broker.config.UserFolders;
import dev.holdfast.broker.process.Accounts;
import dev.holdfast.claim.Text;
import dev.holdfast.store.StoreException;
import dev.holdfast.store.UnreachableException;
import java.io.Console;
import java.io.PrintStream;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code holdfast serve}: runs a broker until it is stopped. */
public final class ServeCommand {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);
    private static final int CANNOT_START = 1;
    private static final int WRONG = 2;
    private static final int MAX_NAMES = 3;
    /** Under the ten seconds that we promise after SIGTERM, not counting the time for proxies. */
    private static final Duration STOPPING = Duration.ofSeconds(9);

    private static final Pattern POSTGRES = Pattern.compile("(?:jdbc:)?postgres(?:ql)?:(?://)?(?:[^@/]*@)?([^?]*).*");

    private ServeCommand() {}

    public static void main(String[] arguments) throws InterruptedException {
        int code = run(List.of(arguments), System.getenv(), System.out, System.err);
        if (code != 0) {
            System.exit(code);
        }
    }

    private static int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err)
            throws InterruptedException {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.print(ServeSettings.HELP);
            return 0;
        }
        UserFolders folders = UserFolders.ofThisUser();
        ServeSettings serveSettings = new ServeSettings(environment, Path.of("").toAbsolutePath(), folders);
        try {
            Config config = config(serveSettings, arguments, err);
            Optional<BrokerRecord> before = serveSettings.before(config);
            UnpackedLibrary library = UnpackedLibrary.inOwnFolder();
            Broker broker = started(config);
            BrokerRecord served = serveSettings.served(config, broker.url(), Instant.now());
            before.filter(other -> !other.isOfTheSameStore(served))
                    .ifPresent(other -> say(err, "until now, " + other.url() + " served " + other.store()));
            served.write(folders.state());
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> stop(
                                    () -> {
                                        broker.close();
                                        served.stopped(folders.state());
                                        library.delete();
                                    },
                                    STOPPING.plus(config.server().drain()),
                                    err),
                            "holdfast-stop"));
            List<String> notices = new ArrayList<>(List.of(serveSettings.pool(config)));
            warningOf(config.server()).ifPresent(notices::add);
            warningOf(Accounts.others(), config.server().loopback(), serveSettings.settingsFile())
                    .ifPresent(notices::add);
            Console console = System.console();
            boolean onTerminal = console != null && console.isTerminal();
            if (!onTerminal) { // so that a program waiting for the line below has read all notices by then
                notices.forEach(text -> say(err, text));
            }
            out.println("holdfast is ready on " + broker.url() + " (" + described(config.store()) + ")");
            out.flush();
            if (onTerminal) {
                notices.forEach(text -> say(err, text));
                NextSteps.of(broker.url(), NextSteps.program(System.getProperty("holdfast.launcher"), environment))
                        .forEach(err::println);
            }
            CountDownLatch never = new CountDownLatch(1); // runs until the process is stopped
            if (!arguments.contains("--background")) {
                never.await();
            }
            BackgroundLog log = BackgroundLog.in(folders.state());
            do {
                log.trim();
            } while (!never.await(1, TimeUnit.MINUTES));
            return 0;
        } catch (ServeSettings.UsageException e) {
            err.println("holdfast serve: " + e.getMessage() + "\nTry: holdfast serve --help");
            return WRONG;
        } catch (ConfigException e) {
            e.problems().forEach(problem -> say(err, problem));
            return WRONG;
        } catch (UnreachableException e) {
            err.println("holdfast: " + e.getMessage());
            return WRONG;
        } catch (StartException | StoreException e) {
            err.println("holdfast: " + e.getMessage());
            return CANNOT_START;
        } catch (RuntimeException e) {
            // an error inside a library, such as a file that is not a database: its message is all we have
            LOG.debug("cannot start", e);
            err.println("holdfast: cannot start: "
                    + String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " "));
            return CANNOT_START;
        }
    }

    /** If the store is in use, adds to the error where its broker answers. */
    private static Broker started(Config config) {
        try {
            return Broker.start(config);
        } catch (StoreException e) {
            throw BrokerRecord.of(config.store().data())
                    .filter(other -> config.store().database() == null && other.isRunning())
                    .map(other -> new StoreException(e.getMessage() + ". The other broker is at " + other.url(), e))
                    .orElse(e);
        }
    }

    /** Prints which files are used even when the settings are invalid. */
    private static Config config(ServeSettings serveSettings, List<String> arguments, PrintStream err) {
        try {
            return serveSettings.config(arguments);
        } finally {
            serveSettings.notices().forEach(notice -> say(err, notice));
        }
    }

    /** The warning when traffic to this broker can be overheard. */
    static Optional<String> warningOf(Config.Server server) {
        try {
            return server.reachable()
                            && server.tls() == null
                            && server.trustedProxies().isEmpty()
                    ? Optional.of(
                            "WARNING: other machines reach this broker at " + server.host() + " without TLS: everyone"
                                    + " on the network can read tokens and code, and use the tokens. Set server.tls_certificate and"
                                    + " server.tls_key, or put it behind a proxy and set server.trusted_proxies")
                    : Optional.empty();
        } catch (UnknownHostException notHere) {
            return Optional.empty(); // it would not have started
        }
    }

    /** The notice for a user who shares this machine. */
    static Optional<String> warningOf(List<String> others, LoopbackAccess loopback, Path settings) {
        return loopback == LoopbackAccess.TOKEN || others.isEmpty()
                ? Optional.empty()
                : Optional.of("other people have accounts on this machine ("
                        + String.join(", ", others.subList(0, Math.min(MAX_NAMES, others.size())))
                        + (others.size() > MAX_NAMES ? ", ..." : "")
                        + ") and can call this broker; to answer only your own programs, set server.loopback to token in "
                        + settings);
    }

    /** Settings may be somebody else's text if the working folder is. */
    private static void say(PrintStream err, String text) {
        err.println("holdfast: " + Text.printable(text));
    }

    /** Stops cleanly and exits with 0: being stopped is not a failure. */
    private static void stop(Runnable close, Duration patience, PrintStream err) {
        Thread stopping = Thread.ofPlatform().daemon().name("holdfast-close").start(close);
        boolean done;
        try {
            done = stopping.join(patience);
        } catch (InterruptedException _) {
            done = false;
        }
        if (!done) {
            err.println("holdfast: could not stop cleanly within " + patience.toSeconds()
                    + " s; nothing that was answered is lost");
        }
        err.flush();
        Runtime.getRuntime().halt(done ? 0 : CANNOT_START);
    }

    /** Describes where the data is, without any password. */
    static String described(Config.Storage store) {
        if (store.database() == null) {
            return "SQLite in " + store.data();
        }
        Matcher address = POSTGRES.matcher(store.database());
        String place = address.matches() ? address.group(1) : "";
        if (!place.contains("/")) {
            place = "localhost:5432/" + place;
        }
        return "PostgreSQL at " + (place.contains(":") ? place : place.replaceFirst("/", ":5432/"));
    }
}
