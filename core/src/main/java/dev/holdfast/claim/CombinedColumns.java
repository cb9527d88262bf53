package dev.holdfast.claim;

import static java.util.Map.entry;

import dev.holdfast.claim.CombinedRequest.End;
import dev.holdfast.claim.CombinedRequest.Renew;
import dev.holdfast.claim.CombinedRequest.Take;
import dev.holdfast.claim.CombinedSql.Form;
import dev.holdfast.claim.CombinedSql.Part;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one part of a batch as columns, named as in {@link CombinedSql}.
 *
 * @param own arrays with a value for each request
 * @param usuallySame the same, of what often is the same for all
 */
record CombinedColumns(Part part, Map<String, Object> own, Map<String, Object> usuallySame) {
    private static final int AFTER_NONE = -1;

    static CombinedColumns of(Part part, List<CombinedRequest> requests) {
        return switch (part) {
            case END -> ends(requests);
            case TAKE -> takes(requests);
            case RENEW -> renewals(requests);
        };
    }

    /** The form with the fewest arrays. */
    Form form(int requests) {
        if (requests == 1) {
            return Form.ONE;
        }
        return !usuallySame.isEmpty() && usuallySame.values().stream().allMatch(CombinedColumns::isSame)
                ? Form.ALIKE
                : Form.MIXED;
    }

    void bind(PreparedColumns statement, Form form) throws SQLException {
        for (Map.Entry<String, Object> column : own.entrySet()) {
            bind(statement, column, form == Form.ONE);
        }
        for (Map.Entry<String, Object> column : usuallySame.entrySet()) {
            bind(statement, column, form != Form.MIXED);
        }
    }

    private void bind(PreparedColumns statement, Map.Entry<String, Object> column, boolean once) throws SQLException {
        String name = part.parameter(column.getKey());
        if (once) {
            statement.first(name, column.getValue());
        } else {
            statement.column(name, column.getValue());
        }
    }

    private static boolean isSame(Object values) {
        return switch (values) {
            case String[] texts -> Arrays.stream(texts).allMatch(text -> Objects.equals(text, texts[0]));
            case long[] numbers -> Arrays.stream(numbers).allMatch(number -> number == numbers[0]);
            case boolean[] flags -> {
                boolean same = true;
                for (boolean flag : flags) {
                    same &= flag == flags[0];
                }
                yield same;
            }
            default -> throw new IllegalArgumentException("no column can hold " + values.getClass());
        };
    }

    private static CombinedColumns ends(List<CombinedRequest> requests) {
        int[] ordinal = ordinals(requests, End.class);
        int count = ordinal.length;
        String[] key = new String[count];
        String[] holder = new String[count];
        long[] generation = new long[count];
        String[] type = new String[count];
        String[] signature = new String[count];
        String[] nextState = new String[count];
        @Nullable String[] remark = new @Nullable String[count];
        boolean[] keep = new boolean[count];
        @Nullable String[] detail = new @Nullable String[count];
        for (int i = 0; i < count; i++) {
            End end = (End) requests.get(ordinal[i]);
            Ending ending = end.ending();
            key[i] = end.key();
            holder[i] = end.holder();
            generation[i] = end.generation();
            type[i] = ending.how().toString();
            signature[i] = ending.signature();
            nextState[i] = (ending.how() == Ending.How.COMPLETED ? State.DONE : State.READY).toString();
            remark[i] = ending.note();
            keep[i] = ending.keepStatus();
            detail[i] = ClaimEvents.json(ending.eventDetail(0));
        }
        return new CombinedColumns(
                Part.END,
                Map.of("ordinal", ordinal, "key", key, "holder", holder, "generation", generation, "ending", signature),
                Map.of("type", type, "next_state", nextState, "remark", remark, "keep", keep, "detail", detail));
    }

    private static CombinedColumns takes(List<CombinedRequest> requests) {
        int[] ordinal = ordinals(requests, Take.class);
        int count = ordinal.length;
        String[] key = new String[count];
        String[] holder = new String[count];
        long[] lease = new long[count];
        String[] request = new String[count];
        boolean[] given = new boolean[count];
        @Nullable String[] kind = new @Nullable String[count];
        @Nullable String[] queue = new @Nullable String[count];
        long[] since = new long[count];
        int[] after = new int[count];
        @Nullable String[] afterKey = new @Nullable String[count];
        for (int i = 0; i < count; i++) {
            Take take = (Take) requests.get(ordinal[i]);
            key[i] = take.key();
            holder[i] = take.holder();
            lease[i] = take.lease();
            request[i] = take.requestId();
            given[i] = take.given();
            kind[i] = take.nextKind() == null ? null : take.nextKind().toString();
            queue[i] = take.nextQueue();
            since[i] = take.since();
            after[i] = take.after() == null ? AFTER_NONE : ordinal[i] - 1;
            afterKey[i] = take.after() == null ? null : take.after().key();
        }
        return new CombinedColumns(
                Part.TAKE,
                Map.ofEntries(
                        entry("ordinal", ordinal),
                        entry("key", key),
                        entry("holder", holder),
                        entry("request", request),
                        entry("since", since),
                        entry("after", after),
                        entry("after_key", afterKey)),
                Map.of("lease", lease, "given", given, "kind", kind, "queue", queue));
    }

    private static CombinedColumns renewals(List<CombinedRequest> requests) {
        int[] ordinal = ordinals(requests, Renew.class);
        String[] key = new String[ordinal.length];
        String[] holder = new String[ordinal.length];
        long[] generation = new long[ordinal.length];
        for (int i = 0; i < ordinal.length; i++) {
            Renew renew = (Renew) requests.get(ordinal[i]);
            key[i] = renew.key();
            holder[i] = renew.holder();
            generation[i] = renew.generation();
        }
        return new CombinedColumns(
                Part.RENEW,
                Map.of("ordinal", ordinal, "key", key, "holder", holder, "generation", generation),
                Map.of());
    }

    private static int[] ordinals(List<CombinedRequest> requests, Class<? extends CombinedRequest> part) {
        int[] ordinals = new int[requests.size()];
        int count = 0;
        for (int i = 0; i < ordinals.length; i++) {
            if (part.isInstance(requests.get(i))) {
                ordinals[count++] = i;
            }
        }
        return Arrays.copyOf(ordinals, count);
    }
}
