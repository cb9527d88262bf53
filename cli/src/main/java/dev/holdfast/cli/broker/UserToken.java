package dev.holdfast.cli.broker;

import dev.holdfast.cli.http.Address;
import dev.holdfast.cli.http.HttpFailure;
import dev.holdfast.cli.http.ListeningProcess;
import dev.holdfast.cli.http.TlsTrust;
import dev.holdfast.cli.http.TokenSource;
import dev.holdfast.cli.terminal.Shell;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Provides the token for a broker: {@code HOLDFAST_TOKEN}, else the content of the file that
 * {@code HOLDFAST_TOKEN_FILE} names, else the token that the broker has stored for its user in a file named after its
 * address. Files are read for every call, because a token may be created or changed at any time.
 */
public final class UserToken implements TokenSource {
    private static final String IP6 = "ip6";

    private final Path state;
    private final @Nullable String variable;
    private final @Nullable Path named;
    private final TlsTrust trust;

    private UserToken(Path state, @Nullable String variable, @Nullable Path named, TlsTrust trust) {
        this.state = state;
        this.variable = variable;
        this.named = named;
        this.trust = trust;
    }

    public static UserToken of(Shell shell) {
        String given = shell.variable("HOLDFAST_TOKEN");
        if (given != null && !isSendable(given)) {
            throw Failure.invalid("HOLDFAST_TOKEN has characters that a token cannot have; set it to the token alone");
        }
        return new UserToken(
                StateFolder.of(shell),
                given,
                path(shell, "HOLDFAST_TOKEN_FILE"),
                new TlsTrust(existing(path(shell, "HOLDFAST_CA"), "HOLDFAST_CA")));
    }

    private static @Nullable Path path(Shell shell, String variable) {
        String text = shell.variable(variable);
        try {
            return text == null ? null : shell.folder().resolve(text);
        } catch (InvalidPathException e) {
            throw Failure.invalid(variable + " is not a file name: " + e.getMessage());
        }
    }

    private static @Nullable Path existing(@Nullable Path file, String variable) {
        if (file != null && Files.notExists(file)) {
            throw Failure.invalid(file + " (" + variable + ") does not exist");
        }
        return file;
    }

    /** How to verify that a broker is the intended one. */
    TlsTrust trust() {
        return trust;
    }

    /** The token that the user has set, for any broker; null: none. */
    private @Nullable String given() {
        if (variable != null || named == null) {
            return variable;
        }
        existing(named, "HOLDFAST_TOKEN_FILE");
        try {
            if (PrivateFiles.isOpenToOthers(named)) {
                throw Failure.invalid(named + " (HOLDFAST_TOKEN_FILE) can be read by others; run: chmod 600 " + named);
            }
        } catch (IOException e) {
            throw Failure.failed("cannot read the token in " + named + ": " + IoReason.of(e), e);
        }
        String token = read(named);
        if (token == null) {
            throw Failure.invalid(named + " (HOLDFAST_TOKEN_FILE) has no token in it");
        }
        return token;
    }

    private static boolean isSendable(String token) {
        return token.chars().allMatch(c -> c > ' ' && c < 127);
    }

    @Override
    public @Nullable String tokenFor(InetSocketAddress peer) throws HttpFailure {
        String given = given();
        if (given != null || !peer.getAddress().isLoopbackAddress()) {
            return given;
        }
        String host = peer.getAddress() instanceof Inet4Address four ? four.getHostAddress() : IP6;
        String kept = read(file(host, peer.getPort()));
        if (kept != null || isFor("127.0.0.1", peer) || isFor(IP6, peer)) {
            ListeningProcess.check(
                    peer); // localhost may resolve to either address, and the broker listens on one of them
        }
        return kept;
    }

    private boolean isFor(String host, InetSocketAddress peer) {
        return Files.exists(file(host, peer.getPort()));
    }

    /** The token that would be sent there; null: none. */
    public @Nullable String at(Address address) {
        String given = given();
        return given != null ? given : address.isLoopback() ? read(file(address)) : null;
    }

    /** What to tell a user who was not admitted. */
    String explained(Address address) {
        if (variable != null) {
            return "the token in HOLDFAST_TOKEN was sent";
        }
        if (named != null) {
            return "the token in " + named + " was sent";
        }
        if (!address.isLoopback()) {
            return "no token was sent: neither HOLDFAST_TOKEN nor HOLDFAST_TOKEN_FILE is set";
        }
        Path file = file(address);
        return Files.exists(file)
                ? "the token in " + file + " was sent"
                : "no token was sent: HOLDFAST_TOKEN is not set and there is no " + file;
    }

    /** The file that a broker at this address has for its user; localhost may mean either of two. */
    public Path file(Address address) {
        Path four = file(address.host().equalsIgnoreCase("localhost") ? "127.0.0.1" : address.host(), address.port());
        Path six = file(IP6, address.port());
        boolean isSix = address.host().equals("::1")
                || (address.host().equalsIgnoreCase("localhost") && !Files.exists(four) && Files.exists(six));
        return isSix ? six : four;
    }

    private Path file(String host, int port) {
        return state.resolve("token-" + host + "-" + port);
    }

    private static @Nullable String read(Path file) {
        try {
            String token = Files.readString(file).strip();
            return !token.isEmpty() && isSendable(token) ? token : null;
        } catch (NoSuchFileException none) {
            return null;
        } catch (IOException e) {
            throw Failure.failed("cannot read the broker's token in " + file + ": " + IoReason.of(e), e);
        }
    }
}
