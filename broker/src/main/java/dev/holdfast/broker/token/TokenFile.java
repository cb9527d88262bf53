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
 * The file in which a user's programs find the token of that user's broker. It is in a folder that only the user can
 * read, and named after the broker's address, so that the token is never sent to a program listening elsewhere. It is
 * created at the first start and then kept, because sessions that have the token outlive a broker.
 */
public record TokenFile(Path path) {
    private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
    /** Tokens that can be sent in a header and are too long to guess. */
    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9._~+/=-]{32,512}");

    private static final int LONGEST = 1_024;
    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");

    /** @param listening the address on which the broker listens */
    public static TokenFile of(Path state, InetSocketAddress listening) {
        String host = listening.getAddress() instanceof Inet4Address four ? four.getHostAddress() : "ip6";
        return new TokenFile(state.resolve("token-" + host + "-" + listening.getPort()));
    }

    /** The token, if there is a usable one. A link does not count: it may lead to another user's file. */
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

    /** The token; creates a new one if there is none, or if another user could have read or written it. */
    public Token readOrCreate(SecureRandom random) throws IOException {
        Path folder = Objects.requireNonNull(path.getParent());
        boolean open = isOpenToOthers(); // checked first, because the next line makes it private
        PrivateFolder.make(folder, true);
        Path made = Files.createTempFile(folder, "token", ".new"); // private from the start
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

    /** Publishes it atomically; if another machine that shares the home folder was faster, its token stays. */
    private void appear(Path made) throws IOException {
        try {
            Files.createLink(path, made);
        } catch (FileAlreadyExistsException _) {
            // that one is just as good
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

    /** Deletes the file: no broker will be found there any more. */
    public void forget() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.debug("{} is left behind", path, e);
        }
    }
}
