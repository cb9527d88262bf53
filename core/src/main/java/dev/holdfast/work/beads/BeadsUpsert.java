package dev.holdfast.work.beads;

import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimOutcome;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.store.LeaseClock;
import dev.holdfast.store.Transaction;
import dev.holdfast.work.Dependencies;
import dev.holdfast.work.Dependency;
import dev.holdfast.work.DependencyTable;
import dev.holdfast.work.ItemChanges;
import dev.holdfast.work.ItemClosing;
import dev.holdfast.work.ItemCreation;
import dev.holdfast.work.ItemRow;
import dev.holdfast.work.ItemTable;
import dev.holdfast.work.ItemUpdates;
import dev.holdfast.work.WorkClaims;
import dev.holdfast.work.WorkItems;
import dev.holdfast.work.WorkLimits;
import dev.holdfast.work.WorkStatus;
import dev.holdfast.work.beads.BeadsIssue.Edge;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates items from the lines of a beads export, and updates those that are known. */
final class BeadsUpsert {
    private final ItemChanges changes;
    private final Claims claims;
    private final ItemCreation making;
    private final ItemUpdates changing;
    private final ItemClosing closing;
    private final Dependencies dependencies;

    BeadsUpsert(WorkItems work) {
        changes = work.changes();
        claims = work.claims();
        making = work.making();
        changing = work.changing();
        closing = work.closing();
        dependencies = work.dependencies();
    }

    void create(Transaction transaction, BeadsLine line, String queue, BeadsReport report) throws SQLException {
        BeadsIssue issue = line.issue();
        long now = transaction.now();
        ItemRow row = new ItemRow(
                issue.id(),
                issue.title(),
                issue.type(),
                issue.priority(),
                issue.labels(),
                issue.queue() == null ? queue : WorkLimits.queue(issue.queue()),
                "import");
        row.description = issue.description();
        row.status = issue.status() == WorkStatus.CLOSED ? WorkStatus.OPEN : issue.status();
        row.blockedReason = issue.blockedReason();
        row.assignee = issue.assignee();
        row.externalRef = issue.externalRef();
        row.metadata = issue.metadata();
        row.deferUntil = issue.status() == WorkStatus.DEFERRED ? micros(issue.deferUntil()) : null;
        row.createdBy = issue.createdBy();
        row.createdAt = Objects.requireNonNullElse(micros(issue.createdAt()), now);
        row.updatedAt = Objects.requireNonNullElse(micros(issue.updatedAt()), now);
        row.importing = true;
        row.source = line.text();
        if (!making.insert(transaction, row)) {
            report.problem(line.number(), "a resource work:" + issue.id() + " already exists");
            return;
        }
        report.countCreated();
        edges(transaction, row, Set.of(), Set.copyOf(issue.dependencies()), line, report);
        changes.readiness().follow(transaction, row);
        ItemChanges.Locked locked = changes.lock(transaction, row.id);
        if (issue.status() == WorkStatus.CLOSED) {
            close(locked, issue);
        } else if (issue.holder() != null) {
            hold(locked, issue.holder());
        }
    }

    /** Somebody is working on it in beads, so they hold it here, with the usual lease to renew. */
    private void hold(ItemChanges.Locked locked, String holder) throws SQLException {
        ItemRow item = locked.item();
        Transaction transaction = locked.transaction();
        boolean barred = item.barred();
        changes.transactional().unblock(transaction, item.resource(), true);
        ClaimOutcome outcome = changes.transactional().claim(transaction, ClaimRequest.of(item.resource(), holder));
        Optional<Claim> claim = WorkClaims.granted(outcome);
        if (claim.isPresent()) {
            claims.guard(transaction, item.resource(), claim.get().fence()); // confirms it: the holder knows
        }
        if (barred) {
            changes.transactional().block(transaction, item.resource()); // takes effect once it is released
        }
    }

    private void close(ItemChanges.Locked locked, BeadsIssue issue) throws SQLException {
        changes.transactional()
                .retire(
                        locked.transaction(),
                        locked.item().resource(),
                        "closed in beads",
                        ItemChanges.event("work_closed", null, Map.of("imported", true)));
        closing.finish(locked, null, issue.closeReason());
        locked.item().closedAt = Objects.requireNonNullElse(micros(issue.closedAt()), locked.now());
        locked.item().updatedAt = Objects.requireNonNullElse(micros(issue.updatedAt()), locked.now());
        ItemTable.update(locked.transaction(), locked.item());
    }

    void update(ItemChanges.Locked locked, BeadsLine line, BeadsReport report) throws SQLException {
        ItemRow item = locked.item();
        BeadsIssue fresh = line.issue();
        BeadsIssue before = item.source == null ? null : BeadsIssue.of(BeadsFormat.read(item.source), item.source);
        Instant last = before == null ? null : before.updatedAt();
        if (last != null && fresh.updatedAt() != null && fresh.updatedAt().isBefore(last)) {
            report.problem(line.number(), item.id + " is older than the version imported before");
            return;
        }
        String atWork = locked.claimState().atWork();
        boolean otherStatus = before == null || !before.shownStatus().equals(fresh.shownStatus());
        boolean changed = BeadsChange.apply(item, before, fresh, atWork);
        if (atWork != null && (changed || (otherStatus && !atWork.equals(fresh.holder())))) {
            report.problem(
                    line.number(),
                    item.id + " has changed in beads, but " + atWork
                            + " holds it here; it was left alone: import it again once it is released");
            return;
        }
        if (changed) {
            changes.transactional()
                    .sort(locked.transaction(), item.resource(), item.queue, item.priority, item.marks());
        }
        item.source = line.text();
        item.updatedAt = Objects.requireNonNullElse(micros(fresh.updatedAt()), locked.now());
        ItemTable.update(locked.transaction(), item);
        Set<Edge> edgesBefore = before == null ? Set.of() : Set.copyOf(before.dependencies());
        changed |= edges(locked.transaction(), item, edgesBefore, Set.copyOf(fresh.dependencies()), line, report);
        if (otherStatus && atWork == null) {
            changed |= status(locked, fresh);
        }
        report.countKnown(changed);
    }

    /** Sets an item that nobody holds to the line's status; returns whether it had another. */
    private boolean status(ItemChanges.Locked locked, BeadsIssue fresh) throws SQLException {
        ItemRow item = locked.item();
        if (fresh.status() == WorkStatus.CLOSED) {
            if (item.status == WorkStatus.CLOSED) {
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
                    ItemChanges.event("work_updated", null, Map.of("imported", true)));
            if (fresh.holder() != null) {
                hold(locked, fresh.holder());
            }
        }
        return !same;
    }

    /** Adds and removes the dependencies that the line has gained and lost; returns whether there were any. */
    private boolean edges(
            Transaction transaction, ItemRow item, Set<Edge> before, Set<Edge> now, BeadsLine line, BeadsReport report)
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
                report.problem(
                        line.number(),
                        item.id + " and " + edge.dependsOn() + " depend on each other; the dependency of " + item.id
                                + " is kept, but blocks nothing");
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

    private static @Nullable Long micros(@Nullable Instant time) {
        return time == null ? null : LeaseClock.micros(time);
    }
}
