package dev.holdfast.broker.auth;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.testing.GeneratedPart;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PermissionsTest {
    @Test
    void every_verb_has_a_row_and_the_page_of_roles_shows_them_all(@TempDir Path folder) throws IOException {
        try (Broker broker = Broker.start(Config.in(folder))) {
            Permissions.check(broker.verbs());
            assertThatThrownBy(() -> Permissions.check(
                            broker.verbs().subList(1, broker.verbs().size())))
                    .hasMessageContaining(broker.verbs().getFirst().name());
            GeneratedPart.of("team.md", "roles").mustBe(Permissions.table(broker.verbs()));
        }
    }
}
