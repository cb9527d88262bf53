package dev.holdfast.broker.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.claim.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short ids work in every verb: none forgets to say which of its arguments is an id. */
class IdsTest {
    private static final Map<String, Kind> NAMES =
            Map.of("review_id", Kind.REVIEW, "task_id", Kind.FINALIZATION, "step_id", Kind.STEP);

    @Test
    void every_argument_that_is_an_id_is_marked_as_one(@TempDir Path folder) {
        try (Broker broker = Broker.start(Config.in(folder))) {
            List<String> forgotten = broker.verbs().stream()
                    .flatMap(verb -> verb.arguments().stream()
                            .filter(field -> NAMES.containsKey(field.name()) && NAMES.get(field.name()) != field.idOf())
                            .map(field -> verb.name() + "." + field.name()))
                    .toList();
            assertThat(forgotten).isEmpty();
        }
    }
}
