package dev.holdfast.claim;

import dev.holdfast.claim.CombinedRequest.End;
import dev.holdfast.claim.CombinedRequest.Renew;
import dev.holdfast.claim.CombinedRequest.Take;
import dev.holdfast.claim.CombinedSql.Part;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binds the requests of one part of a batch as columns, under the names that {@link CombinedSql} gives them. */
final class CombinedColumns {
    private static final int AFTER_NONE = -1;

    private CombinedColumns() {}

    static void bind(Part part, List<CombinedRequest> requests, PreparedColumns statement) throws SQLException {
        switch (part) {
            case END -> bindEnds(requests, statement);
            case TAKE -> bindTakes(requests, statement);
            case RENEW -> bindRenewals(requests, statement);
        }
    }

    private static void bindEnds(List<CombinedRequest> requests, PreparedColumns statement) throws SQLException {
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
        statement.column("end_ordinal", ordinal);
        statement.column("end_key", key);
        statement.column("end_holder", holder);
        statement.column("end_generation", generation);
        statement.column("end_type", type);
        statement.column("end_ending", signature);
        statement.column("end_next_state", nextState);
        statement.column("end_remark", remark);
        statement.column("end_keep", keep);
        statement.column("end_detail", detail);
    }

    private static void bindTakes(List<CombinedRequest> requests, PreparedColumns statement) throws SQLException {
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
        statement.column("take_ordinal", ordinal);
        statement.column("take_key", key);
        statement.column("take_holder", holder);
        statement.column("take_lease", lease);
        statement.column("take_request", request);
        statement.column("take_given", given);
        statement.column("take_kind", kind);
        statement.column("take_queue", queue);
        statement.column("take_since", since);
        statement.column("take_after", after);
        statement.column("take_after_key", afterKey);
    }

    private static void bindRenewals(List<CombinedRequest> requests, PreparedColumns statement) throws SQLException {
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
        statement.column("renew_ordinal", ordinal);
        statement.column("renew_key", key);
        statement.column("renew_holder", holder);
        statement.column("renew_generation", generation);
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
