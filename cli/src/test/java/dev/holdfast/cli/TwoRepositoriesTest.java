package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.Setting;
import dev.holdfast.broker.config.Settings;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.testing.TestSqlite;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two repositories, three working trees, one broker that no config file tells of any of them, and unsaved work everywhere: each
 * command means the repository that it is typed in.
 */
@Timeout(300)
class TwoRepositoriesTest {
    private static final String CLEAN = "def total(a, b):\n    return a + b\n";

    @TempDir
    Path folder;

    Broker broker;
    SampleRepository shop;
    SampleRepository shopTree;
    SampleRepository api;
    List<SampleRepository> all;

    @BeforeEach
    void start() throws Exception {
        Settings settings = new Settings()
                .put(Setting.DATA, TestSqlite.in(folder.resolve("data")).toString())
                .put(Setting.PORT, 0L)
                .put(Setting.POOL_ENGINE, "rules")
                .put(Setting.POOL_RULES_OFF, List.of("untested"));
        broker = Broker.start(Config.of(settings, Files.createDirectory(folder.resolve("nowhere"))));
        shop = SampleRepository.make(folder, "shop", broker.url());
        api = SampleRepository.make(folder, "api", broker.url());
        api.write("README", "another history\n");
        api.commit("second");
        shop.git(
                "worktree",
                "add",
                "-q",
                "-b",
                "topic",
                folder.resolve("shop-topic").toString());
        shopTree = shop.at(folder.resolve("shop-topic"));
        all = List.of(shop, shopTree, api);
        for (SampleRepository each : all) {
            each.write("README", "unsaved work of somebody in " + each.folder.getFileName() + "\n");
            each.write("not-added.txt", "unsaved\n");
        }
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void a_review_of_each_is_checked_against_its_own_commit_and_approved_by_reviewers_in_its_own_folder()
            throws Exception {
        Map<SampleRepository, String> reviews = new HashMap<>();
        for (SampleRepository each : all) {
            each.write("total.py", CLEAN);
            each.git("add", "total.py");
            String diff = each.git("diff", "--cached") + "\n";
            Ran ran = handed(
                    each,
                    diff,
                    "review",
                    "create",
                    "Add a total for " + each.folder.getFileName(),
                    "--diff",
                    "-",
                    "--json");
            assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
            assertThat(ran.json().get("checked")).as(ran.out()).isEqualTo(true);
            assertThat(ran.json().text("project")).isEqualTo(each == api ? "api" : "shop");
            reviews.put(each, String.valueOf(ran.json().text("review_id")));
        }
        assertThat(reviews.get(shopTree))
                .as("the same content in another working tree is the same review")
                .isEqualTo(reviews.get(shop));
        for (SampleRepository each : all) {
            await().atMost(Duration.ofSeconds(90))
                    .untilAsserted(() -> assertThat(status(each, Objects.requireNonNull(reviews.get(each)))
                                    .text("status"))
                            .isEqualTo("approved"));
            Ran gate = typed(each, "gate");
            assertThat(gate.exitCode()).as(gate.err()).isZero();
        }
        Ran pool = typed(shop, "pool", "status", "--all", "--json");
        assertThat(pool.out()).contains(real(shop), real(api)).doesNotContain("nowhere");
    }

    @Test
    void a_diff_that_does_not_apply_names_its_base_and_a_counter_patch_is_held_against_the_rounds_content()
            throws Exception {
        broker.close();
        broker = Broker.start(Config.of(
                new Settings()
                        .put(Setting.DATA, TestSqlite.in(folder.resolve("data")).toString())
                        .put(Setting.PORT, port()),
                folder.resolve("nowhere")));
        api.write("total.py", CLEAN);
        api.git("add", "total.py");
        Ran made = typed(api, "gate", "--propose", "--intent", "Add a total", "--json");
        String review = String.valueOf(made.json().text("review_id"));
        assertThat(made.json().get("checked")).isEqualTo(true);

        Ran bad = handed(
                api,
                "--- a/README\n+++ b/README\n@@ -1 +1 @@\n-nobody wrote this\n+x\n",
                "review",
                "create",
                "x",
                "--diff",
                "-");
        assertThat(bad.exitCode()).isEqualTo(2);
        assertThat(bad.err())
                .contains(
                        "checked against commit " + api.git("rev-parse", "HEAD").substring(0, 12), real(api));

        assertThat(typed(api, Map.of("HOLDFAST_AGENT", "rev"), "review", "claim", review)
                        .exitCode())
                .isZero();
        String further =
                "--- a/total.py\n+++ b/total.py\n@@ -1,2 +1,3 @@\n def total(a, b):\n+    # both\n     return a + b\n";
        Path patch = Files.writeString(folder.resolve("further.diff"), further);
        Ran verdict = typed(
                api,
                Map.of("HOLDFAST_AGENT", "rev"),
                "review",
                "verdict",
                review,
                "changes",
                "--reason",
                "say which",
                "--counter-patch",
                patch.toString());
        assertThat(verdict.exitCode()).as(verdict.err()).isZero();
        assertThat(typed(api, "review", "accept", review).exitCode()).isZero();
        assertThat(typed(api, "call", "get_proposal", "review_id=" + review).out())
                .contains("+    # both", "+def total(a, b):", "new file mode");
    }

    @Test
    void work_and_reservations_are_those_of_the_repository_and_seen_from_all_its_working_trees() throws Exception {
        String ours = item(typed(shop, "work", "create", "Mend the shop", "--json"));
        String theirs = item(typed(api, "work", "create", "Mend the api", "--json"));
        assertThat(typed(shopTree, "work", "list").out()).contains(ours).doesNotContain(theirs);
        assertThat(typed(shop, "work", "list", "--everywhere").out()).contains(ours, theirs);
        assertThat(typed(folder, "work", "list").out()).as("outside of any").contains(ours, theirs);
        assertThat(typed(shop, "work", "list", "--queue", "A.P.I").out()).contains(theirs);
        Ran next = typed(api, Map.of("HOLDFAST_AGENT", "ann"), "claim", "--next", "--json");
        assertThat(next.json().object("item").text("id")).isEqualTo(theirs);
        assertThat(typed(api, Map.of("HOLDFAST_AGENT", "bob"), "claim", "--next", "--json")
                        .json()
                        .has("claim"))
                .as("the other repository's is not taken")
                .isFalse();

        Map<String, String> ann = Map.of("HOLDFAST_AGENT", "ann");
        Map<String, String> bob = Map.of("HOLDFAST_AGENT", "bob");
        assertThat(typed(shop, ann, "work", "claim", ours, "--path", "src/shop").exitCode())
                .isZero();
        assertThat(typed(shopTree, bob, "work", "check", "src/shop/a.py").exitCode())
                .isEqualTo(3);
        assertThat(typed(shopTree, bob, "work", "reserve", "src/shop/a.py").exitCode())
                .isEqualTo(3);
        assertThat(typed(api, bob, "work", "reserve", "src/shop/a.py").exitCode())
                .as("another repository has files of its own")
                .isZero();
        assertThat(typed(shop, bob, "work", "check", "src/shop/a.py", "--queue", "Shop")
                        .exitCode())
                .isEqualTo(3);

        assertThat(guard(shopTree, "src/shop/a.py")).contains("deny", "is reserved by");
        assertThat(guard(api, "src/other.py")).doesNotContain("deny");

        Ran closed = typed(shop, ann, "work", "close", ours, "--reason", "done");
        assertThat(closed.exitCode())
                .as("needs no --generation: " + closed.err())
                .isZero();
        assertThat(typed(shopTree, bob, "work", "check", "src/shop/a.py").exitCode())
                .isZero();
        assertThat(typed(api, ann, "release", theirs).exitCode()).isZero();
        try (var kept = Files.list(folder.resolve("home/.local/state/holdfast/grants"))) {
            assertThat(kept.toList())
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void another_repository_of_the_same_name_is_told_apart_and_that_is_said_once() throws Exception {
        item(typed(shop, "work", "create", "Mend the shop", "--json"));
        SampleRepository other =
                SampleRepository.make(Files.createDirectory(folder.resolve("elsewhere")), "shop", broker.url());
        other.write("README", "a third history\n");
        other.git("add", ".");
        other.git("commit", "-q", "--amend", "-m", "its own first commit");
        String root = other.git("rev-list", "--max-parents=0", "HEAD");
        Ran first = typed(other, "work", "list");
        assertThat(first.err())
                .contains("another repository is already called shop, so this one is shop" + root.substring(0, 4));
        assertThat(first.out()).doesNotContain("Mend");
        assertThat(typed(other, "work", "list").err()).isEmpty();
        Ran reserved = typed(other, Map.of("HOLDFAST_AGENT", "bob"), "work", "reserve", "src");
        assertThat(reserved.exitCode()).isZero();
        assertThat(typed(shop, Map.of("HOLDFAST_AGENT", "ann"), "work", "check", "src/x")
                        .exitCode())
                .isZero();
    }

    @Test
    void a_person_is_known_by_git_where_no_agent_is_named() throws Exception {
        Ran claimed = typed(shop, "claim", "key:deploy", "--json");
        assertThat(claimed.json().text("holder")).isEqualTo("Ann");
        assertThat(typed(shop, "heartbeat", "key:deploy").exitCode()).isZero();
        assertThat(typed(shop, "release", "key:deploy").exitCode()).isZero();
        Ran again = typed(shop, "release", "key:deploy");
        assertThat(again.out()).isEqualTo("nothing to release: nobody holds key:deploy\n");
        assertThat(again.exitCode()).isZero();
    }

    /** What a hook answers to a tool that is about to write. */
    private String guard(SampleRepository where, String file) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(broker.url() + "/hooks/claude?guard=paths"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"hook_event_name\": \"PreToolUse\", \"session_id\": \"g-1\","
                                + " \"tool_name\": \"Write\", \"tool_use_id\": \"t\", \"cwd\": \"" + where.folder
                                + "\", \"tool_input\": {\"file_path\": \"" + where.folder.resolve(file) + "\"}}"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    private long port() {
        return Long.parseLong(broker.url().substring(broker.url().lastIndexOf(':') + 1));
    }

    private static String item(Ran ran) {
        assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
        return String.valueOf(ran.json().object("item").text("id"));
    }

    private JsonObject status(SampleRepository where, String review) throws IOException {
        return typed(where, "call", "get_review_status", "review_id=" + review).json();
    }

    private static String real(SampleRepository repository) throws IOException {
        return repository.folder.toRealPath().toString();
    }

    private Ran typed(SampleRepository where, String... words) {
        return typed(where, Map.of(), words);
    }

    private Ran typed(SampleRepository where, Map<String, String> more, String... words) {
        Map<String, String> environment = new HashMap<>(where.environment);
        environment.putAll(more);
        return Ran.in(where.folder, environment, "", words);
    }

    private Ran typed(Path outside, String... words) {
        return Ran.in(outside, shop.environment, "", words);
    }

    /** With something on its standard input. */
    private static Ran handed(SampleRepository where, String input, String... words) {
        return Ran.in(where.folder, where.environment, input, words);
    }
}
