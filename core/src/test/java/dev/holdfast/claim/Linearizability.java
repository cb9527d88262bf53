package dev.holdfast.claim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the calls on one resource can be put in an order in which each takes effect between its beginning and
 * its end and is answered as {@link OneResource} says: the search of Wing and Gong, with Lowe's memory of what was
 * tried.
 *
 * <p>A call that changes nothing is placed as soon as it fits: placing it early can never rule out what follows. A call
 * without an answer has no end, and need not be placed at all; nor need the first runs of a call, but if they are, then
 * before it.
 */
final class Linearizability {
    /** A beginning or an end, in a list from which calls are removed while they are placed. */
    private static final class Moment {
        final int call;
        final @Nullable Moment end; // null: this is an end

        @Nullable
        Moment previous;

        @Nullable
        Moment next;

        Moment(int call, @Nullable Moment end) {
            this.call = call;
            this.end = end;
        }
    }

    private record Placed(Moment moment, OneResource before, boolean harmless) {}

    private record Tried(BitSet placed, OneResource state) {}

    private record Timed(long at, boolean end, Moment moment) {}

    private static final int NONE = -1;

    /** Each followed by its first runs. */
    private final List<Call> calls = new ArrayList<>();
    /** For a first run: the call that it belongs to. */
    private final List<Integer> runOf = new ArrayList<>();

    private final BitSet runTwice = new BitSet();
    private final Moment head = new Moment(-1, null);
    private final BitSet placed = new BitSet();
    private final Set<Tried> tried = new HashSet<>();
    private final Deque<Placed> order = new ArrayDeque<>();
    private OneResource state = OneResource.NEW;
    private int furthest;
    private String stuck = "";

    private Linearizability(List<Call> given, Function<Call, List<Call>> firstRuns) {
        List<Timed> moments = new ArrayList<>();
        for (Call call : given) {
            int owner = calls.size();
            add(call, NONE, moments);
            for (Call run : firstRuns.apply(call)) {
                add(run, owner, moments);
                runTwice.set(owner);
            }
        }
        moments.sort(Comparator.comparingLong(Timed::at).thenComparing(Timed::end));
        Moment last = head;
        for (Timed timed : moments) {
            last.next = timed.moment;
            timed.moment.previous = last;
            last = timed.moment;
        }
    }

    private void add(Call call, int owner, List<Timed> moments) {
        int index = calls.size();
        calls.add(call);
        runOf.add(owner);
        Moment end = new Moment(index, null);
        moments.add(new Timed(call.invoked(), false, new Moment(index, end)));
        if (!call.unknown()) {
            moments.add(new Timed(call.returned(), true, end));
        }
    }

    /** Why these calls on one resource cannot be put in order; empty if they can. */
    static Optional<String> broken(List<Call> calls) {
        return broken(calls, _ -> List.of());
    }

    /** @param firstRuns what a call may have done before its last run, which is the one that was answered */
    static Optional<String> broken(List<Call> calls, Function<Call, List<Call>> firstRuns) {
        return new Linearizability(calls, firstRuns).search();
    }

    private Optional<String> search() {
        @Nullable Moment from = head.next;
        while (anyEndLeft()) {
            Moment harmless = firstHarmless();
            if (harmless != null) {
                place(harmless, state, true);
                from = head.next;
            } else if (placeFirstFrom(from)) {
                from = head.next;
            } else {
                from = takeBack();
                if (from == null) {
                    return Optional.of(stuck);
                }
            }
        }
        return Optional.empty();
    }

    /** Places the first call from here that fits; false at the first end of a call that is not placed yet. */
    private boolean placeFirstFrom(@Nullable Moment from) {
        @Nullable Moment at = from;
        while (at != null && at.end != null) {
            Optional<OneResource> next = comesTooLate(at.call) ? Optional.empty() : state.after(calls.get(at.call));
            if (next.isPresent() && isNew(at.call, next.get())) {
                place(at, next.get(), false);
                return true;
            }
            at = at.next;
        }
        rememberWhereStuck(at);
        return false;
    }

    /** Undoes the last choice; returns where to look for another, or null if none is left. */
    private @Nullable Moment takeBack() {
        while (!order.isEmpty()) {
            Placed last = order.pop();
            placed.clear(last.moment.call);
            putBack(last.moment);
            state = last.before;
            if (!last.harmless && last.moment.next != null) {
                return last.moment.next;
            }
        }
        return null;
    }

    /** A first run comes too late once the last run has been placed. */
    private boolean comesTooLate(int call) {
        return runOf.get(call) != NONE && placed.get(runOf.get(call));
    }

    /** A call that may have first runs must leave them room before it, and is placed only when nothing else helps. */
    private @Nullable Moment firstHarmless() {
        for (Moment at = head.next; at != null && at.end != null; at = at.next) {
            Call call = calls.get(at.call);
            if (!call.unknown()
                    && !runTwice.get(at.call)
                    && state.after(call).filter(state::equals).isPresent()) {
                return at;
            }
        }
        return null;
    }

    private boolean isNew(int call, OneResource next) {
        BitSet with = (BitSet) placed.clone();
        with.set(call);
        return tried.add(new Tried(with, next));
    }

    private void place(Moment moment, OneResource next, boolean harmless) {
        order.push(new Placed(moment, state, harmless));
        placed.set(moment.call);
        state = next;
        unlink(moment);
        unlink(endOf(moment));
    }

    private boolean anyEndLeft() {
        for (Moment at = head.next; at != null; at = at.next) {
            if (at.end == null) {
                return true;
            }
        }
        return false;
    }

    private void rememberWhereStuck(@Nullable Moment at) {
        if (placed.cardinality() >= furthest) {
            furthest = placed.cardinality();
            stuck = furthest + " of " + calls.size() + " calls fit; then, in state " + state
                    + ", nothing that ran meanwhile" + " allows\n  " + (at == null ? "the end" : calls.get(at.call));
        }
    }

    private static Moment endOf(Moment moment) {
        if (moment.end == null) {
            throw new IllegalStateException("only beginnings are placed");
        }
        return moment.end;
    }

    private static void unlink(Moment moment) {
        if (moment.previous != null) {
            moment.previous.next = moment.next;
        }
        if (moment.next != null) {
            moment.next.previous = moment.previous;
        }
    }

    /** In the reverse order of {@link #place}, so that the neighbours are the same as before. */
    private static void putBack(Moment moment) {
        relink(endOf(moment));
        relink(moment);
    }

    private static void relink(Moment moment) {
        if (moment.previous != null) {
            moment.previous.next = moment;
        }
        if (moment.next != null) {
            moment.next.previous = moment;
        }
    }
}
