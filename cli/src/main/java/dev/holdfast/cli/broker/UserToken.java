package dev.holdfast.cli.broker;

import dev.holdfast.cli.http.Address;
import dev.holdfast.cli.http.HttpFailure;
import dev.holdfast.cli.http.Listener;
import dev.holdfast.cli.http.TokenSource;
import dev.holdfast.cli.terminal.Shell;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What proves to a broker that its own user calls: {@code HOLDFAST_TOKEN}, else the token that the broker has put into a file
 * for its user, which is named after the broker's address. It is read anew for every call, as a broker may make it at any time.
 */
public final class UserToken implements TokenSource {
    private static final String IP6 = "ip6";

    private final Path state;
    private final @Nullable String given;

    private UserToken(Path state, @Nullable String given) {
        this.state = state;
        this.given = given;
    }

    public static UserToken of(Shell shell) {
        String given = shell.variable("HOLDFAST_TOKEN");
        if (given != null && !isSendable(given)) {
            throw Failure.invalid("HOLDFAST_TOKEN has characters that a token cannot have; set it to the token alone");
        }
        return new UserToken(StateFolder.of(shell), given);
    }

    private static boolean isSendable(String token) {
        return token.chars().allMatch(c -> c > ' ' && c < 127);
    }

    @Override
    public @Nullable String tokenFor(InetSocketAddress peer) throws HttpFailure {
        if (given != null || !peer.getAddress().isLoopbackAddress()) {
            return given;
        }
        String host = peer.getAddress() instanceof Inet4Address four ? four.getHostAddress() : IP6;
        String kept = read(file(host, peer.getPort()));
        if (kept != null || isFor("127.0.0.1", peer) || isFor(IP6, peer)) {
            Listener.check(peer); // localhost leads to either address, and the broker listens at one of them
        }
        return kept;
    }

    private boolean isFor(String host, InetSocketAddress peer) {
        return Files.exists(file(host, peer.getPort()));
    }

    /** What would be sent there; null: nothing. */
    public @Nullable String at(Address address) {
        return given != null ? given : address.isLoopback() ? read(file(address)) : null;
    }

    /** What a user should know who was not let in. */
    String explained(Address address) {
        if (given != null) {
            return "the token in HOLDFAST_TOKEN was sent";
        }
        if (!address.isLoopback()) {
            return "no token was sent: HOLDFAST_TOKEN is not set";
        }
        Path file = file(address);
        return Files.exists(file)
                ? "the token in " + file + " was sent"
                : "no token was sent: HOLDFAST_TOKEN is not set and there is no " + file;
    }

    /** The file that a broker at this address has for its user; localhost may be either of two. */
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
