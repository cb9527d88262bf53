package dev.holdfast.cli.server;

import dev.holdfast.cli.broker.StateFolder;
import dev.holdfast.cli.http.Address;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Shell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The record that the broker at an address keeps in the user's state folder: its process, store and settings. It
 * remains after the broker has stopped.
 */
record ServedBroker(JsonObject record) {
    private static final String ANY = "0.0.0.0";
    private static final String IP6 = "ip6";

    /** The running one, if there were several: one that listens on all addresses also answers at this one. */
    static Optional<ServedBroker> at(Shell shell, Address address) {
        String host = address.host().equalsIgnoreCase("localhost")
                ? "127.0.0.1"
                : address.host().indexOf(':') >= 0 ? IP6 : address.host();
        List<ServedBroker> known = (isOfThisMachine(address) ? Stream.of(host, ANY, IP6) : Stream.of(host))
                .distinct()
                .flatMap(each -> read(shell, each, address.port()).stream())
                .toList();
        return known.stream()
                .filter(each -> each.process().isPresent())
                .findFirst()
                .or(() -> known.stream().findFirst());
    }

    /** Also true for the address that stands for all of its addresses. */
    static boolean isOfThisMachine(Address address) {
        return address.isLoopback()
                || address.host().equals(ANY)
                || address.host().equals("::")
                || isOfAnInterface(address.host());
    }

    /** Only for addresses, not names: those could point elsewhere by now. */
    private static boolean isOfAnInterface(String host) {
        try {
            return NetworkInterface.getByInetAddress(InetAddress.ofLiteral(host)) != null;
        } catch (IllegalArgumentException | SocketException none) {
            return false;
        }
    }

    private static Optional<ServedBroker> read(Shell shell, String host, int port) {
        Path file = StateFolder.of(shell).resolve("broker-" + host + "-" + port + ".json");
        try {
            JsonObject read = JsonObject.of(Json.read(Files.readString(file)));
            return read.number("pid") == null ? Optional.empty() : Optional.of(new ServedBroker(read));
        } catch (IOException | NotJsonException none) {
            return Optional.empty();
        }
    }

    /** Where its data is. */
    String store() {
        String database = record.text("database");
        return database == null
                ? "SQLite in " + JsonText.text(record, "data")
                : "PostgreSQL at " + JsonText.text(record, "database");
    }

    /**
     * Its process, if still running. A process that has reused the pid does not count: it started after the broker
     * wrote this record.
     */
    Optional<ProcessHandle> process() {
        Number pid = record.number("pid");
        Instant since = JsonText.instant(record, "since");
        return pid == null || since == null
                ? Optional.empty()
                : ProcessHandle.of(pid.longValue())
                        .filter(ProcessHandle::isAlive)
                        .filter(process -> process.info()
                                .startInstant()
                                .map(began -> !began.isAfter(since.plusSeconds(1)))
                                .orElse(false));
    }
}
