package dev.holdfast.claim;

import dev.holdfast.claim.CombinedRequest.End;
import dev.holdfast.claim.CombinedRequest.Renew;
import dev.holdfast.claim.CombinedRequest.Take;
import dev.holdfast.claim.CombinedSql.Part;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The requests of one part of a batch as columns: each an array, under the name that {@link CombinedSql} gives it. */
final class CombinedColumns {
    private static final int AFTER_NONE = -1;

    private CombinedColumns() {}

    static Map<String, Object> of(Part part, List<CombinedRequest> requests) {
        return switch (part) {
            case END -> ends(requests);
            case TAKE -> takes(requests);
            case RENEW -> renewals(requests);
        };
    }

    private static Map<String, Object> ends(List<CombinedRequest> requests) {
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
        return Map.of(
                "ordinal", ordinal,
                "key", key,
                "holder", holder,
                "generation", generation,
                "type", type,
                "ending", signature,
                "next_state", nextState,
                "remark", remark,
                "keep", keep,
                "detail", detail);
    }

    private static Map<String, Object> takes(List<CombinedRequest> requests) {
        int[] ordinal = ordinals(requests, Take.class);
        int count = ordinal.length;
        String[] key = new String[count];
        String[] holder = new String[count];
        long[] lease = new long[count];
        String[] request = new String[count];
        boolean[] given = new boolean[count];
        @Nullable String[] kind = new @Nullable String[count];
        @Nullable String[] queue = new @Nullable String[count];
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
            after[i] = take.after() == null ? AFTER_NONE : ordinal[i] - 1;
            afterKey[i] = take.after() == null ? null : take.after().key();
        }
        return Map.of(
                "ordinal", ordinal,
                "key", key,
                "holder", holder,
                "lease", lease,
                "request", request,
                "given", given,
                "kind", kind,
                "queue", queue,
                "after", after,
                "after_key", afterKey);
    }

    private static Map<String, Object> renewals(List<CombinedRequest> requests) {
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
        return Map.of("ordinal", ordinal, "key", key, "holder", holder, "generation", generation);
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
