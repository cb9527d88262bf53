package dev.holdfast.broker.pool;

import dev.holdfast.store.PrivateFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The log of one reviewer: its output and what happened to it, one JSON object per line, in a rotating file. {@code
 * reviewer-<id>.jsonl} is the current one; {@code .1} to {@code .5} are older, {@code .5} the oldest. A full disk loses
 * records but never stops the reviewer.
 */
final class ReviewerLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReviewerLog.class);
    private static final JsonMapper MAPPER = JsonMapper.shared();
    /** Always with milliseconds, even if they are zero, like every other time that callers see. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    static final long FULL = 5 << 20;
    static final int KEPT = 5;

    private final Path folder;
    private final Path file;
    private final String reviewer;
    private final String session;
    private final Clock clock;
    private final long full;
    private @Nullable OutputStream out;
    private long size;
    private long number;
    private boolean complained;

    ReviewerLog(Path folder, String reviewer, String session, Clock clock, long full) {
        this.folder = folder;
        this.reviewer = reviewer;
        this.session = session;
        this.clock = clock;
        this.full = full;
        file = file(folder, reviewer);
    }

    static Path file(Path folder, String reviewer) {
        return folder.resolve("reviewer-" + reviewer + ".jsonl");
    }

    /** Logs something that happened to the reviewer. */
    void event(String event, Map<String, ?> more) {
        Map<String, @Nullable Object> record = record(event);
        record.putAll(more);
        write(record);
    }

    /** Logs its output. A line that is too long is logged in parts, each but the last marked as continued. */
    void output(String stream, String text, boolean continued) {
        Map<String, @Nullable Object> record = record("reviewer_output");
        record.put("stream", stream);
        record.put("message", text);
        if (continued) {
            record.put("continued", true);
        }
        write(record);
    }

    private Map<String, @Nullable Object> record(String event) {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("ts", TIME.format(clock.instant()));
        record.put("event", event);
        record.put("reviewer_id", reviewer);
        record.put("session_token", session);
        return record;
    }

    private synchronized void write(Map<String, @Nullable Object> record) {
        record.put("n", ++number);
        byte[] line = (MAPPER.writeValueAsString(record) + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        try {
            if (size + line.length > full && size > 0) {
                rotate();
            }
            OutputStream open = out == null ? open() : out;
            open.write(line);
            size += line.length;
        } catch (IOException e) {
            if (!complained) {
                LOG.warn("cannot write the log of {}: {}", reviewer, e.getMessage());
                complained = true;
            }
        }
        notifyAll();
    }

    private OutputStream open() throws IOException {
        PrivateFolder.make(folder, true).file(file.getFileName().toString());
        out = Files.newOutputStream(file, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
        size = Files.size(file);
        return out;
    }

    private void rotate() throws IOException {
        close();
        for (int i = KEPT - 1; i >= 0; i--) {
            Path from = before(file, i);
            if (Files.exists(from)) {
                Files.move(from, before(file, i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        open();
    }

    private static Path before(Path file, int times) {
        return times == 0 ? file : file.resolveSibling(file.getFileName() + "." + times);
    }

    /** Waits until there is a record after this one, or until the time is up. */
    synchronized void await(long after, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        long left = patience.toMillis();
        while (number <= after && left > 0) {
            wait(left);
            left = (deadline - System.nanoTime()) / 1_000_000;
        }
    }

    /** The stored records after this number, oldest first; empty when there is no such log. */
    static List<JsonNode> read(Path folder, String reviewer, long after, int max) throws IOException {
        Path file = file(folder, reviewer);
        List<JsonNode> found = new ArrayList<>();
        for (int i = KEPT; i >= 0 && found.size() < max; i--) {
            try (Stream<String> lines = Files.lines(before(file, i))) {
                lines.map(ReviewerLog::parsed)
                        .filter(record -> record.path("n").asLong(0) > after)
                        .limit(max - found.size())
                        .forEach(found::add);
            } catch (NoSuchFileException _) {
                // fewer old files than that so far
            }
        }
        return found;
    }

    /** The last line may be incomplete while the file is being written. */
    private static JsonNode parsed(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (JacksonException _) {
            return MAPPER.createObjectNode();
        }
    }

    @Override
    public synchronized void close() {
        try {
            if (out != null) {
                out.close();
            }
        } catch (IOException e) {
            LOG.debug("closing the log of {}: {}", reviewer, e.getMessage());
        }
        out = null;
    }
}
