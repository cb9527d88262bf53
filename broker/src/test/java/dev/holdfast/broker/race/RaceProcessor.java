package dev.holdfast.broker.race;

import dev.holdfast.task.Finalizations;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * One processor: takes steps, completes them, and tries to end their tasks, until it is killed or a file tells it to stop.
 * What it was told it prints, for {@link RaceLog}. Now and then it sleeps longer than its claim, and then goes on as if nothing
 * had been.
 */
final class RaceProcessor {
    /**
     * @param database by whose SQL functions tasks are ended; "-": by the broker
     * @param eager tries after every step, as the seed's processors; else only when the step was the last
     */
    record Orders(String name, URI broker, String database, Duration lease, boolean eager, long seed, Path stop) {
        String[] words() {
            return new String[] {
                name,
                broker.toString(),
                database,
                Long.toString(lease.toSeconds()),
                Boolean.toString(eager),
                Long.toString(seed),
                stop.toString()
            };
        }

        static Orders of(String... words) {
            return new Orders(
                    words[0],
                    URI.create(words[1]),
                    words[2],
                    Duration.ofSeconds(Long.parseLong(words[3])),
                    Boolean.parseBoolean(words[4]),
                    Long.parseLong(words[5]),
                    Path.of(words[6]));
        }
    }

    private static final int ONE_IN = 150;

    private final Orders orders;
    private final PatientCaller broker;
    private final Finalizations finalizations;
    private final Random random;
    private int turns;

    private RaceProcessor(Orders orders) {
        this.orders = orders;
        broker = new PatientCaller(orders.broker);
        finalizations =
                orders.database.equals("-") ? new HttpFinalizations(broker) : new SqlFinalizations(orders.database);
        random = new Random(orders.seed);
    }

    public static void main(String... words) throws InterruptedException {
        new RaceProcessor(Orders.of(words)).run();
    }

    private void run() throws InterruptedException {
        while (!Files.exists(orders.stop)) {
            JsonNode given = broker.call(
                    "claim_next_step",
                    Map.of(
                            "holder",
                            orders.name,
                            "ttl_seconds",
                            orders.lease.toSeconds(),
                            "request_id",
                            UUID.randomUUID().toString()));
            if (given.path("step").isObject()) {
                step(given);
            } else {
                endWhatIsOffered();
            }
        }
    }

    private void step(JsonNode given) throws InterruptedException {
        String taskId = given.at("/step/task_id").asString();
        hesitate();
        JsonNode ended = broker.call(
                "complete_step",
                Map.of(
                        "step_id",
                        given.at("/step/step_id").asString(),
                        "holder",
                        orders.name,
                        "claim_generation",
                        given.path("claim_generation").asLong()));
        boolean done = ended.path("state").asString().equals("succeeded");
        boolean due = ended.at("/task/execution_status").asString().equals("all_complete");
        say(
                "step",
                given.at("/step/step_id").asString(),
                done ? "succeeded" : ended.path("code").asString());
        if (done && (due || orders.eager)) {
            String processor = newName();
            long asked = System.nanoTime();
            Finalizations.Claimed claimed = finalizations.claim(taskId, processor, orders.lease, null);
            say(
                    "claim",
                    taskId,
                    processor,
                    due,
                    orders.eager,
                    (System.nanoTime() - asked) / 1_000,
                    claimed.claimed(),
                    claimed.message());
            end(taskId, processor, claimed);
        }
    }

    private void endWhatIsOffered() throws InterruptedException {
        String processor = newName();
        JsonNode given = broker.call(
                "claim_next",
                Map.of(
                        "kind",
                        "finalization",
                        "queue",
                        "external",
                        "holder",
                        processor,
                        "ttl_seconds",
                        orders.lease.toSeconds()));
        if (given.path("claim_generation").isNumber()) {
            String taskId = given.path("resource").asString().substring("finalization:".length());
            long generation = given.path("claim_generation").asLong();
            say("offered", taskId, processor, generation);
            end(taskId, processor, finalizations.claim(taskId, processor, orders.lease, generation));
        } else {
            Thread.sleep(random.nextInt(20, 100));
        }
    }

    /** Looks at the steps, and ends the task if it may end. */
    private void end(String taskId, String processor, Finalizations.Claimed claimed) throws InterruptedException {
        Long generation = claimed.claimGeneration();
        Long requested = claimed.requestedSeq();
        if (generation == null || requested == null) {
            return; // whoever has it sees what we saw
        }
        long seq = requested;
        while (true) {
            long seen = broker.call("get_task", Map.of("task_id", taskId))
                    .at("/counts/succeeded")
                    .asLong();
            hesitate();
            Finalizations.Finished finished = finalizations.finish(taskId, processor, generation, seq, null);
            say("finish", taskId, processor, generation, seq, seen, finished.finished(), finished.message());
            Long now = finished.requestedSeq();
            if (finished.finished() || now == null) {
                return;
            }
            if (!finished.reevaluate()) {
                finalizations.release(taskId, processor, generation, seq);
                return;
            }
            seq = now;
        }
    }

    private void hesitate() throws InterruptedException {
        if (random.nextInt(ONE_IN) == 0) {
            Thread.sleep(orders.lease.plusMillis(500));
        }
    }

    private String newName() {
        return orders.name + "#" + ++turns;
    }

    /** One write for one line: who is killed leaves whole ones, or one that has no end. */
    private static void say(Object... words) {
        String line = Arrays.stream(words).map(String::valueOf).collect(Collectors.joining("\t")) + "\n";
        System.out.print(line);
        System.out.flush();
    }
}
