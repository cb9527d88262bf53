package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.broker.metrics.Board;
import dev.holdfast.testing.Programs;
import dev.holdfast.testing.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A processor that is nothing but psql works beside two brokers. */
class PsqlProcessorTest {
    private final String database = TestPostgres.freshDatabase();
    private Broker first;
    private Broker second;
    private BrokerClient here;
    private BrokerClient there;

    @BeforeAll
    static void needsPsql() {
        Programs.assumeInstalled("psql", "apt install postgresql-client");
    }

    @BeforeEach
    void start() {
        first = broker();
        second = broker();
        here = new BrokerClient(first);
        there = new BrokerClient(second);
    }

    @AfterEach
    void stop() {
        here.close();
        there.close();
        first.close();
        second.close();
    }

    private Broker broker() {
        return Broker.start(
                Config.of(new Settings().put(Setting.DATABASE, database).put(Setting.PORT, 0L)));
    }

    @Test
    void psql_claims_extends_loses_and_finishes_beside_two_brokers() throws Exception {
        String task = here.call(
                        "create_task",
                        "name",
                        "by hand",
                        "finalizer",
                        "external",
                        "steps",
                        List.of(Map.of("key", "a"), Map.of("key", "b")))
                .text("task_id");
        assertThat(psql("SELECT claimed, message FROM claim_task_for_finalization('%s', 'psql')", task))
                .isEqualTo("f|Task has no completed or failed steps");
        complete(there);

        assertThat(psql("SELECT * FROM claim_task_for_finalization('%s', 'psql', 1)", task))
                .isEqualTo("t|psql|has_ready_steps|Successfully claimed for finalization|1|2|granted");
        assertThat(psql("SELECT finished, message FROM finish_task('%s', 'psql', 1)", task))
                .isEqualTo("f|Policy all_succeeded is not fulfilled: 0 steps are waiting, 1 active");

        // a second later another has it, by the other broker
        await().until(() ->
                claim(there, task, "over http").body().path("claimed").asBoolean());
        long taken = claim(there, task, "over http").generation();
        complete(here);
        assertThat(psql(
                        "SELECT claimed, already_claimed_by FROM claim_task_for_finalization('%s', 'psql', 30, 1)",
                        task))
                .isEqualTo("f|over http");
        assertThat(psql("SELECT finished, message FROM finish_task('%s', 'psql', 1)", task))
                .isEqualTo("f|Claim lost to over http");
        assertThat(psql("SELECT release_finalization_claim('%s', 'psql', 1)", task))
                .isEqualTo("f");

        // which lets go
        there.call("release_finalization", "task_id", task, "processor_id", "over http", "claim_generation", taken);
        String again =
                psql("SELECT claim_generation, requested_seq FROM claim_task_for_finalization('%s', 'psql')", task);
        long generation = Long.parseLong(again.substring(0, again.indexOf('|')));
        assertThat(again).endsWith("|3");
        assertThat(generation).isGreaterThan(taken);
        assertThat(claim(here, task, "over http").text("already_claimed_by")).isEqualTo("psql");
        assertThat(psql("SELECT message FROM claim_task_for_finalization('%s', 'psql', 30, " + generation + ")", task))
                .isEqualTo("Claim extended");
        assertThat(psql("SELECT finished, reevaluate FROM finish_task('%s', 'psql', " + generation + ", 2)", task))
                .isEqualTo("f|t");
        assertThat(psql("SELECT finished, task_state FROM finish_task('%s', 'psql', " + generation + ", 3)", task))
                .isEqualTo("t|complete");

        for (BrokerClient caller : List.of(here, there)) {
            assertThat(caller.call("get_task", "task_id", task).text("state")).isEqualTo("complete");
            assertThat(claim(caller, task, "late").text("message")).isEqualTo("Task already complete");
            await().until(() -> caller.call("get_events", "resource", "finalization:" + task)
                    .body()
                    .path("events")
                    .findValuesAsString("type")
                    .contains("task_finished"));
        }
        assertThat(psql("SELECT count(*) FROM outbox WHERE task_id = '%s'", task))
                .isEqualTo("1");
    }

