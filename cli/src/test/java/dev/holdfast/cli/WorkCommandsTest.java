package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code work ...}, and the commands at the top that take the id of a work item. */
class WorkCommandsTest extends OnABroker {
    /** By the clock of whoever reads it, as everywhere on the command line. */
    private static final String LOCAL_TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d";

    private final Path folder;

    WorkCommandsTest(@TempDir Path folder) {
        super(folder.resolve("data"));
        this.folder = folder;
    }

    private String create(String... words) {
        String[] command = new String[words.length + 2];
        command[0] = "work";
        command[1] = "create";
        System.arraycopy(words, 0, command, 2, words.length);
        return as("planner", command).out().strip();
    }

    @Test
    void who_shows_priorities_counts_and_what_is_in_progress_though_nobody_holds_it() {
        String urgent = create("Mend the gate", "--priority", "0");
        String left = create("Paint the fence", "--priority", "3");
        as("gina", "claim", urgent);
        as("gina", "claim", left);
        Ran both = as("x", "who", "--holder", "gina");
        assertThat(both.out()).startsWith("gina (2 claims, ").contains("[0] Mend the gate", "[3] Paint the fence");
        assertThat(both.out()).doesNotContain("held by nobody");

        as("gina", "release", left, "--generation", "1", "--keep-status");

        Ran after = as("x", "who");
        assertThat(after.out()).contains("gina (1 claim, ", "in progress but held by nobody (1; claim one by its id)");
        assertThat(after.out().lines().toList().getLast()).matches("  work:" + left + " +\\[3] Paint the fence");
        assertThat(as("x", "who", "--json").json().objects("unheld"))
                .singleElement()
                .satisfies(item -> {
                    assertThat(item.text("resource")).isEqualTo("work:" + left);
                    assertThat(item.number("priority")).hasToString("3");
                });
        assertThat(as("x", "who", "--kind", "path").out()).doesNotContain("Paint the fence");
        assertThat(as("emil", "claim", left).exitCode()).isZero();
        assertThat(as("x", "who").out()).doesNotContain("held by nobody");
    }

    @Test
    void releasing_what_is_free_already_is_a_success_and_what_another_holds_is_lost() {
        String item = create("Sweep the yard");
        as("dora", "claim", item);
        assertThat(as("dora", "release", item, "--generation", "1", "--note", "half done")
                        .exitCode())
                .isZero();

        Ran again = as("dora", "release", item, "--generation", "1");
        assertThat(again.out()).isEqualTo("already released: nobody holds it\n");
        assertThat(again.exitCode()).isZero();
        assertThat(as("fred", "release", item, "--generation", "1", "--json")
                        .json()
                        .has("already"))
                .isTrue();
        assertThat(as("x", "release", "key:never-claimed", "--generation", "1").exitCode())
                .isZero();
        assertThat(as("dora", "release", item, "--generation", "1", "--failed").exitCode())
                .isNotZero();

        as("emil", "claim", item);
        Ran late = as("dora", "release", item, "--generation", "1");
        assertThat(late.exitCode()).isEqualTo(6);
        assertThat(late.err()).contains("emil");
    }

    @Test
    void claims_and_releases_that_are_repeated_or_not_ones_own_are_told_as_such() {
        String item = create("Mow the lawn");
        as("dora", "claim", item);
        assertThat(as("dora", "claim", item).err())
                .startsWith("holdfast: you hold work:" + item + " already (generation 1, until 20")
                .contains("heartbeat work:" + item + "' extends it");
        assertThat(as("emil", "claim", item).err())
                .contains("is held by dora until 20", "take something else")
                .doesNotContain("Z;");
        Ran changed = as("emil", "work", "update", item, "--priority", "1");
        assertThat(changed.err()).isEqualTo("holdfast: dora holds work:" + item + "; only dora can change it\n");
        assertThat(changed.exitCode()).isEqualTo(6);
        Ran others = as("emil", "release", item);
        assertThat(others.err())
                .startsWith("holdfast: you do not hold work:" + item + "; dora does. ")
                .contains("holdfast call take_back resource=", "work:" + item, " claim_generation=");
        assertThat(others.exitCode()).isEqualTo(6);

        assertThat(as("dora", "release", item).exitCode()).isZero();
        assertThat(as("dora", "release", item).out()).isEqualTo("nothing to release: nobody holds work:" + item + "\n");
        assertThat(as("dora", "release", item, "--failed").exitCode()).isEqualTo(2);
        assertThat(as("dora", "release", "hf-none").exitCode()).isEqualTo(4);
    }

