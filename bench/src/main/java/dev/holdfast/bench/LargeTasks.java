package dev.holdfast.bench;

import dev.holdfast.store.Engine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * The time of a step, claimed and completed over HTTP, in small and large tasks; P10 measures whole tasks and many
 * agents.
 */
final class LargeTasks {
    private LargeTasks() {}

    static List<Curve> measure(Lab lab, Engine engine, List<Integer> sizes) throws Exception {
        String place = lab.place(engine);
        try (BrokerCalls broker = BrokerCalls.start(lab, engine, place)) {
            Map<Integer, Integer> left = new TreeMap<>();
            return Growth.turns(Growth.words(engine), "steps in the task", sizes, (size, _, timed) -> {
                if (left.getOrDefault(size, 0) == 0) {
                    create(broker, size);
                    left.put(size, size);
                }
                left.merge(size, -1, Integer::sum);
                timed.call("steps", "claim and complete a step", () -> step(broker, size));
            });
        } finally {
            lab.remove(engine, place);
        }
    }

    private static void create(BrokerCalls broker, int size) throws Exception {
        String steps =
                IntStream.range(0, size).mapToObj(i -> "{'key': 's" + i + "'}").collect(Collectors.joining(", "));
        broker.post("create_task", "{'name': 'large', 'namespace': 'n" + size + "', 'steps': [" + steps + "]}");
    }

    private static JsonNode step(BrokerCalls broker, int size) throws Exception {
        JsonNode given = broker.post("claim_next_step", "{'holder': 'ann', 'namespace': 'n" + size + "'}");
        return broker.post(
                "complete_step",
                "{'step_id': '" + given.at("/step/step_id").asString() + "', 'holder': 'ann', 'claim_generation': "
                        + given.path("claim_generation").asLong() + "}");
    }
}
