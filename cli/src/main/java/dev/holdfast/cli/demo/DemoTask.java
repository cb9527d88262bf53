package dev.holdfast.cli.demo;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** The demo's task: three agents do its steps in parallel, all three try to finalize it, and exactly one does. */
record DemoTask(DemoStage stage, Narrator narrator) {
    private static final List<String> AGENTS = List.of("ann", "bob", "carol");
    private static final List<String> STEPS = List.of("north", "south", "west");

    /** The result for one of them. */
    private record Part(String agent, JsonObject answer) {}

    void play() {
        narrator.chapter("Fan out, finalize once");
        String task = String.valueOf(accepted(stage.door()
                        .call(
                                "create_task",
                                Map.of("name", "Count the ships", "finalizer", "external", "steps", steps())))
                .text("task_id"));
        narrator.says("broker", "task \"Count the ships\": " + String.join(", ", STEPS) + ", all at once");

        for (Part part : together(this::count)) {
            narrator.says(part.agent(), "counts in the " + part.answer().text("counted"));
        }
        List<Part> tries = together(agent ->
                accepted(stage.door().call("claim_finalization", Map.of("task_id", task, "processor_id", agent))));
        List<Part> winners = tries.stream()
                .filter(part -> Boolean.TRUE.equals(part.answer().get("claimed")))
                .toList();
        DemoReviews.demand(winners.size() == 1, "exactly one may end the task: " + tries);
        narrator.says(
                "broker",
                "all three try to add up at the same moment; one may: "
                        + winners.getFirst().agent());
        finish(task, winners.getFirst());
    }

    private void finish(String task, Part winner) {
        JsonObject finished = accepted(stage.door()
                .call(
                        "finish_task",
                        new Input()
                                .with("task_id", task)
                                .with("processor_id", winner.agent())
                                .with("claim_generation", winner.answer().number("claim_generation"))
                                .fields()));
        String state =
                accepted(stage.door().call("get_task", Map.of("task_id", task))).text("state");
        DemoReviews.demand(
                Boolean.TRUE.equals(finished.get("finished")) && "complete".equals(state),
                "the task has ended: " + finished.members() + ", " + state);
        narrator.says(winner.agent(), "finalizes the task: " + narrator.paint().good("complete"));
    }

    /** Claims the next step and does it. */
    private JsonObject count(String agent) {
        JsonObject taken = accepted(stage.door().call("claim_next_step", Map.of("holder", agent)));
        JsonObject step = taken.object("step");
        String key = String.valueOf(step.text("key"));
        DemoReviews.demand(STEPS.contains(key), agent + " has a step: " + taken.members());
        accepted(stage.door()
                .call(
                        "complete_step",
                        new Input()
                                .with("step_id", step.text("step_id"))
                                .with("holder", agent)
                                .with("claim_generation", taken.number("claim_generation"))
                                .with("result", Map.of("ships", key.length()))
                                .fields()));
        return JsonObject.of(Map.of("counted", key));
    }

    private static List<Map<String, String>> steps() {
        return STEPS.stream().map(key -> Map.of("key", key)).toList();
    }

    private static List<Part> together(Function<String, JsonObject> doing) {
        List<CompletableFuture<Part>> parts = AGENTS.stream()
                .map(agent -> {
                    CompletableFuture<Part> part = new CompletableFuture<>();
                    Thread.ofVirtual().start(() -> {
                        try {
                            part.complete(new Part(agent, doing.apply(agent)));
                        } catch (Failure failure) {
                            part.completeExceptionally(failure);
                        }
                    });
                    return part;
                })
                .toList();
        return parts.stream().map(DemoTask::outcome).toList();
    }

    private static Part outcome(CompletableFuture<Part> part) {
        try {
            return part.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof Failure failure ? failure : Failure.failed("the task failed: " + e, e);
        }
    }

    private static JsonObject accepted(Reply reply) {
        if (!reply.accepted()) {
            throw Failure.refused(reply, "the task");
        }
        return reply.json();
    }
}
