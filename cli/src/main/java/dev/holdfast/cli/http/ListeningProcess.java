package dev.holdfast.cli.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;

/**
 * Checks who is listening at a local address, as reported by Linux, so that nobody can obtain another user's token by
 * taking the port while the broker is down. Unknown on other systems.
 */
public final class ListeningProcess {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final Path SELF = Path.of("/proc/self");

    /** Column numbers in the kernel's table. */
    private static final int LOCAL = 1;

    private static final int STATE = 3;
    private static final int USER = 7;
    private static final String LISTENING = "0A";

    private ListeningProcess() {}

    /**
     * Passes if this user is listening there, or root, from whom nothing is secret. A process that accepted the
     * connection but is no longer listening does not pass.
     *
     * @throws HttpFailure otherwise
     */
    public static void check(InetSocketAddress address) throws HttpFailure {
        try {
            if (TABLES.stream().noneMatch(Files::isReadable)) {
                return; // not Linux
            }
            OptionalInt owner = owner(address);
            if (owner.isEmpty()) {
                throw new HttpFailure(HttpFailure.Kind.NO_CONNECTION, "nothing is listening there any more", null);
            }
            if (owner.getAsInt() != 0 && owner.getAsInt() != self()) {
                throw new HttpFailure(
                        HttpFailure.Kind.STRANGER,
                        "a program of user " + owner.getAsInt() + " is listening there",
                        null);
            }
        } catch (HttpFailure refused) {
            throw refused;
        } catch (IOException | IllegalArgumentException e) {
            throw new HttpFailure(HttpFailure.Kind.STRANGER, "cannot find out who is listening there: " + e, e);
        }
    }

    private static int self() throws IOException {
        return (int) Files.getAttribute(SELF, "unix:uid");
    }

    /** A process listening on all addresses gets the calls only if none is listening on this one. */
    private static OptionalInt owner(InetSocketAddress address) throws IOException {
        OptionalInt ofAll = OptionalInt.empty();
        for (Path table : TABLES) {
            if (!Files.isReadable(table)) {
                continue;
            }
            try (BufferedReader lines = Files.newBufferedReader(table)) {
                lines.readLine(); // header
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] words = line.strip().split("\\s+");
                    if (words.length <= USER || !words[STATE].equals(LISTENING)) {
                        continue;
                    }
                    InetSocketAddress local = address(words[LOCAL]);
                    if (local.getPort() != address.getPort()) {
                        continue;
                    }
                    if (local.getAddress().equals(address.getAddress())) {
                        return OptionalInt.of(Integer.parseInt(words[USER]));
                    }
                    if (local.getAddress().isAnyLocalAddress()) {
                        ofAll = OptionalInt.of(Integer.parseInt(words[USER]));
                    }
                }
            }
        }
        return ofAll;
    }

    /** {@code 0100007F:2081} is 127.0.0.1:8321: groups of four bytes, each in this machine's byte order. */
    private static InetSocketAddress address(String text) throws IOException {
        int colon = text.indexOf(':');
        byte[] bytes = HexFormat.of().parseHex(text, 0, colon);
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
            for (int group = 0; group < bytes.length; group += 4) {
                swap(bytes, group, group + 3);
                swap(bytes, group + 1, group + 2);
            }
        }
        return new InetSocketAddress(InetAddress.getByAddress(bytes), Integer.parseInt(text.substring(colon + 1), 16));
    }

    private static void swap(byte[] bytes, int one, int other) {
        byte kept = bytes[one];
        bytes[one] = bytes[other];
        bytes[other] = kept;
    }
}
