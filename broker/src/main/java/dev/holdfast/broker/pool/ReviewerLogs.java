package dev.holdfast.broker.pool;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * The logs of all reviewers in one folder, including ended ones, within a size limit.
 *
 * @param bytes the limit for all of them together; logs that must not be deleted yet count towards it
 */
record ReviewerLogs(Path folder, long bytes, Clock clock) {
    private static final Logger LOG = LoggerFactory.getLogger(ReviewerLogs.class);
    /** A limit on their number, however small they are: very large folders are slow. */
    static final int MAX = 1_000;

    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Pattern FILE = Pattern.compile("reviewer-(.+)\\.jsonl(\\.\\d)?");

    ReviewerLog begin(String reviewer, String session) {
        return new ReviewerLog(folder, reviewer, session, clock, ReviewerLog.FULL);
    }

    /** Whether any part of its log is stored here. */
    boolean has(String reviewer) {
        return Files.exists(ReviewerLog.file(folder, reviewer));
    }

    List<JsonNode> read(String reviewer, long after, int max) throws IOException {
        return ReviewerLog.read(folder, reviewer, after, max);
    }

    /** Polls the log of another broker's reviewer in a shared folder, as nothing notifies us of new records. */
    List<JsonNode> await(String reviewer, long after, int max, Duration patience)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        List<JsonNode> found = read(reviewer, after, max);
        while (found.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(LOOK);
            found = read(reviewer, after, max);
        }
        return found;
    }

    /** The size in bytes of each reviewer's log. */
    Map<String, Long> sizes() throws IOException {
        Map<String, Long> sizes = new HashMap<>();
        kept().forEach((reviewer, log) -> sizes.put(reviewer, log.bytes()));
        return sizes;
    }

    /** All log files of one reviewer. */
    private record Kept(String reviewer, Instant written, long bytes, List<Path> files) {
        Kept with(Kept other) {
            return new Kept(
                    reviewer,
                    written.isAfter(other.written) ? written : other.written,
                    bytes + other.bytes,
                    Stream.concat(files.stream(), other.files.stream()).toList());
        }
    }

    /**
     * Deletes whole logs, those written to least recently first, until the rest fits the limits.
     *
     * @param mayGo whether this reviewer's log, last written at this time, may be deleted
     */
    synchronized void tidy(BiPredicate<String, Instant> mayGo) {
        try {
            Map<String, Kept> logs = kept();
            long left = logs.values().stream().mapToLong(Kept::bytes).sum();
            int number = logs.size();
            for (Kept log : logs.values().stream()
                    .sorted(Comparator.comparing(Kept::written))
                    .toList()) {
                if (left <= bytes && number <= MAX) {
                    return;
                }
                if (mayGo.test(log.reviewer(), log.written())) {
                    for (Path file : log.files()) {
                        Files.deleteIfExists(file);
                    }
                    left -= log.bytes();
                    number--;
                    LOG.info("deleted the log of {} to make room for newer ones", log.reviewer());
                }
            }
        } catch (IOException e) {
            LOG.warn("cannot clean up {}: {}", folder, e.getMessage());
        }
    }

    private Map<String, Kept> kept() throws IOException {
        Map<String, Kept> logs = new HashMap<>();
        if (!Files.isDirectory(folder)) {
            return logs;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "reviewer-*")) {
            for (Path file : files) {
                Matcher name = FILE.matcher(file.getFileName().toString());
                if (name.matches()) {
                    add(logs, name.group(1), file);
                }
            }
        }
        return logs;
    }

    private static void add(Map<String, Kept> logs, String reviewer, Path file) throws IOException {
        try {
            BasicFileAttributes about =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (about.isRegularFile()) {
                logs.merge(
                        reviewer,
                        new Kept(reviewer, about.lastModifiedTime().toInstant(), about.size(), List.of(file)),
                        Kept::with);
            }
        } catch (NoSuchFileException _) {
            // it has just been rotated
        }
    }
}
