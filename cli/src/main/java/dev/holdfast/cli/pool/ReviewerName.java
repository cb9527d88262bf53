package dev.holdfast.cli.pool;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.RefusalWording;
import dev.holdfast.cli.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Resolves a pool reviewer's name as people type it: the full id, or {@code codex-r1} without the session. */
final class ReviewerName {
    private static final Pattern WHOLE = Pattern.compile(".+-[0-9a-f]{8}");

    private ReviewerName() {}

    /**
     * The id: of several with this name, the live one, otherwise the last one started; if none is given, the last of
     * all.
     */
    static @Nullable String whole(@Nullable String typed, BrokerClient broker) {
        if (typed != null && WHOLE.matcher(typed).matches()) {
            return typed;
        }
        Reply reply = broker.call("list_reviewers", Map.of());
        if (!reply.accepted()) {
            throw Failure.refused(reply, "pool", RefusalWording::of);
        }
        List<JsonObject> meant = reply.json().objects("reviewers").stream()
                .filter(one -> typed == null || typed.equals(one.text("display_name")))
                .sorted(Comparator.comparing(one -> String.valueOf(one.text("spawned_at"))))
                .toList();
        List<JsonObject> there =
                meant.stream().filter(one -> one.text("terminated_at") == null).toList();
        if (typed != null && there.size() > 1) {
            throw Failure.invalid("several reviewers are called " + typed + "; give the full id, one of "
                    + String.join(
                            ", ", there.stream().map(one -> one.text("id")).toList()));
        }
        List<JsonObject> best = there.isEmpty() ? meant : there;
        return best.isEmpty() ? typed : best.getLast().text("id");
    }
}
