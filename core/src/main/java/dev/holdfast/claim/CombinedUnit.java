package dev.holdfast.claim;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Requests that go into the same batch, all or none, and their answers. */
record CombinedUnit(List<CombinedRequest> requests, CompletableFuture<List<CombinedResult>> answer) {
    static CombinedUnit of(CombinedRequest... requests) {
        return new CombinedUnit(List.of(requests), new CompletableFuture<>());
    }

    List<String> keys() {
        return requests.size() == 1
                ? List.of(requests.getFirst().key())
                : requests.stream().map(CombinedRequest::key).toList();
    }

    static List<CombinedRequest> requests(List<CombinedUnit> units) {
        return units.stream().flatMap(unit -> unit.requests.stream()).toList();
    }

    /** @param written the results of all these units' requests, in order */
    static void answer(List<CombinedUnit> units, CombinedResult[] written) {
        int from = 0;
        for (CombinedUnit unit : units) {
            int until = from + unit.requests.size();
            unit.answer.complete(Arrays.asList(written).subList(from, until));
            from = until;
        }
    }

    static void fail(List<CombinedUnit> units, Throwable failure) {
        units.forEach(unit -> unit.answer.completeExceptionally(failure));
    }
}