    /** Its statements as they stand there: a uuid, the predecessor's names for the arguments, and nothing of a fence. */
    @Test
    void the_statements_of_seed_004_work_as_they_are() throws Exception {
        String task = here.call(
                        "create_task",
                        "name",
                        "seed",
                        "finalizer",
                        "external",
                        "steps",
                        List.of(Map.of("key", "a"), Map.of("key", "b")))
                .text("task_id");
        complete(here);
        assertThat(psql(
                        "SELECT claimed, already_claimed_by, task_state, message"
                                + " FROM claim_task_for_finalization('%s'::uuid, 'result_processor_1'::character varying, 30)",
                        task))
                .isEqualTo("t|result_processor_1|has_ready_steps|Successfully claimed for finalization");
        assertThat(psql(
                        "SELECT message FROM claim_task_for_finalization(p_task_uuid => '%s',"
                                + " p_processor_id => 'result_processor_1', p_timeout_seconds => 30)",
                        task))
                .isEqualTo("Claim extended");
        assertThat(psql(
                        "SELECT claimed, message FROM claim_task_for_finalization('%s'::uuid, 'result_processor_2')",
                        task))
                .isEqualTo("f|Task already claimed for finalization");
        assertThat(psql("SELECT release_finalization_claim('%s'::uuid, 'result_processor_2')", task))
                .isEqualTo("f");
        assertThat(psql(
                        "SELECT release_finalization_claim(p_task_uuid => '%s', p_processor_id => 'result_processor_1')",
                        task))
                .isEqualTo("t");
        assertThat(psql(
                        "SELECT message, task_state FROM claim_task_for_finalization(gen_random_uuid(), 'result_processor_1')",
                        task))
                .isEqualTo("Task not found|not_found");
        complete(there);
        String generation = psql(
                "SELECT claim_generation FROM claim_task_for_finalization('%s'::uuid, 'result_processor_2')", task);
        assertThat(psql(
                        "SELECT finished FROM finish_task(p_task_uuid => '%s', p_processor_id => 'result_processor_2',"
                                + " p_claim_generation => " + generation + ")",
                        task))
                .isEqualTo("t");
        assertThat(psql(
                        "SELECT count(*), count(obj_description(oid)) FROM pg_proc WHERE proname IN"
                                + " ('claim_task_for_finalization', 'release_finalization_claim', 'finish_task')",
                        task))
                .isEqualTo("6|6");
    }

    /** The board shows processors from the log of attempts. */
    @Test
    void the_statements_of_the_board_count_what_each_processor_tried() throws Exception {
        String task = here.call(
                        "create_task", "name", "board", "finalizer", "external", "steps", List.of(Map.of("key", "a")))
                .text("task_id");
        complete(here);
        psql("SELECT claim_task_for_finalization('%s', 'busy'), claim_task_for_finalization('%s', 'busy')", task);
        claim(there, task, "late");

        assertThat(Board.statements()).hasSize(1);
        assertThat(psql(Board.filledIn(Board.statements().getFirst()).replace("max(attempted_at)", "1"), task))
                .isEqualTo("busy|2|1|1|0|0|1\nlate|1|0|0|0|1|1");
    }

    private static BrokerClient.Reply claim(BrokerClient caller, String task, String processor) {
        return caller.call("claim_finalization", "task_id", task, "processor_id", processor);
    }

    private static void complete(BrokerClient caller) {
        BrokerClient.Reply taken = caller.call("claim_next_step", "holder", "agent");
        BrokerClient.Reply done = caller.call(
                "complete_step",
                "step_id",
                taken.body().at("/step/step_id").asString(),
                "holder",
                "agent",
                "claim_generation",
                taken.generation());
        assertThat(done.text("state")).isEqualTo("succeeded");
    }

    private String psql(String statement, String task) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        "psql",
                        "-X",
                        "-A",
                        "-t",
                        "-c",
                        statement.replace("%s", task),
                        database.replaceFirst("jdbc:", "")))
                .redirectErrorStream(true)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(answer).isZero();
        return answer;
    }
}
