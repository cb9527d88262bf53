package dev.holdfast.broker.doctor;

import dev.holdfast.broker.api.PemFiles;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.LoopbackAccess;
import dev.holdfast.broker.config.PoolConfig;
import dev.holdfast.broker.process.Accounts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Checks the broker's machine: programs, disk, files, and who could reach or overhear it. */
final class MachineChecks {
    private static final long GIGABYTE = 1L << 30;
    private static final long MEGABYTE = 1L << 20;
    private static final long LITTLE = GIGABYTE;
    private static final long TOO_LITTLE = 100 * MEGABYTE;
    private static final Duration SOON = Duration.ofDays(14);
    private static final Set<PosixFilePermission> OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private static final Set<PosixFilePermission> WORLD =
            Set.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    private final Config config;
    private final Path settings;
    private final List<String> exposed;
    private final Map<String, String> environment;
    private final InstantSource clock;
    private final List<CheckResult> findings = new ArrayList<>();

    MachineChecks(
            Config config, Path settings, List<String> exposed, Map<String, String> environment, InstantSource clock) {
        this.config = config;
        this.settings = settings;
        this.exposed = List.copyOf(exposed);
        this.environment = environment;
        this.clock = clock;
    }

    List<CheckResult> look() {
        programs();
        disk();
        files();
        reach();
        certificate();
        return findings;
    }

    private void programs() {
        program("git", "diffs are not checked, and the gate does not work");
        program("curl", "the hooks of coding agents do nothing");
        if (config.pool() != null) {
            pool(config.pool().engine());
        }
    }

    private void pool(PoolConfig.Engine engine) {
        String without = "the pool has no reviewers";
        switch (engine.name()) {
            case "codex", "claude" -> program(engine.program() == null ? engine.name() : engine.program(), without);
            case "command" -> program(engine.command().getFirst(), without);
            default -> {}
        }
    }

    /** @param name a path, or to be found on the PATH */
    private void program(String name, String without) {
        boolean path = name.contains("/");
        boolean found = path
                ? Files.isExecutable(Path.of(name))
                : List.of(environment.getOrDefault("PATH", "").split(java.io.File.pathSeparator, -1)).stream()
                        .filter(folder -> folder.startsWith("/"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
        findings.add(
                found
                        ? CheckResult.ok("program " + name, "is there")
                        : CheckResult.warning(
                                "program " + name,
                                (path ? "is not there" : "is not on the PATH") + ": without it " + without,
                                path
                                        ? "install it, or correct its path"
                                        : "install it, or add its folder to the PATH"));
    }

    private void disk() {
        Path folder = config.store().data();
        while (folder != null && !Files.exists(folder)) {
            folder = folder.getParent();
        }
        if (folder == null) {
            return;
        }
        try {
            long left = Files.getFileStore(folder).getUsableSpace();
            String text = Sizes.of(left) + " left at " + folder;
            String advice = "free some space: a broker whose disk is full answers busy";
            findings.add(
                    left < TOO_LITTLE
                            ? CheckResult.problem("disk", text, advice)
                            : left < LITTLE ? CheckResult.warning("disk", text, advice) : CheckResult.ok("disk", text));
        } catch (IOException e) {
            findings.add(CheckResult.warning("disk", "cannot determine the free space at " + folder, ""));
        }
    }

    private void files() {
        int before = findings.size();
        closed(config.store().data(), "holdfast.db*");
        closed(config.server().state(), "token-*");
        String token = environment.getOrDefault("HOLDFAST_TOKEN_FILE", "");
        if (token.startsWith("/")) {
            closed(Path.of(token), OTHERS, "600");
        }
        Config.Tls tls = config.server().tls();
        if (tls != null) {
            closed(tls.key(), WORLD, "640"); // a group may be what lets the broker's user in
        }
        exposed.forEach(one -> findings.add(CheckResult.problem("files", one, "")));
        if (findings.size() == before) {
            findings.add(CheckResult.ok("files", "data, tokens, keys and settings are private"));
        }
    }

    private void closed(Path folder, String names) {
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, names)) {
                files.forEach(file -> closed(file, OTHERS, "600"));
            } catch (IOException e) {
                findings.add(CheckResult.warning("files", "cannot read " + folder, ""));
            }
        }
    }

    private void closed(Path file, Set<PosixFilePermission> others, String mode) {
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    && file.getFileSystem().supportedFileAttributeViews().contains("posix")
                    && Files.getPosixFilePermissions(file).stream().anyMatch(others::contains)
                    && open(Objects.requireNonNull(file.toAbsolutePath().getParent()))) {
                findings.add(CheckResult.problem(
                        "files", file + " can be read by others", "run: chmod " + mode + " " + file));
            }
        } catch (IOException e) {
            findings.add(CheckResult.warning("files", "cannot tell who can read " + file, ""));
        }
    }

    /** Files in a folder that others cannot enter are unreadable to them. */
    private static boolean open(Path folder) throws IOException {
        Set<PosixFilePermission> of = Files.getPosixFilePermissions(folder);
        return of.contains(PosixFilePermission.GROUP_EXECUTE) || of.contains(PosixFilePermission.OTHERS_EXECUTE);
    }

    private void reach() {
        Config.Server server = config.server();
        boolean reachable;
        try {
            reachable = server.reachable();
            InetAddress address = InetAddress.getByName(server.host());
            if (!address.isAnyLocalAddress() && NetworkInterface.getByInetAddress(address) == null) {
                throw new UnknownHostException(server.host());
            }
        } catch (UnknownHostException | SocketException e) {
            findings.add(CheckResult.problem(
                    "network", server.host() + " is not an address of this machine", "correct server.host"));
            return;
        }
        if (reachable && server.tls() == null && server.trustedProxies().isEmpty()) {
            findings.add(CheckResult.problem(
                    "network",
                    "other machines reach it at " + server.host()
                            + " without TLS: tokens and code can be read in transit",
                    "set server.tls_certificate and server.tls_key, or use a proxy and set server.trusted_proxies"));
        } else {
            findings.add(CheckResult.ok(
                    "network",
                    !reachable ? "only this machine can reach it" : server.tls() == null ? "behind a proxy" : "TLS"));
        }
        List<String> others = Accounts.others();
        if (server.loopback() == LoopbackAccess.OPEN && !others.isEmpty()) {
            findings.add(CheckResult.warning(
                    "network",
                    "other people have accounts on this machine and can call the broker",
                    "set server.loopback to token in " + settings));
        }
    }

    private void certificate() {
        Config.Tls tls = config.server().tls();
        if (tls == null) {
            return;
        }
        try {
            KeyStore read = new PemFiles(tls).read(); // also finds a key that is not the certificate's
            X509Certificate certificate =
                    (X509Certificate) read.getCertificate(read.aliases().nextElement());
            Instant end = certificate.getNotAfter().toInstant();
            Duration left = Duration.between(clock.instant(), end);
            String text = tls.certificate() + " ends at " + end;
            findings.add(
                    left.isNegative()
                            ? CheckResult.problem(
                                    "certificate", text, "renew it; the broker picks up the new files automatically")
                            : left.compareTo(SOON) < 0
                                    ? CheckResult.warning(
                                            "certificate",
                                            text,
                                            "renew it; the broker picks up the new files automatically")
                                    : CheckResult.ok("certificate", text));
        } catch (IOException | KeyStoreException e) {
            findings.add(CheckResult.problem("certificate", String.valueOf(e.getMessage()), "correct the file"));
        }
    }
}
