package dev.holdfast.broker.auth;

import dev.holdfast.broker.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of a team, at the doors of one broker that lets nobody in without one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TeamTokensContract {
    private TeamBroker shared;

    abstract Settings store(Path folder);

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        shared = new TeamBroker(folder, store(folder));
    }

    @AfterAll
    void stop() {
        shared.close();
    }

    @Nested
    class Roles extends TokenRolesContract {
        Roles() {
            super(shared);
        }
    }

    @Nested
    class Names extends TokenNamesContract {
        Names() {
            super(shared);
        }
    }

    @Nested
    class Secrets extends TokenSecretsContract {
        Secrets() {
            super(shared);
        }
    }

    @Nested
    class Belongings extends TokenBelongingsContract {
        Belongings() {
            super(shared);
        }
    }

    @Nested
    class Projects extends TokenProjectsContract {
        Projects() {
            super(shared);
        }
    }

    @Nested
    class Hooks extends TokenHooksContract {
        Hooks() {
            super(shared);
        }
    }

    @Nested
    class Doors extends TokenDoorsContract {
        Doors() {
            super(shared);
        }
    }
}
