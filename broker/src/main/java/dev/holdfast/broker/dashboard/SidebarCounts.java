package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.dashboard.overview.Needs;
import dev.holdfast.broker.dashboard.page.About;
import dev.holdfast.broker.dashboard.page.Section;
import dev.holdfast.broker.dashboard.page.Sources;
import dev.holdfast.claim.Holdings;
import dev.holdfast.claim.Kind;
import dev.holdfast.task.TaskState;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The numbers beside the sidebar's entries, counted for all visitors together: again after an event, or after a second. */
final class SidebarCounts {
    /**
     * How many running tasks are counted; with more than that, people want to know that there are many, not how many.
     */
    static final int MAX_TASKS = 100;

    private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

    /**
     * @param calling how many things need a person
     * @param latest the latest event before they were counted
     */
    record Counted(Map<Section, Long> bySection, long calling, long latest, long at) {}

    private final Sources sources;
    private final LongSupplier nanoTime;
    private final InstantSource clock;
    private final Needs needs;
    private final String about;
    private @Nullable Counted last;

    SidebarCounts(Sources sources, LongSupplier nanoTime, InstantSource clock) {
        this.sources = sources;
        this.clock = clock;
        needs = new Needs(sources);
        this.nanoTime = nanoTime;
        about = About.version() + " · " + About.engine(sources.store());
    }

    /** The version and the store. */
    String about() {
        return about;
    }

    /** @param latest the latest event */
    synchronized Counted now(long latest) {
        Counted known = last;
        if (known == null || known.latest() < latest || nanoTime.getAsLong() - known.at() > FRESH) {
            known = count(latest);
            last = known;
        }
        return known;
    }

    private Counted count(long latest) {
        Map<Section, Long> counts = new EnumMap<>(Section.class);
        for (Holdings.Depth depth : sources.claims().depths()) {
            Kind.of(depth.kind()).ifPresent(kind -> {
                Section section = switch (kind) {
                    case WORK -> Section.WORK;
                    case REVIEW, STEP, FINALIZATION, PATH, KEY, RESERVATION, BROKER -> null;
                };
                if (section != null) {
                    counts.merge(section, depth.depth(), Long::sum);
                }
            });
        }
        long reviews = sources.reviews().statistics().of(null).open();
        if (reviews > 0) {
            counts.put(Section.REVIEWS, reviews);
        }
        int running = sources.tasks()
                .list(TaskState.OPEN, null, Long.MAX_VALUE, MAX_TASKS)
                .size();
        if (running > 0) {
            counts.put(Section.TASKS, (long) running);
        }
        if (sources.pool() != null) {
            counts.put(Section.POOL, (long) sources.reviewers().live().size());
        }
        long holders = sources.claims().holders();
        if (holders > 0) {
            counts.put(Section.AGENTS, holders);
        }
        return new Counted(counts, needs.of("", clock.instant()).size(), latest, nanoTime.getAsLong());
    }
}
