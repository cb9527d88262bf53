package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An approval is for one place, also where git itself asks: by its hooks, at commits, pushes, rebases and merges. */
class PlaceHooksTest extends OnASample {
    private static final String ABOVE = "# one\n# two\n";

    Path remote;

    PlaceHooksTest(@TempDir Path data) {
        super(data);
    }

    @BeforeEach
    void repository() throws Exception {
        remote = makeWithRemote("hooked");
        sample.write("deploy.yml", Deployment.TEXT);
        sample.commit("deploy");
        sample.git("push", "-q", "origin", "main");
        sample.git("remote", "set-head", "origin", "main");
        sample.holdfast("hooks", "install", "--git");
    }

    @Test
    void a_commit_is_made_in_the_block_that_was_reviewed_and_in_no_other() throws Exception {
        stage(Deployment.without("staging"));
        sample.approve(sample.proposeAsAgentsDo());
        stage(Deployment.without("production"));
        Ran stopped = sample.tryGit("commit", "-m", "wrong block");
        assertThat(stopped.exitCode()).isNotZero();
        assertThat(stopped.err()).contains("has the same change to lines 4-10 of deploy.yml; here it is lines 13-19");
        stage(Deployment.without("staging"));
        sample.git("commit", "-q", "-m", "right block");
        sample.git("push", "-q", "origin", "main");
    }

    @Test
    void a_rebased_branch_is_pushed_with_the_approvals_of_its_commits() throws Exception {
        sample.git("checkout", "-q", "-b", "feature");
        approveAndCommit(Deployment.without("staging"));
        sample.write("feature", "x\n");
        approveAndCommit(Deployment.without("staging"));
        rebaseFeature();
        sample.git("push", "-q", "origin", "feature", "feature:main");
    }

    /** The second was reviewed on a version of the file that the first made, and that no history has after the rebase. */
    @Test
    void rebased_commits_that_change_one_file_are_pushed_with_the_approval_of_them_all() throws Exception {
        sample.git("checkout", "-q", "-b", "feature");
        approveAndCommit(Deployment.without("staging"));
        approveAndCommit(Deployment.without("staging").replace("logs: info", "logs: all"));
        String whole = sample.propose("--range", "main..feature");
        rebaseFeature();
        Ran stopped = sample.tryGit("push", "-q", "origin", "feature");
        assertThat(stopped.exitCode()).isNotZero();
        assertThat(stopped.err()).contains("Nothing shows that this is the same place");
        sample.approve(whole);
        sample.git("push", "-q", "origin", "feature", "feature:main");
    }

    @Test
    void a_branch_that_a_rebase_brought_to_the_other_block_is_not_pushed() throws Exception {
        sample.git("checkout", "-q", "-b", "feature");
        stage(Deployment.without("staging"));
        sample.approve(sample.proposeAsAgentsDo());
        sample.git("commit", "-q", "-m", "no authentication");
        goOnAtMain("environments:\n" + Deployment.PRODUCTION + Deployment.STAGING);
        sample.git("checkout", "-q", "feature");
        sample.git("reset", "-q", "--hard", "origin/main");
        stage("environments:\n" + Deployment.PRODUCTION.replace("required", "none") + Deployment.STAGING);
        sample.git("commit", "-q", "--no-verify", "-m", "no authentication");
        Ran pushed = sample.tryGit("push", "-q", "origin", "feature");
        assertThat(pushed.exitCode()).isNotZero();
        assertThat(pushed.err()).contains("has the same change to lines 4-10 of another version of deploy.yml");
    }

    @Test
    void what_hands_add_to_a_merge_is_for_its_place_too() throws Exception {
        sample.git("checkout", "-q", "-b", "feature");
        sample.write("feature", "x\n");
        sample.git("add", ".");
        sample.approve(sample.propose());
        sample.git("commit", "-q", "-m", "feature");
        goOnAtMain(ABOVE + Deployment.TEXT);
        sample.git("checkout", "-q", "feature");

        startMerge(Deployment.without("staging"));
        sample.approve(sample.propose());
        startMerge(Deployment.without("production"));
        assertThat(sample.tryGit("commit", "-m", "merge").exitCode()).isNotZero();
        startMerge(Deployment.without("staging"));
        sample.git("commit", "-q", "-m", "merge");
        sample.git("push", "-q", "origin", "feature:main");
    }

    @Test
    void where_the_reviewed_version_is_not_in_the_clone_the_change_is_proposed_again() throws Exception {
        stage(Deployment.without("staging"));
        sample.approve(sample.propose());
        sample.git("reset", "-q", "--hard");
        goOnAtMain(ABOVE + Deployment.TEXT);
        Path shallow = folder.resolve("shallow");
        sample.git("clone", "-q", "--depth=1", "file://" + remote, shallow.toString());
        SampleRepository clone = sample.at(shallow);
        String project = sample.folder.getFileName().toString();
        clone.write("deploy.yml", ABOVE + Deployment.without("staging"));
        clone.git("add", ".");
        clone.assertStopped("--project", project);
        clone.git("fetch", "-q", "--unshallow");
        clone.assertPasses("--project", project);
    }

    private void approveAndCommit(String deploy) throws Exception {
        stage(deploy);
        sample.approve(sample.propose());
        sample.git("commit", "-q", "-m", "approved");
    }

    private void rebaseFeature() throws Exception {
        goOnAtMain(ABOVE + Deployment.TEXT);
        sample.git("checkout", "-q", "feature");
        sample.git("-c", "core.hooksPath=/dev/null", "rebase", "-q", "origin/main");
        assertThat(sample.git("show", "HEAD:deploy.yml")).startsWith("# one");
    }

    /** As others have left it, reviewed elsewhere. */
    private void goOnAtMain(String deploy) throws Exception {
        sample.git("checkout", "-q", "main");
        stage(deploy);
        sample.git("commit", "-q", "--no-verify", "-m", "another's");
        sample.git("push", "-q", "--no-verify", "origin", "main");
    }

    private void startMerge(String deploy) throws Exception {
        sample.git("reset", "-q", "--hard");
        sample.git("merge", "-q", "--no-commit", "--no-ff", "main");
        stage(ABOVE + deploy);
    }

    private void stage(String deploy) throws Exception {
        sample.write("deploy.yml", deploy);
        sample.git("add", ".");
    }
}
