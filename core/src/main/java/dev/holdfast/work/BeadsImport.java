package dev.holdfast.work;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Standing;
import dev.holdfast.store.Sql;
import dev.holdfast.store.Transaction;
import dev.holdfast.work.BeadsIssue.Edge;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes in lines of a beads export. What is known by its id is changed where the line has changed since it was last
 * imported, so that an import can be repeated and does not undo what was done here meanwhile.
 *
 * <p>Nothing of an import is offered to anybody before its last part has come: what it waits for may be in that.
 */
public final class BeadsImport {
    private static final int AT_ONCE = 50;

    private static final Sql KEEP_LINE = Sql.of("""
            INSERT INTO beads_lines (key, line) VALUES (:key, :line)
            ON CONFLICT (key) DO UPDATE SET line = excluded.line
            """);

    /** A line that was not taken as it is, and why. */
    public record Problem(int line, String text) {}

    /** What became of the lines. */
    public static final class Report {
        private int created;
        private int updated;
        private int unchanged;
        private int memories;
        private int skipped;
        private final List<Problem> problems = new ArrayList<>();

        public int created() {
            return created;
        }

        public int updated() {
            return updated;
        }

        public int unchanged() {
            return unchanged;
        }

        /** Lines that are no issues, kept for the next export. */
        public int memories() {
            return memories;
        }

        /** Headers and tombstones. */
        public int skipped() {
            return skipped;
        }

        public List<Problem> problems() {
            return List.copyOf(problems);
        }

        private void add(Report other) {
            created += other.created;
            updated += other.updated;
            unchanged += other.unchanged;
            memories += other.memories;
            skipped += other.skipped;
            problems.addAll(other.problems);
        }
    }

    private record Line(int number, String text, BeadsIssue issue) {}

    private final ItemChanges changes;
    private final Claims claims;
    private final Making making;
    private final Changing changing;
    private final Closing closing;
    private final Dependencies dependencies;

    BeadsImport(
            ItemChanges changes,
            Claims claims,
            Making making,
            Changing changing,
            Closing closing,
            Dependencies dependencies) {
        this.changes = changes;
        this.claims = claims;
        this.making = making;
        this.changing = changing;
        this.closing = closing;
        this.dependencies = dependencies;
    }

    /**
     * @param queue for items whose line names none
     * @param more other parts come; nothing is offered yet
     */
    public Report take(List<String> lines, String queue, boolean more) {
        Limits.queue(queue);
        Report report = new Report();
        List<Line> issues = read(lines, report);
        // the oldest first: of equal urgency, what is older is done first
        issues.sort(Comparator.comparing(line -> Objects.requireNonNullElse(line.issue.createdAt(), Instant.MAX)));
        for (int from = 0; from < issues.size(); from += AT_ONCE) {
            List<Line> some = issues.subList(from, Math.min(from + AT_ONCE, issues.size()));
            report.add(changes.store().write(transaction -> take(transaction, some, queue)));
        }
        if (!more) {
            finish();
        }
        report.problems.sort(Comparator.comparingInt(Problem::line));
        return report;
    }

