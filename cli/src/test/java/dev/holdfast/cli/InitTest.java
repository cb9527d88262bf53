package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A repository that is set up in one step, by the real command line in a real repository. */
class InitTest extends OnASample {
    InitTest(@TempDir Path data) {
        super(data);
    }

    @BeforeEach
    void repository() throws Exception {
        make("shop");
        // neither the agents of whoever runs the tests, nor theirs of another test
        sample.environment.put(
                "HOME",
                Files.createDirectory(folder.resolve("home " + repositories)).toString());
    }

    @Test
    void the_gate_is_never_put_outside_of_the_repository() throws Exception {
        Path victim = Files.createDirectory(folder.resolve("victim " + repositories));
        Files.writeString(victim.resolve("pre-commit"), "mine");
        sample.git("config", "core.hooksPath", victim.toString());
        refusesTheGateIn(victim);

        sample.git("config", "--unset", "core.hooksPath");
        Path hooks = sample.folder.resolve(".git/hooks");
        Files.move(hooks, sample.folder.resolve(".git/former hooks"));
        Files.createSymbolicLink(hooks, victim);
        refusesTheGateIn(victim);

        Files.delete(hooks);
        Ran done = sample.holdfast("init", "--yes", "--for", "claude", "--no-hooks");
        assertThat(done.out()).contains("(git's pre-commit and pre-push) in " + hooks);
        assertThat(hooks.resolve("pre-commit")).exists();
    }

    @Test
    void a_repository_that_names_the_users_folder_as_its_working_tree_changes_nothing_there() throws Exception {
        Path victim = Files.createDirectory(folder.resolve("hooks of another " + repositories));
        sample.git("config", "core.worktree", folder.toString());
        Ran init = sample.holdfast("init", "--yes", "--for", "claude");
        assertThat(init.exitCode()).as(init.out() + init.err()).isNotZero();
        assertThat(init.err()).contains("core.worktree", folder.toRealPath().toString());
        Ran hooks = sample.holdfast("hooks", "install", "--claude", "--project");
        assertThat(hooks.out()).as(hooks.err()).contains("installed " + sample.folder.toRealPath());
        sample.git("config", "core.hooksPath", victim.toString());
        Ran gate = sample.holdfast("hooks", "install", "--git");
        assertThat(gate.exitCode()).as(gate.out() + gate.err()).isEqualTo(2);
        assertThat(victim).isEmptyDirectory();
        assertThat(folder).isDirectoryNotContaining("glob:**/{CLAUDE.md,.mcp.json,.claude}");
    }

    private void refusesTheGateIn(Path victim) throws IOException {
        for (String[] words : new String[][] {
            {"init", "--yes", "--for", "claude"},
            {"hooks", "install", "--git"}
        }) {
            Ran ran = sample.holdfast(words);
            assertThat(ran.exitCode()).as(ran.out() + ran.err()).isEqualTo(2);
            assertThat(ran.err()).contains(victim.toRealPath().toString(), "outside of it", "core.hooksPath");
        }
        assertThat(victim.resolve("pre-commit")).hasContent("mine");
        assertThat(victim).isDirectoryNotContaining("glob:**holdfast*");
        assertThat(sample.folder.resolve("CLAUDE.md")).doesNotExist();
    }

