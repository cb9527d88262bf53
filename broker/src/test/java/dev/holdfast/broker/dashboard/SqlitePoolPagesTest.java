package dev.holdfast.broker.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlitePoolPagesTest extends PoolPagesContract {
    @Override
    Config config(Path folder) {
        return Config.in(folder, withPool());
    }

    @Test
    void a_review_that_the_pool_may_not_judge_needs_a_person_at_once(@TempDir Path another) {
        Settings strict = withPool().put(Setting.FORBID_SAME_ENGINE, true);
        try (Broker other = Broker.start(Config.in(another, strict));
                BrokerClient there = new BrokerClient(other)) {
            there.call("create_review", "intent", "Count items", "agent_type", "claude", "description", "d");
            Page page = browser.window("");
            page.navigate(other.url());
            assertThat(page.locator("h1")).hasText("Nothing needs you");

            there.call("create_review", "intent", "Count them again", "agent_type", "command", "description", "d");
            assertThat(page.locator("h1")).hasText("One thing needs you");
            assertThat(page.locator("[data-region=needs]"))
                    .containsText("Waiting for a person: its proposer is a command, and so are the pool’s reviewers");
            browser.tidy();
        }
    }

    @Test
    void an_approval_by_rules_says_that_nobody_has_judged_the_change(@TempDir Path another) {
        Settings rules = new Settings().put(Setting.POOL_ENGINE, "rules");
        try (Broker other = Broker.start(Config.in(another, rules));
                BrokerClient there = new BrokerClient(other)) {
            String id = there.call("create_review", "intent", "Count items", "agent_type", "claude", "description", "d")
                    .text("review_id");
            Page page = browser.window("");
            page.navigate(other.url() + "/reviews/" + id);

            assertThat(page.locator(".verdict")).containsText("approved round 1");
            assertThat(page.locator(".verdict")).containsText("nobody has judged what the change does");
            page.navigate(other.url() + "/pool");
            assertThat(page.locator("main")).containsText("Where a person should decide");
            browser.tidy();
        }
    }

    @Test
    void reviewers_that_end_without_a_review_need_a_person(@TempDir Path another) {
        Settings failing = withPool().put(Setting.POOL_COMMAND, List.of("sh", "-c", "exit 3"));
        try (Broker other = Broker.start(Config.in(another, failing));
                BrokerClient there = new BrokerClient(other)) {
            there.call("spawn_reviewer");
            Page page = browser.window("");
            page.navigate(other.url());

            assertThat(page.locator("[data-region=needs]")).containsText("ended without a review");
            page.locator("[data-region=needs] .act a").click();
            assertThat(page.locator("main")).containsText("ended before");
            browser.tidy();
        }
    }
}
