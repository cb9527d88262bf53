package dev.holdfast.broker.auth;

import dev.holdfast.broker.config.Settings;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SqliteTeamTokensTest extends TeamTokensContract {
    @Override
    Settings store(Path folder) {
        return new Settings();
    }

    /** Once: what the table says has nothing to do with the store. */
    @Test
    void every_verb_answers_every_role_as_the_one_table_says() {
        walkTheTable();
    }
}
