package dev.holdfast.cli.init;

import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.git.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The other working trees of a repository that {@code init} has set up. They share git's common folder, and so the gate
 * and the exclude list: undoing one tree's setup leaves what the others need.
 */
record OtherWorkingTrees(List<Tree> trees) {
    /** One of them. */
    record Tree(Path top, InitRecord record) {}

    static OtherWorkingTrees of(Repository repository) {
        Path common = repository.commonFolder();
        List<Tree> trees = new ArrayList<>();
        if (!repository.gitFolder().equals(common)) {
            add(trees, common.endsWith(".git") ? Objects.requireNonNull(common.getParent()) : common, common);
        }
        Path linked = common.resolve("worktrees");
        if (Files.isDirectory(linked)) {
            try (Stream<Path> folders = Files.list(linked)) {
                for (Path folder : folders.sorted().toList()) {
                    Path top = top(folder);
                    if (!folder.equals(repository.gitFolder()) && Files.isDirectory(top)) {
                        add(trees, top, folder);
                    }
                }
            } catch (IOException e) {
                throw Failure.failed("cannot read " + linked + ": " + IoReason.of(e), e);
            }
        }
        return new OtherWorkingTrees(trees);
    }

    private static void add(List<Tree> trees, Path top, Path gitFolder) {
        InitRecord record = InitRecord.in(gitFolder);
        if (!record.isEmpty()) {
            trees.add(new Tree(top, record));
        }
    }

    /**
     * Where a linked working tree is, according to git; a path that does not exist, if it is gone and git has not
     * noticed yet.
     */
    private static Path top(Path gitFolder) {
        Path none = gitFolder.resolve("gone");
        try {
            Path back = gitFolder.resolve(
                    Files.readString(gitFolder.resolve("gitdir")).strip());
            return Files.exists(back) ? Objects.requireNonNullElse(back.getParent(), none) : none;
        } catch (IOException unreadable) {
            return none;
        }
    }

    /** A working tree that needs this shared part. */
    Optional<Tree> needing(String shared) {
        return trees.stream().filter(tree -> tree.record.needs(shared)).findFirst();
    }
}