    @Test
    void a_failure_without_a_note_counts_and_leaves_the_note_of_before() {
        String item = create("hard", "--queue", "hard");
        as("ann", "claim", item);
        as("ann", "release", item, "--generation", "1", "--failed", "--note", "try the other door");
        as("bob", "claim", item);
        as("bob", "release", item, "--generation", "2", "--failed");
        assertThat(as("carl", "work", "show", item).out())
                .contains("failed      2 times in a row", "note        try the other door");
        assertThat(as("carl", "claim", item).out()).contains("note from the previous holder: try the other door");
    }

    @Test
    void what_has_several_lines_is_read_as_such_and_a_row_stays_a_row() {
        String item = create("one\n  two", "--queue", "lines");
        as("ann", "claim", item);
        as("ann", "release", item, "--generation", "1", "--note", "first\nsecond");
        assertThat(as("bob", "work", "list", "--queue", "lines").out()).contains("  one two  ");
        assertThat(as("bob", "work", "show", item).out()).contains("note        first\n              second\n");
        assertThat(as("bob", "claim", item).out())
                .contains("note from the previous holder: first\n    second\n")
                .doesNotContain("u000a");
    }

    @Test
    void items_of_several_queues_are_listed_with_them() {
        create("Same title", "--queue", "north", "--label", "told-apart");
        create("Same title", "--queue", "south", "--label", "told-apart");
        assertThat(as("x", "work", "list", "--everywhere", "--label", "told-apart")
                        .out())
                .contains("QUEUE")
                .containsPattern("Same title .* north\n")
                .containsPattern("Same title .* south\n");
        assertThat(as("x", "work", "list", "--queue", "north").out()).doesNotContain("QUEUE");
    }

    @Test
    void an_item_is_deferred_as_people_say_it() {
        for (String until : new String[] {"2h", "tomorrow", "2099-11-17", "2099-11-17T08:00:00Z"}) {
            String item = create("Rake the leaves", "--defer-until", until);
            assertThat(as("dora", "claim", item).exitCode()).as(until).isEqualTo(5);
        }
        assertThat(as("dora", "work", "create", "x", "--defer-until", "soon").exitCode())
                .isEqualTo(2);
    }

    @Test
    void lists_and_the_item_itself_say_until_when_it_is_deferred() {
        String item = create("Prune the roses", "--defer-until", "2099-11-17T08:00:00Z", "--queue", "garden");
        String other = create("Prune the hedge", "--queue", "garden");
        as("planner", "work", "update", other, "--status", "deferred");
        assertThat(as("x", "work", "list", "--queue", "garden").out())
                .containsPattern("Prune the roses +- +" + LOCAL_TIME + "\n")
                .containsPattern("Prune the hedge +- +someone to reopen it\n");
        assertThat(as("x", "work", "list", "--queue", "garden", "--json").json().objects("items"))
                .anyMatch(each -> "2099-11-17T08:00:00.000Z".equals(each.text("defer_until")));
        assertThat(as("x", "work", "show", item).out()).containsPattern("status +deferred until " + LOCAL_TIME + "\n");
        assertThat(as("x", "work", "show", other).out()).containsPattern("status +deferred until someone reopens it\n");
    }

    @Test
    void whoever_types_is_told_the_queue_and_a_script_gets_the_id_alone() {
        Map<String, String> dora = Map.of("HOLDFAST_URL", broker.url(), "HOLDFAST_AGENT", "dora");
        assertThat(Ran.onTerminal(80, dora, "work", "create", "Weed", "--queue", "garden")
                        .out())
                .matches("hf-\\w+  in the queue garden\n");
        assertThat(Ran.onTerminal(80, dora, "work", "create", "Weed").out()).matches("hf-\\w+  in no queue\n");
        assertThat(Ran.command(dora, "work", "create", "Weed", "--queue", "garden")
                        .out())
                .matches("hf-\\w+\n");
    }