    @Test
    @Timeout(60)
    void a_pipe_in_place_of_a_file_is_refused_and_not_read() throws Exception {
        for (String file : List.of("AGENTS.md", ".git/holdfast/init.json")) {
            Path pipe = sample.folder.resolve(file);
            Files.createDirectories(pipe.getParent());
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
            Ran ran = sample.holdfast("init", "--yes");
            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err()).contains(pipe + " is not a regular file");
            Files.delete(pipe);
        }
        Path hook = sample.folder.resolve(".git/hooks/pre-commit");
        assertThat(new ProcessBuilder("mkfifo", hook.toString()).start().waitFor())
                .isZero();
        assertThat(sample.holdfast("hooks", "check", "--git").out()).contains("another hook is there");
    }

    @Test
    void sets_up_every_agent_and_takes_it_back_byte_for_byte() throws Exception {
        sample.write(".mcp.json", "{\r\n  // ours\r\n  \"mcpServers\": {\"other\": {\"command\": \"x\"}}\r\n}");
        sample.write("CLAUDE.md", "Be kind.");
        sample.write("AGENTS.md", "# Agents\n\nBe brief.\n\n");
        sample.write(".codex/config.toml", "model = \"m\"\n\n[mcp_servers.other]\ncommand = \"x\"\n");
        sample.write(".git/hooks/pre-push", "#!/bin/sh\nexit 0\n");
        Map<String, String> before = tree();

        Ran done = sample.holdfast(
                "init", "--yes", "--for", "claude", "--for", "codex", "--for", "gemini", "--for", "cursor");

        assertThat(done.exitCode()).as(done.out() + done.err()).isZero();
        assertThat(done.out())
                .contains("add to  .mcp.json", "create  .gemini/settings.json", "create  .cursor/mcp.json")
                .contains("Left to do:", "Claude Code asks once", "Trust all and continue")
                .contains("- 1 commit is on no remote yet.", "propose them all as one change", "--override");
        assertThat(server(".mcp.json").text("command")).isEqualTo("holdfast");
        assertThat(server(".gemini/settings.json").get("args")).asString().contains("mcp", "--start");
        assertThat(Files.readString(sample.folder.resolve(".codex/config.toml")))
                .startsWith("model = \"m\"\n")
                .contains("[mcp_servers.holdfast]\ncommand = \"holdfast\"\n")
                .contains(
                        "\nenv_vars = [\"HOLDFAST_URL\","); // Codex would start it without, and it finds another broker
        assertThat(Files.readString(sample.folder.resolve("CLAUDE.md")))
                .startsWith("Be kind.\n\n<!-- holdfast: begin")
                .contains("holdfast gate --propose", "holdfast review wait", "holdfast review close");
        assertThat(sample.holdfast("hooks", "check", "--git").exitCode()).isZero();
        assertThat(sample.holdfast("hooks", "check", "--claude", "--project").exitCode())
                .isZero();
        assertThat(sample.git("status", "--porcelain", "-uall"))
                .as("what names folders of this machine is not to be committed")
                .contains(".mcp.json", ".codex/config.toml")
                .doesNotContain("holdfast-hook.sh", "settings.local.json", ".codex/hooks.json");

        Map<String, String> after = tree();
        Ran again = sample.holdfast(
                "init", "--yes", "--for", "claude", "--for", "codex", "--for", "gemini", "--for", "cursor");
        assertThat(again.out()).contains("everything is in place");
        assertThat(tree()).isEqualTo(after);

        Ran undone = sample.holdfast("init", "--undo");
        assertThat(undone.exitCode()).as(undone.out() + undone.err()).isZero();
        assertThat(tree()).isEqualTo(before);
        assertThat(sample.holdfast("init", "--undo").exitCode()).isEqualTo(4);
    }

    @Test
    void names_everything_that_leads_to_the_broker() {
        String token = folder.resolve("ann" + repositories + ".token").toString();
        assertThat(sample.holdfast("token", "create", "ann" + repositories, "--role", "admin", "--to", token)
                        .exitCode())
                .isZero();
        sample.environment.put("HOLDFAST_TOKEN_FILE", token);
        String ca = TeamTest.PEM.resolve("first.cert.pem").toString();
        sample.environment.put("HOLDFAST_CA", ca);

        Ran done = sample.holdfast("init", "--yes", "--for", "claude", "--no-hooks", "--no-gate");

        assertThat(done.exitCode()).as(done.out() + done.err()).isZero();
        assertThat(done.out())
                .contains("Set HOLDFAST_URL=" + sample.environment.get("HOLDFAST_URL") + " HOLDFAST_TOKEN_FILE=")
                .contains(token)
                .contains("HOLDFAST_CA=", ca, " wherever your agents and git run");
    }

    @Test
    void shows_what_it_would_write_and_writes_nothing_until_somebody_says_yes() throws Exception {
        Files.createDirectory(Path.of(sample.environment.get("HOME"), ".claude"));
        Map<String, String> before = tree();

        Ran asked = sample.holdfast("init");

        assertThat(asked.exitCode()).isEqualTo(1);
        assertThat(asked.out())
                .contains("for Claude Code, this will", "create  .mcp.json", "create  CLAUDE.md", "install the gate");
        assertThat(asked.out()).doesNotContain("Codex");
        assertThat(asked.err()).contains("nothing was written", "--yes");
        assertThat(tree()).isEqualTo(before);
    }

    @Test
    void in_a_linked_working_tree_git_leaves_out_the_hooks_files_too() throws Exception {
        Path tree = folder.resolve("linked " + repositories);
        sample.git("worktree", "add", "-q", tree.toString(), "-b", "feature");
        String before = Files.readString(sample.folder.resolve(".git/info/exclude"));
        SampleRepository linked = sample.at(tree);
        Ran done = linked.holdfast("init", "--yes", "--for", "claude", "--no-gate");
        assertThat(done.exitCode()).as(done.out() + done.err()).isZero();
        assertThat(done.out())
                .contains("tested: the hooks reach the broker")
                .doesNotContain("The gate requires a review");
        assertThat(tree.resolve(".claude/settings.local.json")).exists();
        assertThat(linked.git("status", "--porcelain", "-uall"))
                .contains(".mcp.json")
                .doesNotContain("settings.local.json", "holdfast-hook.sh");
        assertThat(linked.holdfast("init", "--undo").exitCode()).isZero();
        assertThat(linked.git("status", "--porcelain", "-uall")).isEmpty();
        assertThat(sample.folder.resolve(".git/info/exclude")).hasContent(before);
    }

    @Test
    void what_working_trees_share_stays_until_the_last_of_them_takes_it_back() throws Exception {
        Map<String, String> before = written();
        Path tree = folder.resolve("second " + repositories);
        sample.git("worktree", "add", "-q", tree.toString(), "-b", "feature");
        SampleRepository linked = sample.at(tree);
        done(sample, "init", "--yes", "--for", "claude");
        done(linked, "init", "--yes", "--for", "claude");

        assertThat(done(sample, "init", "--undo").out())
                .contains("kept .git/info/exclude: " + tree + " needs it, too")
                .contains("kept the gate: " + tree + " needs it, too");
        assertThat(sample.git("status", "--porcelain", "-uall")).isEmpty();
        assertThat(linked.git("status", "--porcelain", "-uall"))
                .contains(".mcp.json")
                .doesNotContain("settings.local.json", "holdfast-hook.sh");
        assertThat(linked.holdfast("hooks", "check", "--git").exitCode()).isZero();

        assertThat(done(linked, "init", "--undo").out()).doesNotContain("kept");
        assertThat(linked.git("status", "--porcelain", "-uall")).isEmpty();
        assertThat(written()).isEqualTo(before);
    }

    /** Of all files those that init writes, and not those by which git keeps its working trees. */
    private Map<String, String> written() throws IOException {
        Map<String, String> files = tree();
        files.keySet().removeIf(name -> name.startsWith(".git/") && !name.matches("\\.git/(hooks|info|holdfast).*"));
        return files;
    }

    @Test
    void the_second_working_tree_that_is_set_up_takes_back_only_its_own() throws Exception {
        Path tree = folder.resolve("third " + repositories);
        sample.git("worktree", "add", "-q", tree.toString(), "-b", "feature");
        SampleRepository linked = sample.at(tree);
        done(sample, "init", "--yes", "--for", "claude");
        String exclude = Files.readString(sample.folder.resolve(".git/info/exclude"));
        done(linked, "init", "--yes", "--for", "claude", "--for", "codex");
        done(linked, "init", "--undo");
        assertThat(sample.folder.resolve(".git/info/exclude")).hasContent(exclude);
        assertThat(sample.holdfast("hooks", "check", "--git").exitCode()).isZero();
        assertThat(linked.git("status", "--porcelain", "-uall")).isEmpty();
    }

    private static Ran done(SampleRepository where, String... words) {
        Ran ran = where.holdfast(words);
        assertThat(ran.exitCode()).as(ran.out() + ran.err()).isZero();
        return ran;
    }

    @Test
    void outside_of_a_repository_it_says_so() {
        assertThat(sample.at(folder).holdfast("init", "--yes"))
                .isEqualTo(new Ran(2, "", "holdfast: not a git repository; run this inside one\n"));
    }

    @Test
    void of_what_was_changed_since_only_our_part_is_removed() throws Exception {
        assertThat(sample.holdfast("init", "--yes", "--for", "claude", "--no-gate", "--no-hooks")
                        .exitCode())
                .isZero();
        Path claude = sample.folder.resolve("CLAUDE.md");
        Files.writeString(claude, "Above.\n" + Files.readString(claude) + "Below.\n");
        Path servers = sample.folder.resolve(".mcp.json");
        Files.writeString(
                servers,
                Files.readString(servers).replace("\"mcpServers\": {", "\"mcpServers\": {\n    \"mine\": {},"));

        Ran undone = sample.holdfast("init", "--undo");

        assertThat(undone.out()).contains("only init's part was removed: CLAUDE.md");
        assertThat(Files.readString(claude)).isEqualTo("Above.\nBelow.\n");
        assertThat(Json.read(Files.readString(servers))).isEqualTo(Map.of("mcpServers", Map.of("mine", Map.of())));
    }

    @Test
    void what_somebody_has_set_up_stays_and_hooks_of_before_survive_the_undo() throws Exception {
        String own = "{\"mcpServers\": {\"holdfast\": {\"type\": \"http\", \"url\": \"http://elsewhere/mcp\"}}}\n";
        sample.write(".mcp.json", own);
        assertThat(sample.holdfast("hooks", "install", "--git").exitCode()).isZero();

        assertThat(sample.holdfast("init", "--yes", "--for", "claude", "--no-hooks")
                        .exitCode())
                .isZero();
        assertThat(Files.readString(sample.folder.resolve(".mcp.json"))).isEqualTo(own);
        assertThat(sample.holdfast("init", "--undo").exitCode()).isZero();
        assertThat(sample.holdfast("hooks", "check", "--git").exitCode()).isZero();
    }

    @Test
    void links_that_a_stranger_left_are_not_followed() throws Exception {
        Path secret = Files.writeString(folder.resolve("bashrc " + repositories), "mine\n");
        Files.createSymbolicLink(sample.folder.resolve("CLAUDE.md"), secret);
        Map<String, String> before = tree();

        Ran refused = sample.holdfast("init", "--yes", "--for", "claude");

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("CLAUDE.md is a link", "nothing was changed");
        assertThat(Files.readString(secret)).isEqualTo("mine\n");
        assertThat(tree()).isEqualTo(before);
    }

    @Test
    void bad_input_is_told_and_changes_nothing() throws Exception {
        sample.write(".mcp.json", "{\"mcpServers\": [");
        Map<String, String> before = tree();
        Ran broken = sample.holdfast("init", "--yes", "--for", "claude");
        assertThat(broken.exitCode()).isEqualTo(2);
        assertThat(broken.err()).contains(".mcp.json: not valid JSON, at line 1");
        Ran unknown = sample.holdfast("init", "--yes", "--for", "emacs");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("--for must be claude, codex, gemini or cursor, not 'emacs'");
        Ran outside = sample.at(folder).holdfast("init", "--yes");
        assertThat(outside.exitCode()).isNotZero();
        assertThat(outside.err()).contains("not a git repository");
        assertThat(tree()).isEqualTo(before);
    }

    private JsonObject server(String file) throws Exception {
        return JsonObject.of(Json.readWithComments(Files.readString(sample.folder.resolve(file))))
                .object("mcpServers")
                .object("holdfast");
    }

    /** Every file but git's objects and logs, with its bytes and whether it can be run. */
    private Map<String, String> tree() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(sample.folder)) {
            for (Path file : all.toList()) {
                String name = sample.folder.relativize(file).toString();
                if (name.matches("\\.git/(objects|logs|index).*")) {
                    continue;
                }
                files.put(
                        name,
                        Files.isDirectory(file)
                                ? "folder"
                                : Files.isExecutable(file)
                                        + HexFormat.of()
                                                .formatHex(Files.readString(file, StandardCharsets.ISO_8859_1)
                                                        .getBytes(StandardCharsets.ISO_8859_1)));
            }
        }
        return files;
    }
}
