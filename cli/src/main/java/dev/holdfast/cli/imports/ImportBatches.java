package dev.holdfast.cli.imports;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends reviews to the broker in batches. One that the broker cannot even read is found and reported; the others go
 * through.
 */
final class ImportBatches {
    private static final int MAX_REVIEWS = 100;
    private static final long MAX_CHARACTERS = 2_000_000;

    private final BrokerClient broker;
    private final boolean dry;
    private final ImportReport report;
    private List<Map<String, ?>> waiting = new ArrayList<>();
    private long characters;

    ImportBatches(BrokerClient broker, boolean dry, ImportReport report) {
        this.broker = broker;
        this.dry = dry;
        this.report = report;
    }

    void add(Map<String, ?> review) {
        long length = Json.write(review).length();
        if (waiting.size() == MAX_REVIEWS || characters + length > MAX_CHARACTERS) {
            send();
        }
        waiting.add(review);
        characters += length;
    }

    /** Sends what is still queued. */
    void send() {
        List<Map<String, ?>> batch = waiting;
        waiting = new ArrayList<>();
        characters = 0;
        send(batch);
    }

    private void send(List<Map<String, ?>> batch) {
        if (batch.isEmpty()) {
            return;
        }
        Reply reply = broker.call("import_reviews", Map.of("reviews", batch, "dry_run", dry));
        if (reply.accepted()) {
            report.taken(batch, reply.json().objects("reviews"));
            return;
        }
        @Nullable String code = reply.json().text("code");
        if (!"invalid".equals(code) && !"too_large".equals(code)) {
            throw Failure.refused(
                    reply, "stopped after " + report.reviews() + " reviews (run it again: nothing is imported twice)");
        }
        if (batch.size() == 1) {
            report.refused(String.valueOf(batch.getFirst().get("id")), reply.error());
            return;
        }
        int middle = batch.size() / 2;
        send(batch.subList(0, middle));
        send(batch.subList(middle, batch.size()));
    }
}
