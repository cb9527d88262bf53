package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pre-push hook compares with, by real pushes to a real remote whose main has an approved commit. */
class PushTest extends OnASample {
    Path remote;

    PushTest(@TempDir Path data) {
        super(data);
    }

    @BeforeEach
    void remote() throws Exception {
        remote = makeWithRemote("pushed");
        sample.approve(sample.propose("--range", "main"));
        sample.git("push", "-q", "origin", "main");
        sample.git("remote", "set-head", "origin", "main");
        sample.holdfast("hooks", "install", "--git", "--pre-push");
    }

    @Test
    void what_another_branch_of_the_remote_has_is_not_approved_for_main() throws Exception {
        sample.git("checkout", "-q", "-b", "wip");
        commit("README", "unreviewed\n");
        sample.git("push", "-q", "--no-verify", "origin", "wip");
        Ran pushed = push("wip:main");
        assertThat(pushed.exitCode()).isNotZero();
        assertThat(pushed.err()).contains("not approved", "the push of refs/heads/wip (1 commit)");
        assertThat(onRemote("main")).isEqualTo(sample.git("rev-parse", "main"));

        sample.git("fetch", "-q");
        assertThat(push("wip:refs/heads/release").exitCode()).isNotZero();
        sample.git("tag", "-a", "v1", "-m", "annotated");
        sample.git("tag", "v2");
        assertThat(push("v1").exitCode()).isNotZero();
        assertThat(push("v2").exitCode()).isNotZero();

        sample.approve(sample.propose("--range", "main..wip"));
        assertThat(push("wip:main", "v1", "v2").exitCode()).isZero();
    }

    @Test
    void a_merge_of_an_unreviewed_branch_that_the_remote_has_is_stopped() throws Exception {
        sample.git("checkout", "-q", "-b", "wip");
        commit("sneaked", "x\n");
        sample.git("push", "-q", "--no-verify", "origin", "wip");
        sample.git("checkout", "-q", "main");
        sample.git("merge", "-q", "--no-ff", "-m", "merge wip", "wip");
        Ran pushed = push("main");
        assertThat(pushed.exitCode()).isNotZero();
        assertThat(pushed.err()).contains("not approved");
    }

    @Test
    void each_ref_of_one_push_is_compared_with_its_own() throws Exception {
        sample.git("checkout", "-q", "-b", "good");
        commit("README", "approved\n");
        sample.approve(sample.propose("--range", "main..good"));
        sample.git("checkout", "-q", "-b", "bad", "main");
        commit("README", "bad\n");
        Ran both = push("good", "bad", "good:main");
        assertThat(both.exitCode()).isNotZero();
        assertThat(both.err()).contains("refs/heads/bad").doesNotContain("refs/heads/good");
        assertThat(push("good", "good:main").exitCode()).isZero();
    }

    @Test
    void a_rebased_branch_brings_what_is_its_own() throws Exception {
        sample.git("checkout", "-q", "-b", "feature");
        commit("own", "x\n");
        sample.approve(sample.propose("--range", "main..feature"));
        sample.git("push", "-q", "origin", "feature");
        sample.git("checkout", "-q", "main");
        commit("README", "before there was a gate\n");
        sample.git("push", "-q", "--no-verify", "origin", "main");
        sample.git("checkout", "-q", "feature");
        sample.git("rebase", "-q", "main");
        Ran forced = push("--force", "feature");
        assertThat(forced.exitCode()).as(forced.err()).isZero();
        sample.write("own", "y\n");
        sample.git("commit", "-q", "-a", "--amend", "-m", "other content");
        assertThat(push("--force", "feature").exitCode()).isNotZero();
    }

    @Test
    void what_is_deleted_or_set_back_brings_nothing_and_does_not_come_back_unseen() throws Exception {
        commit("README", "unreviewed\n");
        sample.git("push", "-q", "--no-verify", "origin", "main");
        String bad = sample.git("rev-parse", "main");
        sample.git("push", "-q", "--force", "origin", "main^:main");
        sample.git("update-ref", "refs/remotes/origin/main", bad);
        assertThat(push("main").exitCode())
                .as("main had it once, as last seen here")
                .isNotZero();
        sample.git("push", "-q", "--no-verify", "origin", "main^:refs/heads/side");
        sample.git("push", "-q", "origin", "--delete", "side");
    }

