package dev.holdfast.work.beads;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.LockedClaim;
import dev.holdfast.claim.Text;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import dev.holdfast.work.DependencyTable;
import dev.holdfast.work.ItemChanges;
import dev.holdfast.work.ItemRow;
import dev.holdfast.work.ItemTable;
import dev.holdfast.work.WorkItem;
import dev.holdfast.work.WorkLimits;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * Imports lines of a beads export. An item with a known id is changed only where its line has changed since the last
 * import, so that an import can be repeated without undoing what was done here meanwhile.
 *
 * <p>Nothing from an import is offered until its last part has arrived, which may contain what an item waits for.
 */
public final class BeadsImport {
    private static final int AT_ONCE = 50;

    private static final Sql KEEP_LINE = Sql.of("""
            INSERT INTO beads_lines (key, line) VALUES (:key, :line)
            ON CONFLICT (key) DO UPDATE SET line = excluded.line
            """);

    private final ItemChanges changes;
    private final BeadsUpsert taking;

    BeadsImport(ItemChanges changes, BeadsUpsert taking) {
        this.changes = changes;
        this.taking = taking;
    }

    /**
     * @param queue for items whose line names none
     * @param more more parts follow; nothing is offered yet
     * @param mayHold whether the caller may let somebody of this name hold an item
     */
    public BeadsReport take(List<String> lines, String queue, boolean more, Predicate<String> mayHold) {
        String key = WorkLimits.queue(queue);
        BeadsReport report = new BeadsReport();
        List<BeadsLine> issues = new ArrayList<>();
        Map<String, String> others = new LinkedHashMap<>();
        read(lines, issues, others, report);
        // oldest first: of equally urgent items, the older one is done first
        issues.sort(Comparator.comparing(
                line -> Objects.requireNonNullElse(line.issue().createdAt(), Instant.MAX)));
        for (int from = 0; from < issues.size(); from += AT_ONCE) {
            List<BeadsLine> some = issues.subList(from, Math.min(from + AT_ONCE, issues.size()));
            report.add(changes.store().write(transaction -> take(transaction, some, key, mayHold)));
        }
        if (!others.isEmpty()) {
            changes.store().write(transaction -> keep(transaction, others));
        }
        if (!more) {
            finish();
        }
        return report;
    }

    /** @param others lines that are not issues, by the key to keep them under */
    private static void read(
            List<String> lines, List<BeadsLine> issues, Map<String, String> others, BeadsReport report) {
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i).strip();
            if (text.isEmpty()) {
                continue;
            }
            try {
                ObjectNode json = BeadsFormat.read(text);
                String kind = json.path("_type").asString("issue");
                if (json.has("_schema") || json.path("status").asString("").equals("tombstone")) {
                    report.countSkipped();
                } else if (kind.equals("issue")) {
                    issues.add(new BeadsLine(i + 1, text, BeadsIssue.of(json, text)));
                } else {
                    others.put(
                            Text.storable(
                                    "_type or key",
                                    kind + ":" + json.path("key").asString(text)),
                            text);
                    report.countMemory();
                }
            } catch (InvalidException e) {
                report.problem(i + 1, String.valueOf(e.getMessage()));
            }
        }
    }

    private static int keep(Transaction transaction, Map<String, String> lines) throws SQLException {
        for (Map.Entry<String, String> line : lines.entrySet()) {
            transaction.update(KEEP_LINE, p -> p.text("key", line.getKey()).text("line", line.getValue()));
        }
        return lines.size();
    }

    private BeadsReport take(Transaction transaction, List<BeadsLine> lines, String queue, Predicate<String> mayHold)
            throws SQLException {
        BeadsReport report = new BeadsReport();
        DependencyTable.lockGraph(transaction);
        for (String id : BeadsOrder.of(lines)) {
            changes.transactional().lock(transaction, WorkItem.resource(id)); // so that what is read here cannot change
        }
        for (BeadsLine each : lines) {
            BeadsLine line = held(each, mayHold, report);
            Optional<LockedClaim> claimState = changes.transactional()
                    .lock(transaction, WorkItem.resource(line.issue().id()));
            Optional<ItemRow> known = ItemTable.find(transaction, line.issue().id());
            if (known.isEmpty()) {
                taking.create(transaction, line, queue, report);
            } else if (line.text().equals(known.get().source)) {
                report.countKnown(false);
            } else {
                ItemChanges.Locked locked = new ItemChanges.Locked(transaction, claimState.orElseThrow(), known.get());
                taking.update(locked, line, report);
            }
        }
        return report;
    }

    /** A name that only callers with a certain token may use holds nothing. */
    private static BeadsLine held(BeadsLine line, Predicate<String> mayHold, BeadsReport report) {
        String holder = line.issue().holder();
        if (holder == null || mayHold.test(holder)) {
            return line;
        }
        report.problem(
                line.number(),
                line.issue().id() + " is not held here: " + holder + " is a name of a token; claim it with that token");
        return new BeadsLine(line.number(), line.text(), line.issue().heldByNobody());
    }

    /** After the last part: offers what waits for nothing. */
    private void finish() {
        int some;
        do {
            some = changes.store().write(transaction -> {
                List<String> ids = ItemTable.importing(transaction, AT_ONCE);
                for (String id : ids) {
                    ItemRow item = changes.lock(transaction, id).item();
                    boolean before = item.barred();
                    item.importing = false;
                    ItemTable.update(transaction, item);
                    if (changes.readiness().settle(transaction, item, before)) {
                        changes.readiness().follow(transaction, item);
                    }
                }
                return ids.size();
            });
        } while (some > 0);
    }
}