    @Test
    void in_a_repository_that_git_does_not_trust_one_is_told_the_queue() throws Exception {
        SampleRepository theirs = SampleRepository.make(folder.resolve("strangers"), "theirs", broker.url());
        Path git = Files.writeString(folder.resolve("strangers/bin/git"), """
                #!/bin/sh
                PATH=${PATH#*:}
                GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"
                """);
        Files.setPosixFilePermissions(git, PosixFilePermissions.fromString("rwxr-xr-x"));
        String told = "holdfast: this is in the queue 'theirs', named after the folder: git does not trust";
        Ran created = theirs.holdfast("work", "create", "Dig", "--holder", "dora");
        assertThat(created.out()).matches("hf-\\w+\n");
        assertThat(created.err()).startsWith(told).contains("safe.directory");
        assertThat(theirs.holdfast("work", "reserve", "README", "--holder", "dora")
                        .err())
                .startsWith(told);
        assertThat(theirs.holdfast("work", "create", "Dig", "--holder", "dora", "--queue", "mine")
                        .err())
                .isEmpty();
    }

    @Test
    void paths_are_reserved_in_the_repository_that_one_is_in_for_all_its_working_trees() throws Exception {
        SampleRepository bakery = SampleRepository.make(folder, "bakery", broker.url());
        Path tree = folder.resolve("elsewhere");
        bakery.git("worktree", "add", "-q", tree.toString(), "-b", "feature");
        assertThat(bakery.holdfast("work", "reserve", "src/parser", "--holder", "bob")
                        .exitCode())
                .isZero();
        Ran checked = bakery.at(tree).holdfast("work", "check", "src/parser/Lexer.java", "--holder", "ann");
        assertThat(checked.out()).contains("reserved by bob");
        assertThat(checked.exitCode()).isEqualTo(3);
        assertThat(as("ann", "work", "check", "src/parser/Lexer.java", "--queue", "bakery")
                        .exitCode())
                .isEqualTo(3);
        Ran outside = bakery.at(folder).holdfast("work", "check", "src/parser/Lexer.java", "--holder", "ann");
        assertThat(outside.err()).contains("which repository?", "--queue NAME");
        assertThat(outside.exitCode()).isEqualTo(2);
    }

    @Test
    void paths_are_relative_to_the_folder_one_is_in_as_with_git() throws Exception {
        SampleRepository mill = SampleRepository.make(folder, "mill", broker.url());
        mill.write("src/shop/cart.py", "total = 0\n");
        SampleRepository inside = mill.at(mill.folder.resolve("src/shop"));
        assertThat(inside.holdfast("work", "reserve", "cart.py", "../../docs/*.md", "--holder", "bob")
                        .exitCode())
                .isZero();
        for (String path : new String[] {"src/shop/cart.py", "docs/index.md"}) {
            assertThat(mill.holdfast("work", "check", path, "--holder", "ann").exitCode())
                    .as(path)
                    .isEqualTo(3);
        }
        assertThat(mill.holdfast("work", "check", "cart.py", "--holder", "ann").exitCode())
                .isZero();
        String absolute = mill.folder.resolve("src/shop/cart.py").toString();
        for (String path : new String[] {"cart.py", "./cart.py", "../shop/cart.py", absolute}) {
            assertThat(inside.holdfast("work", "check", path, "--holder", "ann").exitCode())
                    .as(path)
                    .isEqualTo(3);
        }
        Ran outside = inside.holdfast("work", "check", "../../../other.py", "--holder", "ann");
        assertThat(outside.err()).contains("../../../other.py is outside this repository");
        assertThat(outside.exitCode()).isEqualTo(2);
        assertThat(inside.holdfast("work", "check", "docs/index.md", "--queue", "bakers", "--holder", "ann")
                        .exitCode())
                .as("of another repository: from its root")
                .isZero();

        String item = create("Sift", "--queue", "mill");
        assertThat(inside.holdfast("claim", item, "--path", "flour.py", "--holder", "bob")
                        .out())
                .contains("reserved src/shop/flour.py");
        assertThat(as("ann", "claim", "path:src/shop/cart.py").err())
                .contains("does not stop others from reserving the file", "holdfast work reserve src/shop/cart.py");
    }

