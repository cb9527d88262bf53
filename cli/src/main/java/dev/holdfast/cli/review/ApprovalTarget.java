package dev.holdfast.cli.review;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.git.Change;
import dev.holdfast.cli.git.Repository;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.git.GitFailure;
import dev.holdfast.git.RepositoryName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a gate is asked about: a project and a change in it.
 *
 * @param named whether the project was named explicitly; otherwise it is the repository, which every call sends to the
 *     broker
 * @param found null: a diff from a file, outside any repository
 */
public record ApprovalTarget(
        String project, boolean named, @Nullable Repository found) {
    /** The variable with which git tells hooks the index that it is about to commit. */
    private static final String INDEX = "GIT_INDEX_FILE";

    public static ApprovalTarget of(Invocation invocation) {
        Arguments given = invocation.arguments();
        String project = given.text("--project");
        if (given.has("--diff") && project != null) {
            return new ApprovalTarget(RepositoryName.key(project), true, null);
        }
        Repository repository = repository(invocation);
        return new ApprovalTarget(
                project == null ? repository.project() : RepositoryName.key(project), project != null, repository);
    }

    private static Repository repository(Invocation invocation) {
        try {
            return Repository.of(invocation.shell().folder(), invocation.shell().environment());
        } catch (GitFailure e) {
            throw Repository.isMissing(e)
                    ? new GitFailure(e.text() + ", or give --diff FILE and --project NAME", e)
                    : e;
        }
    }

    public Repository repository() {
        if (found == null) {
            throw new IllegalStateException("only a diff from a file has no repository");
        }
        return found;
    }

    /** The change to check, unless a range is given. */
    public Change change(Invocation invocation) {
        String file = invocation.arguments().text("--diff");
        if (file == null) {
            return repository().staged();
        }
        boolean standardInput = file.equals("-");
        String name = standardInput ? "the diff on standard input" : "the diff in " + file;
        try {
            byte[] bytes = standardInput ? read(invocation.shell().in()) : Files.readAllBytes(Path.of(file));
            String diff = text(name, bytes);
            return Change.given(name, found == null ? diff : found.withHeadingsByGit(diff), found);
        } catch (IOException e) {
            throw Failure.invalid("cannot read --diff " + file + ": " + IoReason.of(e));
        }
    }

    /** The change as arguments for a check. */
    public Input asked(Change change) {
        return new Input().with("project", named ? project : null).with("diff", change.diff());
    }

    /** The same as arguments for a proposal, with the commit it was made from. */
    public Input proposed(Change change) {
        return asked(change)
                .with("base", change.base())
                // manual edits on top of a merge apply to no commit
                .with("skip_diff_validation", change.isOnMerge() ? true : null);
    }

    /**
     * Refuses what looks like the next round of the proposer's own review: it would be reviewed twice, and the first
     * review would never end.
     *
     * @param option the option that names the review
     */
    public void refuseNextRound(Invocation invocation, Change change, String option) {
        BrokerClient broker = invocation.broker();
        JsonObject checked =
                broker.call("check_approval", asked(change).fields()).json();
        String id = checked.text("review_id");
        if (id == null
                || !"other_content".equals(checked.text("why"))
                || !"changes_requested".equals(checked.text("status"))) {
            return;
        }
        JsonObject review =
                broker.call("get_review_status", Map.of("review_id", id)).json();
        String me = invocation.knownAgent().orElseGet(invocation::holder);
        if (me.equals(review.object("proposer").text("agent")) || me.equals(review.text("agent_type"))) {
            String named = JsonText.shortId(Printable.of(id));
            throw Failure.invalid("your review " + named + " asks for changes to these files; add " + option + " "
                    + named + " to submit its next round, or --new to start a separate review");
        }
    }

    /** Whether git commits something other than the staged content: with -a or paths, it uses a temporary index. */
    public static boolean isOwnIndex(Invocation invocation) {
        String index = invocation.shell().variable(INDEX);
        return index != null && index.endsWith(".lock");
    }

    public static byte[] read(InputStream in) {
        try {
            return in.readAllBytes();
        } catch (IOException e) {
            throw Failure.invalid("cannot read standard input: " + IoReason.of(e));
        }
    }

    /** Never guesses: two contents that differ only in invalid UTF-8 would become the same. */
    public static String text(String name, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Failure.invalid(name + " is not UTF-8");
        }
    }
}
