package dev.holdfast.task;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task to create.
 *
 * @param namespace whose agents do its steps; empty: anybody's
 * @param onFinish JSON: what to do when it has ended
 * @param context JSON for everybody who works on it
 * @param idempotencyKey a repeat with the same key in the same namespace creates no second task
 */
public record NewTask(
        String name,
        String namespace,
        List<NewStep> steps,
        Policy policy,
        Finalizer finalizer,
        @Nullable String onFinish,
        @Nullable String context,
        @Nullable String idempotencyKey) {
    public static final int MAX_STEPS = 10_000;
    static final int LONGEST_CONTEXT = 1_000_000;

    public NewTask {
        if (name.isBlank()) {
            throw new InvalidException("name must not be blank; say what the task is");
        }
        Text.limited("name", name, 500);
        Text.limited("namespace", namespace, Text.LONGEST_HOLDER);
        if (steps.isEmpty()) {
            throw new InvalidException("a task needs at least one step; a step that fans out may add the others later");
        }
        if (steps.size() > MAX_STEPS) {
            throw new InvalidException(
                    "at most " + MAX_STEPS + " steps at once, not " + steps.size() + "; add the others with add_steps");
        }
        steps = List.copyOf(steps);
        if (context != null) {
            Text.limited("context", context, LONGEST_CONTEXT);
        }
        if (onFinish != null) {
            Text.limited("on_finish", onFinish, 10_000);
        }
        if (idempotencyKey != null) {
            Text.limited("idempotency_key", idempotencyKey, Text.LONGEST_HOLDER);
        }
    }

    public static NewTask of(String name, NewStep... steps) {
        return new NewTask(name, "", List.of(steps), Policy.ALL_SUCCEEDED, Finalizer.BROKER, null, null, null);
    }

    public NewTask policy(Policy policy) {
        return new NewTask(name, namespace, steps, policy, finalizer, onFinish, context, idempotencyKey);
    }

    public NewTask finalizer(Finalizer finalizer) {
        return new NewTask(name, namespace, steps, policy, finalizer, onFinish, context, idempotencyKey);
    }

    public NewTask namespace(String namespace) {
        return new NewTask(name, namespace, steps, policy, finalizer, onFinish, context, idempotencyKey);
    }

    public NewTask idempotencyKey(@Nullable String idempotencyKey) {
        return new NewTask(name, namespace, steps, policy, finalizer, onFinish, context, idempotencyKey);
    }
}
