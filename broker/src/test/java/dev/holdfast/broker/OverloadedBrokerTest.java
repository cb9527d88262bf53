package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient.Reply;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.claim.Claim;
import dev.holdfast.claim.Kind;
import dev.holdfast.store.Share;
import dev.holdfast.testing.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** More calls than a broker has connections for, on a PostgreSQL that is well but slow. */
class OverloadedBrokerTest extends OnBroker {
    private final String database = TestPostgres.freshDatabase();

    @Override
    protected Settings store() {
        return new Settings().put(Setting.DATABASE, database);
    }

    @Override
    protected Settings settings() {
        return new Settings().put(Setting.CONNECTIONS, 2L);
    }

    @Test
    void every_caller_is_answered_nobody_is_told_that_postgresql_is_away_and_the_broker_stays_itself() {
        makeWorkSlow();
        await().until(() -> !names().isEmpty());
        Claim before = names().getFirst();

        List<CompletableFuture<Reply>> calls = IntStream.range(0, 120)
                .mapToObj(i -> caller.start("create_work", "title", "item " + i))
                .toList();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> names().getFirst().renewedAt().isAfter(before.renewedAt()));
        assertThat(caller.get("/readyz").status()).isEqualTo(200);
        List<Reply> replies = calls.stream().map(CompletableFuture::join).toList();

        List<Reply> refused =
                replies.stream().filter(reply -> reply.status() != 200).toList();
        assertThat(replies.size()).isGreaterThan(refused.size());
        assertThat(refused).isNotEmpty().allSatisfy(reply -> {
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.text("code")).isEqualTo("busy");
            assertThat(reply.text("error"))
                    .contains("this broker is overloaded")
                    .doesNotContain("PostgreSQL");
            assertThat(reply.raw().headers().firstValue("Retry-After")).isPresent();
        });
        assertThat(names())
                .singleElement()
                .satisfies(now -> assertThat(now.fence()).isEqualTo(before.fence()));
    }

    private List<Claim> names() {
        return Share.CHORES.turn().call(() -> broker.claims().held(Kind.BROKER, null, null));
    }

    private void makeWorkSlow() {
        TestPostgres.execute(database, """
                CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM pg_sleep(0.5);
                    RETURN NULL;
                END $$;
                CREATE TRIGGER slow AFTER INSERT ON work_items FOR EACH ROW EXECUTE FUNCTION slow();
                """);
    }
}
