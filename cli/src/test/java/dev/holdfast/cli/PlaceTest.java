package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An approval is for one place, with a real git, a real broker and real commands. Each test has a project of its own. */
class PlaceTest extends OnASample {
    private static final String LINES = "a\nb\nc\nd\ne\nf\ng\nh\n";

    PlaceTest(@TempDir Path data) {
        super(data);
    }

    @BeforeEach
    void repository() throws Exception {
        make("deployed");
        sample.write("deploy.yml", Deployment.TEXT);
        sample.commit("deploy");
    }

    @Test
    void what_is_approved_for_the_staging_block_does_not_pass_for_the_production_block() throws Exception {
        change("staging", "");
        String review = sample.proposeAsAgentsDo();
        sample.approve(review);
        sample.assertPasses();

        change("production", "");
        Ran stopped = sample.holdfast("gate");
        assertThat(stopped.exitCode()).isEqualTo(8);
        assertThat(stopped.err())
                .contains("review " + review
                        + " (approved) has the same change to lines 4-10 of deploy.yml; here it is lines 13-19")
                .contains("Propose it for this place");
        assertThat(sample.holdfast("gate", "--json")
                        .json()
                        .objects("contents")
                        .getFirst()
                        .text("why"))
                .isEqualTo("other_place");

        sample.approve(sample.proposeAsAgentsDo());
        sample.assertPasses();
        change("staging", "");
        sample.assertPasses();
    }

    @Test
    void headings_of_a_users_own_settings_stand_in_nobodys_way() throws Exception {
        String body = "class Cart:\n    def total(self):\n" + "        self.count()\n".repeat(2);
        sample.write("cart.py", body + "        a = 1\n        b = 2\n        c = 3\n        return 4\n");
        Path attributes = Files.writeString(sample.folder.resolve(".git/attributes-of-the-user"), "*.py diff=python\n");
        sample.git("config", "core.attributesFile", attributes.toString());
        sample.commit("cart");
        sample.write("cart.py", body + "        a = 1\n        b = 2\n        c = 3\n        return 5\n");
        sample.git("add", ".");
        String diff = sample.git("diff", "--cached") + "\n";
        assertThat(diff).contains("@@ def total(self):\n");

        String typed = sample.typed(sample.environment, diff, "review", "create", "Return 5", "--diff", "-", "--json")
                .json()
                .text("review_id");
        sample.approve(String.valueOf(typed));
        sample.assertPasses();
        assertThat(sample.holdfast("review", "close", String.valueOf(typed)).exitCode())
                .isZero();

        sample.write("cart.py", body + "        a = 1\n        b = 2\n        c = 3\n        return 6\n");
        sample.git("add", ".");
        String sent = sample.proposeAsAgentsDo();
        sample.approve(sent);
        assertThat(sample.holdfast("gate").err()).contains("under a different heading", "Propose it for this place");
        String again = sample.propose();
        assertThat(again).as("its approval is not this one's").isNotEqualTo(sent);
        assertThat(sample.propose()).isEqualTo(again);
        sample.approve(again);
        sample.assertPasses();
    }

    @Test
    void the_gate_proposes_what_tells_the_blocks_apart_and_that_may_be_rebased() throws Exception {
        change("staging", "");
        String printed = sample.holdfast("gate", "--print-diff").out();
        assertThat(printed).contains("   staging:", "-    auth: required").doesNotContain("\n environments");
        sample.approve(sample.propose());
        sample.assertPasses();
        change("production", "");
        sample.assertStopped();

        String above = "# one\n# two\n# three\n";
        rebaseOnto(above + Deployment.TEXT);
        change("staging", above);
        sample.assertPasses();
        change("production", above);
        sample.assertStopped();

        rebaseOnto(Deployment.TEXT.replace("host: s", "host: other"));
        sample.write(
                "deploy.yml", Deployment.TEXT.replace("host: s", "host: other").replaceFirst("required", "none"));
        sample.git("add", ".");
        sample.assertStopped();
    }

    @Test
    void lines_above_do_not_bring_an_approval_from_one_block_to_the_other() throws Exception {
        change("staging", "");
        sample.approve(sample.proposeAsAgentsDo());
        // the production block comes to stand where the staging block was
        String blocks = Deployment.PRODUCTION + Deployment.STAGING;
        rebaseOnto("environments:\n" + blocks);
        sample.write("deploy.yml", "environments:\n" + blocks.replaceFirst("required", "none"));
        sample.git("add", ".");
        Ran stopped = sample.holdfast("gate");
        assertThat(stopped.exitCode()).isEqualTo(8);
        assertThat(stopped.err()).contains("has the same change to lines 4-10 of another version of deploy.yml");
    }

    @Test
    void a_version_that_the_file_never_had_opens_no_other_place() throws Exception {
        sample.write("list", LINES);
        sample.commit("list");
        stage(LINES.replace("e", "E"));
        Path madeUp = sample.write("made up", "x\n" + LINES);
        String planted = sample.git("hash-object", "-w", madeUp.toString());
        Files.delete(madeUp);
        String truly = sample.git("rev-parse", "HEAD:list");
        String diff = sample.git("diff", "--cached", "--full-index") + "\n";
        sample.approve(sample.proposeDiff(diff.replace(truly, planted)));
        sample.assertStopped();
    }

