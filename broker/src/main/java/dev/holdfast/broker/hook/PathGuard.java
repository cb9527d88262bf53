package dev.holdfast.broker.hook;

import dev.holdfast.broker.repository.KnownRepositories;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.git.WorkingTree;
import dev.holdfast.work.Overlap;
import dev.holdfast.work.Reservations;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Refuses a tool call that would write to paths that somebody else has reserved exclusively. */
record PathGuard(Reservations reservations, KnownRepositories repositories) {
    /** Why the tool must not run; empty when it may. */
    Optional<String> refusal(String agent, HookCall call) {
        for (String written : call.input().paths()) {
            Optional<String> refusal = refusal(agent, call, written);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }

    private Optional<String> refusal(String agent, HookCall call, String written) {
        String cwd = call.input().field("cwd");
        Path path;
        try {
            path = Path.of(cwd == null ? "" : cwd)
                    .resolve(written)
                    .toAbsolutePath()
                    .normalize();
        } catch (InvalidPathException _) {
            return Optional.empty(); // the tool itself will report what is wrong
        }
        Optional<WorkingTree> tree = WorkingTree.of(path.toString());
        Optional<String> relative = tree.flatMap(found -> found.relative(path));
        if (tree.isEmpty() || relative.isEmpty()) {
            return Optional.empty();
        }
        try {
            String repository = repositories.of(tree.get()).key();
            if (!call.knows(repository)) {
                return Optional.empty();
            }
            return reservations
                    .check(agent, repository, relative.get())
                    .filter(Overlap::exclusive)
                    .map(overlap -> text(relative.get(), repository, overlap));
        } catch (InvalidException _) {
            return Optional.empty(); // not a path that anybody could reserve
        }
    }

    private static String text(String path, String repository, Overlap overlap) {
        return "Holdfast: " + Notice.quoted(path) + " in " + Notice.quoted(repository) + " is reserved by "
                + Notice.quoted(overlap.holder()) + " until " + overlap.expiresAt()
                + ". Change something else, or wait until it is free (see check_path).";
    }
}
