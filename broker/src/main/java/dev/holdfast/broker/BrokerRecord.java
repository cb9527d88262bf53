package dev.holdfast.broker;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.SecretSettings;
import dev.holdfast.store.PrivateFolder;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a broker serves, and where. {@code serve} writes it to the user's state folder, keyed by the broker's address,
 * so that whoever restarts a broker there starts the same one; and to the data folder, so that others can tell which
 * broker is using that. The former outlives the broker, unless its port was picked at random; the latter does not.
 *
 * @param database PostgreSQL's address, never with a password; null: SQLite in the data folder
 * @param chosen whether the store was named for this broker only (by flag, variable or the folder's settings), so that
 *     none of the user's own files says where it is
 * @param password whether the database's address had a password, which is not stored here
 * @param config the settings file it was given; null: none
 * @param folder the folder whose settings applied, and where it looks for projects; null: it belongs to no folder
 * @param pool the engine of its reviewers, if set by flag; null: not set by flag
 * @param anyPort whether any free port was picked
 */
record BrokerRecord(
        String url,
        long pid,
        Instant since,
        Path data,
        @Nullable String database,
        boolean chosen,
        boolean password,
        @Nullable Path config,
        @Nullable Path folder,
        @Nullable String pool,
        boolean anyPort) {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerRecord.class);
    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final String IN_DATA = "holdfast.broker.json";

    /** The last broker that this user had at an address, running or not; empty when there was none. */
    static Optional<BrokerRecord> at(Path state, String host, int port) {
        return port == 0 ? Optional.empty() : file(state, host, port).flatMap(BrokerRecord::read);
    }

    /** The same, but empty if its record cannot be read. */
    static Optional<BrokerRecord> last(Path state, String host, int port) {
        return port == 0 ? Optional.empty() : file(state, host, port).flatMap(BrokerRecord::ifReadable);
    }

    /** The broker that uses this data folder; empty when none is recorded there. */
    static Optional<BrokerRecord> of(Path data) {
        return ifReadable(data.resolve(IN_DATA));
    }

    boolean isOfTheSameStore(BrokerRecord other) {
        return store().equals(other.store());
    }

    /** Whether its data is there. */
    boolean isOf(Config.Storage store) {
        try {
            return (database == null && store.database() == null)
                    ? Files.isSameFile(data, store.data())
                    : store().equals(ServeCommand.described(store));
        } catch (IOException _) {
            return false; // one of the folders is gone
        }
    }

    /** Describes where its data is, without any password. */
    String store() {
        return ServeCommand.described(new Config.Storage(data, database, null, 0));
    }

    /** Whether it is still running, judging by its process id. */
    boolean isRunning() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    /** Makes the broker known to the user's programs. A broker works even if its record cannot be written. */
    void write(Path state) {
        try {
            PrivateFolder run = PrivateFolder.make(state, true);
            forgetOthers(state);
            URI address = URI.create(url);
            Optional<Path> file = file(state, address.getHost(), address.getPort());
            if (file.isPresent()) {
                write(run.path(), file.get());
            }
            if (database == null) {
                write(data, data.resolve(IN_DATA));
            }
        } catch (IOException e) {
            LOG.warn("cannot record this broker's address in {} and {}: {}", state, data, e.getMessage());
        }
    }

    /**
     * Call this when the broker has stopped. What it served stays on record for whoever starts the next one at its
     * address.
     */
    void stopped(Path state) {
        try {
            if (of(data).filter(last -> last.pid == pid).isPresent()) {
                Files.deleteIfExists(data.resolve(IN_DATA));
            }
            URI address = URI.create(url);
            Optional<Path> file = anyPort ? file(state, address.getHost(), address.getPort()) : Optional.empty();
            if (file.isPresent()) {
                Files.deleteIfExists(file.get());
            }
        } catch (IOException e) {
            LOG.debug("left behind", e);
        }
    }

    /** Deletes the records of brokers that died on picked ports: nobody will restart one there. */
    private static void forgetOthers(Path state) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(state, "broker-*.json")) {
            for (Path file : files) {
                if (ifReadable(file)
                        .filter(other -> other.anyPort && !other.isRunning())
                        .isPresent()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private void write(Path folder, Path file) throws IOException {
        Path made = Files.createTempFile(folder, "holdfast.", ".new"); // private from the start
        try {
            Files.writeString(made, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json()) + "\n");
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    private Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("url", url);
        json.put("pid", pid);
        json.put("since", since.toString());
        json.put("data", data.toString());
        json.put("database", SecretSettings.withoutPassword(database));
        json.put("chosen", chosen);
        json.put("password", password);
        json.put("config", config == null ? null : config.toString());
        json.put("folder", folder == null ? null : folder.toString());
        json.put("pool", pool);
        json.put("any_port", anyPort);
        return json;
    }

    private static Optional<BrokerRecord> ifReadable(Path file) {
        try {
            return read(file);
        } catch (StartException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<BrokerRecord> read(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            JsonNode json = MAPPER.readTree(Files.readAllBytes(file));
            return Optional.of(new BrokerRecord(
                    json.path("url").asString(),
                    json.path("pid").asLong(),
                    Instant.parse(json.path("since").asString()),
                    Path.of(json.path("data").asString()),
                    text(json, "database"),
                    json.path("chosen").asBoolean(),
                    json.path("password").asBoolean(),
                    path(json, "config"),
                    path(json, "folder"),
                    text(json, "pool"),
                    json.path("any_port").asBoolean()));
        } catch (IOException | RuntimeException e) {
            throw new StartException(
                    file + " records what the last broker there served, but cannot be read (" + e.getMessage()
                            + "); remove it, and start the broker by hand with 'holdfast serve'",
                    e);
        }
    }

    private static @Nullable String text(JsonNode json, String key) {
        return json.path(key).isString() ? json.path(key).asString() : null;
    }

    private static @Nullable Path path(JsonNode json, String key) {
        String written = text(json, key);
        return written == null ? null : Path.of(written);
    }

    /** Named like its token's file. */
    private static Optional<Path> file(Path state, String host, int port) {
        try {
            InetAddress address = InetAddress.getByName(Objects.requireNonNull(host));
            String name = address instanceof Inet4Address four ? four.getHostAddress() : "ip6";
            return Optional.of(state.resolve("broker-" + name + "-" + port + ".json"));
        } catch (UnknownHostException _) {
            return Optional.empty();
        }
    }
}