    @Test
    void lines_that_stand_once_may_move_whoever_has_proposed_them() throws Exception {
        sample.write("list", LINES);
        sample.commit("list");
        stage(LINES.replace("e", "E"));
        String review = sample.proposeAsAgentsDo();
        sample.approve(review);
        sample.assertPasses();

        sample.git("reset", "-q", "--hard");
        sample.write("list", "1\n2\n" + LINES);
        sample.commit("lines above");
        stage("1\n2\n" + LINES.replace("e", "E"));
        Ran moved = sample.holdfast("gate");
        assertThat(moved.exitCode()).as(moved.err()).isZero();
        assertThat(moved.out()).contains("by bob in review " + review);

        sample.git("reset", "-q", "--hard");
        sample.write("list", LINES + LINES);
        sample.commit("twice");
        stage(LINES.replace("e", "E") + LINES);
        sample.assertStopped();

        sample.git("checkout", "-q", "--orphan", "another-history");
        sample.write("list", "1\n2\n" + LINES);
        sample.commit("of its own");
        stage("1\n2\n" + LINES.replace("e", "E"));
        sample.assertStopped();
    }

    @Test
    void every_kind_of_change_passes_when_it_is_approved_and_again_when_it_has_moved() throws Exception {
        String lines = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
        String windows = (lines + lines).replace("\n", "\r\n");
        sample.write("windows.txt", windows);
        sample.write("no newline", lines + "x\nx\nx\nx\nx\nx");
        sample.write("moved.txt", lines + lines.toUpperCase(Locale.ROOT) + "x\n".repeat(20));
        sample.write("gone", "same\n".repeat(9));
        sample.write("run.sh", "#!/bin/sh\n" + "x\n".repeat(9));
        sample.write("empty", "");
        sample.write("bytes", new byte[] {0, 1, 2});
        sample.write("latin", "\u00e9\n".repeat(20).getBytes(StandardCharsets.ISO_8859_1));
        sample.write(".gitattributes", "latin -diff\n");
        sample.commit("every kind");
        String start = sample.git("rev-parse", "HEAD");
        sample.write("windows.txt", windows.replaceFirst("(?s)(.*)five", "$1FIVE"));
        sample.write("no newline", lines + "x\nx\nx\nx\nx\ny");
        sample.git("mv", "moved.txt", "moved to.txt");
        sample.write(
                "moved to.txt", lines + lines.toUpperCase(Locale.ROOT) + "x\n".repeat(10) + "y\n" + "x\n".repeat(10));
        Files.delete(sample.folder.resolve("gone"));
        sample.write("new", "same\n".repeat(9));
        sample.write("run.sh", "#!/bin/sh\n" + "x\n".repeat(10));
        Files.setPosixFilePermissions(sample.folder.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        sample.write("empty", "not any more\n");
        sample.write("bytes", new byte[] {0, 1, 3});
        Files.createSymbolicLink(sample.folder.resolve("link"), Path.of("nowhere"));
        sample.git("add", "-A");
        String printed = sample.holdfast("gate", "--print-diff").out();
        assertThat(printed).contains("rename from moved.txt", "-five\r\n+FIVE\r\n", "\\ No newline at end of file");
        sample.approve(sample.propose());
        sample.assertPasses();

        sample.git("commit", "-q", "-m", "change");
        sample.git("checkout", "-q", "-b", "moved", start);
        sample.write("windows.txt", "above\r\n" + windows);
        sample.write("run.sh", "#!/bin/sh\n" + "x\n".repeat(9));
        sample.commit("lines above");
        sample.git("cherry-pick", "main");
        Ran moved = sample.holdfast("gate", "--range", "HEAD^..HEAD");
        assertThat(moved.exitCode()).as(moved.err()).isZero();
    }

    @Test
    void a_hundred_thousand_equal_lines_are_known_by_their_number() throws Exception {
        String same = "the same line, again and again, over and over\n";
        sample.write("large", same.repeat(100_000));
        sample.commit("large");
        sample.write("large", same.repeat(50_000) + "other\n" + same.repeat(50_000));
        sample.git("add", ".");
        assertThat(sample.holdfast("gate", "--print-diff").out()).hasLineCount(12);
        sample.approve(sample.propose());
        sample.assertPasses();
        sample.write("large", same.repeat(50_001) + "other\n" + same.repeat(49_999));
        sample.git("add", ".");
        assertThat(sample.holdfast("gate").err())
                .contains("to lines 49998-50003 of large; here it is lines 49999-50004");
    }

    private void change(String block, String above) throws Exception {
        sample.write("deploy.yml", above + Deployment.without(block));
        sample.git("add", ".");
    }

    /** As another one's commit has left it; what is changed on top is not committed yet. */
    private void rebaseOnto(String deploy) throws Exception {
        sample.git("reset", "-q", "--hard");
        sample.write("deploy.yml", deploy);
        sample.commit("another's");
    }

    private void stage(String list) throws Exception {
        sample.write("list", list);
        sample.git("add", ".");
    }
}
