package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Reclaims everything that one dead holder has, in its own JVM, and reports how many milliseconds that took. */
final class ReclaimRun {
    private static final int AT_ONCE = 1_000;

    private ReclaimRun() {}

    public static void main(String[] given) {
        Map<String, String> arguments = ChildJvm.arguments(given);
        int claimed = Integer.parseInt(arguments.getOrDefault("claims", "1"));
        String place = arguments.getOrDefault("store", "");
        Figure figure;
        try (Store store = place.startsWith("jdbc:") ? PostgresStore.open(place) : SqliteStore.open(Path.of(place));
                Claims claims = Claims.over(store)) {
            for (int from = 0; from < claimed; from += AT_ONCE) {
                claims.claimAll(IntStream.range(from, Math.min(claimed, from + AT_ONCE))
                        .mapToObj(i -> ClaimRequest.of(Resource.key("k" + i), "dead"))
                        .toList());
            }
            long start = System.nanoTime();
            List<Claim> back = store.write(transaction -> claims.reclaimAll(transaction, "dead", "its broker died"));
            double millis = (System.nanoTime() - start) / 1e6;
            List<String> violations =
                    back.size() == claimed && claims.held(null, "dead", null).isEmpty()
                            ? List.of()
                            : List.of("of " + claimed + " claims " + back.size() + " were taken back");
            figure = new Figure(millis, Map.of(), violations);
        }
        System.out.println(Figures.write(figure)); // after any output of closing
    }
}