    @Test
    void what_the_remote_has_and_this_clone_does_not_must_be_fetched_first() throws Exception {
        Path other = folder.resolve("other clone");
        sample.git("clone", "-q", remote.toString(), other.toString());
        SampleRepository colleague = sample.at(other);
        colleague.git("config", "user.name", "Bob");
        colleague.git("config", "user.email", "bob@example.org");
        colleague.write("theirs", "x\n");
        colleague.git("add", ".");
        colleague.git("commit", "-q", "-m", "theirs");
        colleague.git("push", "-q", "origin", "HEAD:main", "HEAD:refs/tags/v1");

        Ran pushed = push("--force", "main");
        assertThat(pushed.exitCode()).isNotZero();
        assertThat(pushed.err()).contains("not in this clone", "git fetch origin refs/heads/main");
        sample.git("tag", "v1");
        assertThat(push("--force", "v1").err()).contains("git fetch origin refs/tags/v1");
        sample.git("fetch", "-q", "origin", "refs/heads/main");
        assertThat(push("--force", "main").exitCode()).isZero();
    }

    @Test
    void a_new_branch_is_compared_with_the_default_branch_or_the_ones_that_the_user_names() throws Exception {
        sample.git("remote", "set-head", "origin", "--delete");
        sample.git("branch", "feature");
        Ran unknown = push("feature");
        assertThat(unknown.exitCode()).isNotZero();
        assertThat(unknown.err())
                .contains("git remote set-head origin --auto", "git config holdfast.gate.protected origin/main");
        sample.git("config", "holdfast.gate.protected", "origin/mian");
        assertThat(push("feature").err()).contains("names origin/mian", "no such remote branch");
        sample.git("config", "holdfast.gate.protected", "origin/main");
        assertThat(push("feature").exitCode()).isZero();

        sample.git("checkout", "-q", "-b", "develop");
        commit("README", "before there was a gate\n");
        sample.git("push", "-q", "--no-verify", "origin", "develop");
        sample.git("branch", "next");
        assertThat(push("next").exitCode()).isNotZero();
        sample.git("config", "--add", "holdfast.gate.protected", "origin/develop");
        assertThat(push("next").exitCode()).isZero();
    }

    @Test
    void of_a_remote_of_which_nothing_is_known_everything_is_new() throws Exception {
        Path empty = folder.resolve("empty.git");
        sample.git("init", "-q", "--bare", empty.toString());
        sample.git("checkout", "-q", "-b", "wip");
        commit("README", "unreviewed\n");
        sample.git("push", "-q", "--no-verify", "origin", "wip");
        Ran pushed = sample.tryGit("push", empty.toString(), "wip");
        assertThat(pushed.exitCode()).isNotZero();
        assertThat(pushed.err()).contains("commit", "change README").doesNotContain("first");
        sample.git("config", "holdfast.project", "another");
        assertThat(sample.tryGit("push", empty.toString(), "wip").err())
                .contains("which has nothing to compare it with (2 commits)");
        sample.git("config", "--unset", "holdfast.project");
        sample.git("push", "-q", empty.toString(), "main");
    }

    @Test
    void a_shallow_clone_is_told_what_it_lacks() throws Exception {
        commit("README", "second\n");
        sample.approve(sample.propose("--range", "origin/main..main"));
        sample.git("push", "-q", "origin", "main");
        Path shallow = folder.resolve("shallow");
        sample.git("clone", "-q", "--depth=1", "file://" + remote.toString().replace(" ", "%20"), shallow.toString());
        SampleRepository cut = sample.at(shallow);
        cut.git("config", "user.name", "Bob");
        cut.git("config", "user.email", "bob@example.org");
        cut.git("config", "holdfast.project", sample.folder.getFileName().toString());
        cut.holdfast("hooks", "install", "--git", "--pre-push");
        cut.write("more", "x\n");
        cut.git("add", ".");
        cut.git("commit", "-q", "-m", "more");
        assertThat(cut.tryGit("push", "origin", "main").err()).contains("the push of refs/heads/main (1 commit)");
        cut.approve(cut.propose("--range", "origin/main..main"));
        cut.git("push", "-q", "origin", "main:feature");

        Ran whole = cut.holdfast("gate", "--range", "main");
        assertThat(whole.exitCode()).isEqualTo(2);
        assertThat(whole.err()).contains("this clone is shallow", "git fetch --unshallow");
    }

    /** The words may begin with an option. */
    private Ran push(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("push"));
        all.addAll(List.of(words));
        all.add(words[0].startsWith("-") ? 2 : 1, "origin");
        return sample.tryGit(all.toArray(String[]::new));
    }

    private String onRemote(String branch) throws Exception {
        return sample.git("ls-remote", "origin", "refs/heads/" + branch).split("\t")[0];
    }

    private void commit(String file, String text) throws Exception {
        sample.write(file, text);
        sample.git("add", ".");
        sample.git("commit", "-q", "-m", "change " + file);
    }
}
