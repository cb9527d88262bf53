package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.holdfast.broker.config.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SqliteDashboardTest extends DashboardContract {
    @Override
    Config config(Path folder) {
        return Config.in(folder);
    }

    @Test
    void what_nobody_comes_for_needs_a_person_and_a_quiet_step_is_called_by_name() {
        caller.call("create_review", "intent", "Count items", "agent_type", "claude", "description", "d");
        String task = caller.call("create_task", "name", "release", "steps", List.of(Map.of("key", "test-linux")))
                .text("task_id");
        caller.call("claim_next_step", "holder", "codex-77b2e0");

        History.sixMinutesPass(folder);

        Locator needs = visit("/").locator("[data-region=needs]");
        assertThat(needs).containsText("Waiting for a reviewer; nobody is reviewing anything");
        assertThat(needs)
                .containsText(
                        "Holds step test-linux of release (" + task.substring(0, 8) + "); freed automatically in");
    }
}
