package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody can use another's name by a verb that forgot to say which of its arguments is one. */
class ActorsTest {
    private static final Set<String> NAMES = Set.of("holder", "reviewer_id", "caller_id", "processor_id");

    /** Here the name is what is asked about or done to, not who does it. */
    private static final Set<String> ABOUT =
            Set.of("who", "list_work", "kill_reviewer", "get_reviewer_log", "get_finalization_attempts");

    @Test
    void every_argument_that_names_the_caller_is_marked_as_one(@TempDir Path folder) {
        try (Broker broker = Broker.start(Config.in(folder))) {
            List<String> forgotten = broker.verbs().stream()
                    .filter(verb -> !ABOUT.contains(verb.name()))
                    .flatMap(verb -> verb.arguments().stream()
                            .filter(field -> NAMES.contains(field.name()) && !field.actor())
                            .map(field -> verb.name() + "." + field.name()))
                    .toList();
            assertThat(forgotten).isEmpty();
        }
    }
}
