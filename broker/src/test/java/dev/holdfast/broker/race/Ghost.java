package dev.holdfast.broker.race;

import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.BrokerClient.Reply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Comes back in the name of an agent that was killed, with the claim that it had: everything it tries is too late. */
record Ghost(String holder, String id, long generation) {
    /** Returns when the claim is the agent's no more: another has the item, nobody has, or it is closed. */
    void waitUntilItIsGone(BrokerClient caller) {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    JsonNode claim = caller.call("get_work", "id", id).body().path("claim");
                    return claim.path("claim_generation").asLong() != generation;
                });
    }

    /** What each of the calls of a holder is answered. */
    Map<String, Reply> haunt(BrokerClient caller) {
        Map<String, Reply> answers = new LinkedHashMap<>();
        answers.put(
                "heartbeat",
                caller.call("heartbeat", "resource", "work:" + id, "holder", holder, "claim_generation", generation));
        answers.put(
                "update_work",
                caller.call(
                        "update_work", "id", id, "holder", holder, "claim_generation", generation, "title", "ghost"));
        answers.put(
                "close_work", caller.call("close_work", "id", id, "holder", holder, "claim_generation", generation));
        answers.put(
                "release",
                caller.call("release", "resource", "work:" + id, "holder", holder, "claim_generation", generation));
        return answers;
    }
}