    private List<Line> read(List<String> lines, Report report) {
        List<Line> issues = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i).strip();
            if (text.isEmpty()) {
                continue;
            }
            try {
                ObjectNode json = BeadsFormat.read(text);
                String kind = json.path("_type").asString("issue");
                if (json.has("_schema") || json.path("status").asString("").equals("tombstone")) {
                    report.skipped++;
                } else if (kind.equals("issue")) {
                    issues.add(new Line(i + 1, text, BeadsIssue.of(json, text)));
                } else {
                    keep(kind + ":" + json.path("key").asString(text), text);
                    report.memories++;
                }
            } catch (InvalidException e) {
                report.problems.add(new Problem(i + 1, String.valueOf(e.getMessage())));
            }
        }
        return issues;
    }

    private void keep(String key, String line) {
        changes.store()
                .write(transaction ->
                        transaction.update(KEEP_LINE, p -> p.text("key", key).text("line", line)));
    }

    private Report take(Transaction transaction, List<Line> lines, String queue) throws SQLException {
        Report report = new Report();
        DependencyTable.lockGraph(transaction);
        for (Line line : lines) {
            Optional<Standing> standing = changes.gate().lock(transaction, WorkItem.resource(line.issue.id()));
            Optional<ItemRow> known = ItemTable.find(transaction, line.issue.id());
            if (known.isEmpty()) {
                create(transaction, line, queue, report);
            } else if (line.text.equals(known.get().source)) {
                report.unchanged++;
            } else {
                ItemChanges.Locked locked =
                        new ItemChanges.Locked(transaction, standing.orElseThrow(), known.get(), transaction.now());
                update(locked, line, report);
            }
        }
        return report;
    }

    private void create(Transaction transaction, Line line, String queue, Report report) throws SQLException {
        BeadsIssue issue = line.issue;
        long now = transaction.now();
        ItemRow row = new ItemRow(
                issue.id(),
                issue.title(),
                issue.type(),
                issue.priority(),
                issue.labels(),
                issue.queue() == null ? queue : issue.queue(),
                "import");
        row.description = issue.description();
        row.status = issue.status() == Status.CLOSED ? Status.OPEN : issue.status();
        row.blockedReason = issue.blockedReason();
        row.assignee = issue.assignee();
        row.externalRef = issue.externalRef();
        row.metadata = issue.metadata();
        row.deferUntil = issue.status() == Status.DEFERRED ? micros(issue.deferUntil()) : null;
        row.createdBy = issue.createdBy();
        row.createdAt = Objects.requireNonNullElse(micros(issue.createdAt()), now);
        row.updatedAt = Objects.requireNonNullElse(micros(issue.updatedAt()), now);
        row.importing = true;
        row.source = line.text;
        if (!making.insert(transaction, row)) {
            report.problems.add(new Problem(line.number, "a resource work:" + issue.id() + " is in the way"));
            return;
        }
        report.created++;
        edges(transaction, row, Set.of(), Set.copyOf(issue.dependencies()), line, report);
        changes.readiness().follow(transaction, row);
        ItemChanges.Locked locked = changes.lock(transaction, row.id);
        if (issue.status() == Status.CLOSED) {
            close(locked, issue);
        } else if (issue.holder() != null) {
            hold(locked, issue.holder());
        }
    }

    /** As it is in beads: somebody is at work on it, and has as long as everybody else to say so again. */
    private void hold(ItemChanges.Locked locked, String holder) throws SQLException {
        ItemRow item = locked.item();
        Transaction transaction = locked.transaction();
        boolean barred = item.barred();
        changes.gate().unblock(transaction, item.resource(), true);
        ClaimOutcome outcome = changes.gate().claim(transaction, ClaimRequest.of(item.resource(), holder));
        Optional<Claim> claim = Claiming.granted(outcome);
        if (claim.isPresent()) {
            claims.guard(transaction, item.resource(), claim.get().fence()); // the holder knows of it
        }
        if (barred) {
            changes.gate().block(transaction, item.resource()); // once it is let go
        }
    }

    private void close(ItemChanges.Locked locked, BeadsIssue issue) throws SQLException {
        changes.gate()
                .retire(
                        locked.transaction(),
                        locked.item().resource(),
                        "closed in beads",
                        ItemChanges.told("work_closed", null, Map.of("imported", true)));
        closing.finish(locked, null, issue.closeReason());
        locked.item().closedAt = Objects.requireNonNullElse(micros(issue.closedAt()), locked.now());
        locked.item().updatedAt = Objects.requireNonNullElse(micros(issue.updatedAt()), locked.now());
        ItemTable.update(locked.transaction(), locked.item());
    }

    private void update(ItemChanges.Locked locked, Line line, Report report) throws SQLException {
        ItemRow item = locked.item();
        BeadsIssue fresh = line.issue;
        BeadsIssue before = item.source == null ? null : BeadsIssue.of(BeadsFormat.read(item.source), item.source);
        Instant last = before == null ? null : before.updatedAt();
        if (last != null && fresh.updatedAt() != null && fresh.updatedAt().isBefore(last)) {
            report.problems.add(new Problem(line.number, item.id + " is older than what was imported before"));
            return;
        }
        boolean changed = BeadsChange.apply(item, before, fresh);
        if (changed) {
            changes.gate().sort(locked.transaction(), item.resource(), item.queue, item.priority, item.marks());
        }
        item.source = line.text;
        item.updatedAt = Objects.requireNonNullElse(micros(fresh.updatedAt()), locked.now());
        ItemTable.update(locked.transaction(), item);
        Set<Edge> edgesBefore = before == null ? Set.of() : Set.copyOf(before.dependencies());
        changed |= edges(locked.transaction(), item, edgesBefore, Set.copyOf(fresh.dependencies()), line, report);
        if (before == null || !before.shownStatus().equals(fresh.shownStatus())) {
            changed |= status(locked, line, report);
        }
        if (changed) {
            report.updated++;
        } else {
            report.unchanged++;
        }
    }

    /** Brings the item to the status of the line, unless somebody is at work on it here. */
    private boolean status(ItemChanges.Locked locked, Line line, Report report) throws SQLException {
        BeadsIssue fresh = line.issue;
        ItemRow item = locked.item();
        Claim claim = locked.standing().claim();
        if (claim != null) {
            if (!claim.holder().equals(fresh.holder())) {
                report.problems.add(new Problem(
                        line.number,
                        item.id + " is " + fresh.shownStatus() + " in beads, but " + claim.holder()
                                + " holds it here; its status was left alone"));
            }
            return false;
        }
        if (fresh.status() == Status.CLOSED) {
            if (item.status == Status.CLOSED) {
                return false;
            }
            close(locked, fresh);
            return true;
        }
        boolean same = item.status == fresh.status() && fresh.holder() == null;
        if (!same) {
            changing.setStatus(
                    locked,
                    fresh.status(),
                    fresh.blockedReason(),
                    fresh.deferUntil(),
                    ItemChanges.told("work_updated", null, Map.of("imported", true)));
            if (fresh.holder() != null) {
                hold(locked, fresh.holder());
            }
        }
        return !same;
    }

    /** Adds and removes what the line has more and less than before; true when that was anything. */
    private boolean edges(
            Transaction transaction, ItemRow item, Set<Edge> before, Set<Edge> now, Line line, Report report)
            throws SQLException {
        boolean changed = false;
        for (Edge edge : now) {
            if (before.contains(edge)
                    || DependencyTable.find(transaction, item.id, edge.dependsOn(), edge.type())
                            .isPresent()) {
                continue;
            }
            Optional<ItemRow> other = ItemTable.find(transaction, edge.dependsOn());
            boolean orders = Dependency.orders(edge.type());
            if (orders && DependencyTable.comesBefore(transaction, item.id, edge.dependsOn())) {
                report.problems.add(new Problem(
                        line.number,
                        item.id + " and " + edge.dependsOn() + " depend on each other; that " + item.id
                                + " does is kept, but holds nothing back"));
                orders = false;
            }
            dependencies.add(
                    transaction,
                    item,
                    edge.dependsOn(),
                    other.orElse(null),
                    edge.type(),
                    orders,
                    transaction.now(),
                    null);
            changed = true;
        }
        for (Dependency known : DependencyTable.of(transaction, item.id)) {
            Edge edge = new Edge(known.dependsOn(), known.type());
            if (before.contains(edge) && !now.contains(edge)) {
                dependencies.remove(transaction, item, known);
                changed = true;
            }
        }
        return changed;
    }

    /** The last part has come: what waits for nothing is offered. */
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

    private static @Nullable Long micros(@Nullable Instant time) {
        return time == null ? null : ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