    @Test
    void an_item_is_claimed_by_its_id_shown_extended_and_closed_with_the_next_one() {
        String first = create("first", "--queue", "loop", "--priority", "1");
        String second = create("second", "--queue", "loop", "--after", first);
        assertThat(as("ann", "work", "blocked", "--queue", "loop").out()).contains(second, first);
        assertThat(as("ann", "claim", first).out())
                .contains("claimed work:" + first + ", generation 1")
                .contains("first");
        assertThat(as("bob", "claim", first).exitCode()).isEqualTo(3);
        assertThat(as("bob", "claim", second).exitCode()).isEqualTo(5);
        assertThat(as("bob", "claim", "hf-none").exitCode()).isEqualTo(4);
        assertThat(as("ann", "heartbeat", first, "--generation", "1").exitCode())
                .isZero();
        assertThat(as("ann", "who", "--queue", "loop").out()).contains("first");
        assertThat(as("ann", "work", "show", first).out())
                .contains("in_progress")
                .containsPattern("held by +ann, generation 1, until " + LOCAL_TIME + "\n");
        assertThat(as("ann", "work", "close", first, "--generation", "1", "--next", "--queue", "loop")
                        .out())
                .contains("closed", "claimed work:" + second);
        assertThat(as("ann", "release", second, "--generation", "1", "--note", "later")
                        .exitCode())
                .isZero();
        assertThat(as("ann", "work", "update", second, "--generation", "1", "--title", "x")
                        .exitCode())
                .isEqualTo(6);
        assertThat(as("bob", "work", "claim", "--next", "--queue", "loop").out())
                .contains("later");
        assertThat(as("carl", "work", "claim", "--next", "--queue", "loop").out())
                .isEqualTo("nothing is ready\n");
    }

    @Test
    void a_beads_export_goes_in_and_out_unchanged_and_bad_lines_are_named() throws IOException {
        String lines = "{\"id\":\"bd-a\",\"title\":\"a\",\"created_at\":\"2026-02-01T00:00:00Z\",\"odd\":1.50}\n"
                + "{\"id\":\"bd-b\",\"title\":\"b\",\"created_at\":\"2026-01-01T00:00:00Z\"}\n";
        Path file = Files.writeString(folder.resolve("in.jsonl"), lines);
        assertThat(as("x", "import", "beads", file.toString(), "--queue", "imported")
                        .out())
                .startsWith("2 created");
        Path out = folder.resolve("out.jsonl");
        assertThat(as("x", "export", "beads", out.toString(), "--queue", "imported")
                        .exitCode())
                .isZero();
        assertThat(Files.readString(out)).isEqualTo(lines);
        Files.writeString(file, lines + "nonsense\n");
        Ran again = as("x", "import", "beads", file.toString(), "--queue", "imported");
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.out()).contains("2 unchanged");
        assertThat(again.err()).contains("line 3:");
        assertThat(as("x", "import", "beads", "/no/such/file").exitCode()).isEqualTo(2);
    }

    @Test
    void paths_are_reserved_and_asked_about() {
        as("ann", "work", "create", "with a path", "--id", "with-path", "--queue", "alone");
        assertThat(as("ann", "work", "claim", "with-path", "--path", "doc").out())
                .endsWith("  reserved doc, until you close or release it\n");
        assertThat(as("ann", "release", "with-path", "--generation", "1").out()).isEqualTo("released work:with-path\n");
        assertThat(as("ann", "work", "update", "with-path", "--priority", "1").out())
                .isEqualTo("updated with-path\n");
        Ran reserved = as("ann", "work", "reserve", "src/parser", "--queue", "shop");
        assertThat(reserved.exitCode()).isZero();
        assertThat(reserved.out()).containsPattern("\nrelease it: \\S*holdfast release reservation:\\S+\n");
        assertThat(as("bob", "work", "check", "src/parser/Lexer.java", "--queue", "shop")
                        .exitCode())
                .isEqualTo(3);
        assertThat(as("ann", "work", "check", "src/parser/Lexer.java", "--queue", "shop")
                        .out())
                .isEqualTo("free for you: nobody else has reserved it\n");
        assertThat(as("bob", "work", "reserve", "src/**/*.java", "--queue", "shop")
                        .exitCode())
                .isEqualTo(3);
    }
}
