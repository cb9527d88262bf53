package dev.holdfast.broker.race;

import dev.holdfast.task.FinalizationAnswer;
import dev.holdfast.task.Finalizations;
import dev.holdfast.task.TaskState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Finalizations as a program has them that speaks HTTP. */
final class HttpFinalizations implements Finalizations {
    private final PatientCaller broker;

    HttpFinalizations(PatientCaller broker) {
        this.broker = broker;
    }

    @Override
    public Claimed claim(String taskId, String processor, @Nullable Duration timeout, @Nullable Long generation) {
        Map<String, Object> asked = asked(taskId, processor, generation);
        if (timeout != null) {
            asked.put("timeout_seconds", timeout.toSeconds());
        }
        JsonNode answer = call("claim_finalization", asked);
        return new Claimed(
                answer.path("claimed").asBoolean() ? FinalizationAnswer.GRANTED : refusal(answer),
                answer.path("already_claimed_by").asString(null),
                answer.path("task_state").asString(),
                answer.path("message").asString(),
                number(answer, "claim_generation"),
                number(answer, "requested_seq"));
    }

    @Override
    public boolean release(String taskId, String processor, @Nullable Long generation, @Nullable Long handledSeq) {
        Map<String, Object> asked = asked(taskId, processor, generation);
        if (handledSeq != null) {
            asked.put("handled_seq", handledSeq);
        }
        return call("release_finalization", asked).path("released").asBoolean();
    }

    @Override
    public Finished finish(
            String taskId, String processor, long generation, @Nullable Long handledSeq, @Nullable TaskState outcome) {
        Map<String, Object> asked = asked(taskId, processor, generation);
        if (handledSeq != null) {
            asked.put("handled_seq", handledSeq);
        }
        if (outcome != null) {
            asked.put("outcome", outcome.toString());
        }
        JsonNode answer = call("finish_task", asked);
        return new Finished(
                answer.path("finished").asBoolean() ? FinalizationAnswer.FINISHED : refusal(answer),
                answer.path("task_state").asString(),
                number(answer, "requested_seq"),
                answer.path("message").asString());
    }

    private static FinalizationAnswer refusal(JsonNode answer) {
        String code = answer.path("code").asString();
        return Stream.of(FinalizationAnswer.values())
                .filter(one -> code.equals(String.valueOf(one.code())))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("unclear: " + answer));
    }

    private static Map<String, Object> asked(String taskId, String processor, @Nullable Long generation) {
        Map<String, Object> asked = new HashMap<>(Map.of("task_id", taskId, "processor_id", processor));
        if (generation != null) {
            asked.put("claim_generation", generation);
        }
        return asked;
    }

    private static @Nullable Long number(JsonNode answer, String field) {
        return answer.path(field).isNumber() ? answer.path(field).asLong() : null;
    }

    private JsonNode call(String verb, Map<String, Object> asked) {
        try {
            return broker.call(verb, asked);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
