package dev.holdfast.broker.token;

import dev.holdfast.store.PrivateFolder;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a user's programs find the token of that user's broker: a file in a folder that only the user can look into, named
 * after the broker's address, so that nobody who listens elsewhere is ever shown it. It is made at the first start and stays
 * the same, as sessions that have it outlive a broker.
 */
public record TokenFile(Path path) {
    private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
    /** What can be sent as such a token, and is too long to be guessed. */
    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9._~+/=-]{32,512}");

    private static final int LONGEST = 1_024;
    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");

    /** @param listening where the broker listens */
    public static TokenFile of(Path state, InetSocketAddress listening) {
        String host = listening.getAddress() instanceof Inet4Address four ? four.getHostAddress() : "ip6";
        return new TokenFile(state.resolve("token-" + host + "-" + listening.getPort()));
    }

    /** The token, if there is a usable one. A link is none: it may lead to another's file. */
    public Optional<Token> read() throws IOException {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (InputStream file = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.of(new String(file.readNBytes(LONGEST), StandardCharsets.US_ASCII).strip())
                    .filter(text -> USABLE.matcher(text).matches())
                    .map(Token::new);
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /** The token, which is made if there is none, or if another user could have read or written it. */
    public Token readOrMake(SecureRandom random) throws IOException {
        Path folder = Objects.requireNonNull(path.getParent());
        boolean open = isOpenToOthers(); // asked first, as the next line closes it
        PrivateFolder.make(folder, true);
        Path made = Files.createTempFile(folder, "token", ".new"); // closed to others from the start
        try {
            if (open || isOfAnother(Files.getOwner(made))) {
                LOG.warn("other users could read {}; it has a new token now", path);
                Files.delete(path);
            }
            Optional<Token> there = read();
            if (there.isPresent()) {
                return there.get();
            }
            Files.deleteIfExists(path);
            Files.writeString(made, Token.random(random).text() + "\n");
            appear(made);
        } finally {
            Files.deleteIfExists(made);
        }
        return read().orElseThrow(() -> new IOException(path + " cannot be read"));
    }

    /** Whole or not at all; one that another machine with the same home has made meanwhile stays. */
    private void appear(Path made) throws IOException {
        try {
            Files.createLink(path, made);
        } catch (FileAlreadyExistsException _) {
            // it is as good as ours
        } catch (UnsupportedOperationException | FileSystemException _) {
            Files.move(made, path);
        }
    }

    private boolean isOpenToOthers() throws IOException {
        try {
            PosixFileAttributes about =
                    Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return about.isRegularFile() && !OWNERS.containsAll(about.permissions());
        } catch (NoSuchFileException | UnsupportedOperationException _) {
            return false;
        }
    }

    private boolean isOfAnother(UserPrincipal self) throws IOException {
        try {
            return !Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(self);
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /** Nobody finds a broker there any more. */
    public void forget() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.debug("{} is left behind", path, e);
        }
    }
}
