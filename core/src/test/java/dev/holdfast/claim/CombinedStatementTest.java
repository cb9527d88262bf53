package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.holdfast.claim.CombinedRequest.End;
import dev.holdfast.claim.CombinedRequest.Renew;
import dev.holdfast.claim.CombinedRequest.Take;
import dev.holdfast.claim.CombinedSql.Part;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SessionSettings;
import dev.holdfast.testing.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever calls share a batch, one statement serves them all, whether they ask for the same (alike) or not; run one by
 * one they would still be answered, but slowly.
 */
class CombinedStatementTest {
    private static final long MINUTE = 60_000_000;

    static Stream<Arguments> mixtures() {
        return Stream.of(
                        Set.of(Part.END),
                        Set.of(Part.TAKE),
                        Set.of(Part.RENEW),
                        Set.of(Part.END, Part.TAKE),
                        Set.of(Part.END, Part.RENEW),
                        Set.of(Part.TAKE, Part.RENEW),
                        Set.of(Part.END, Part.TAKE, Part.RENEW))
                .flatMap(parts -> Stream.of(arguments(parts, true), arguments(parts, false)));
    }

    @ParameterizedTest
    @MethodSource("mixtures")
    void any_mixture_of_calls_is_written_by_one_statement(Set<Part> parts, boolean alike) throws Exception {
        try (PostgresStore store = PostgresStore.open(TestPostgres.freshDatabase());
                Claims claims = Claims.over(store);
                Connection connection = store.connect(SessionSettings.OURS)) {
            List<CombinedRequest> requests = new ArrayList<>();
            for (Part part : parts) {
                for (int number : List.of(1, 2)) {
                    Resource resource = Resource.parse("work:" + part + number);
                    claims.create(NewResource.of(resource));
                    requests.add(request(part, resource, alike ? 1 : number, claims));
                }
            }
            CombinedResult[] written = new CombinedStatement(connection, store.origin()).run(requests, 0);
            assertThat(Arrays.asList(written))
                    .hasSameSizeAs(requests)
                    .noneMatch(CombinedResult.Missed.class::isInstance);
            if (parts.contains(Part.TAKE)) {
                assertThat(value(connection, "SELECT lease FROM resources WHERE key = 'work:TAKE2'"))
                        .isEqualTo(alike ? MINUTE : 2 * MINUTE);
            }
            if (parts.contains(Part.END)) {
                assertThat(value(connection, "SELECT count(DISTINCT detail) FROM events WHERE type = 'completed'"))
                        .isEqualTo(alike ? 1 : 2);
            }
        }
    }

    private static CombinedRequest request(Part part, Resource resource, int number, Claims claims) {
        String key = resource.toString();
        if (part == Part.TAKE) {
            return new Take(key, "ann", number * MINUTE, "r-" + key, false, null, null, 0, null);
        }
        claims.claim(ClaimRequest.of(resource, "ann"));
        return part == Part.END ? new End(key, "ann", 1, Ending.completed("done " + number)) : new Renew(key, "ann", 1);
    }

    private static long value(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(1);
        }
    }
}
