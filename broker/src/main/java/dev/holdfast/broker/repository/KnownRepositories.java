package dev.holdfast.broker.repository;

import dev.holdfast.broker.git.GitApply;
import dev.holdfast.git.WorkingTree;
import dev.holdfast.repository.Repositories;
import dev.holdfast.repository.Repository;
import dev.holdfast.repository.RepositoryReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The repositories that clients have been in. What a client reports is stored at its first call, and again only now and then;
 * a folder counts as the repository's only where git, which is asked without running anything of it, finds the first commit
 * there.
 */
public final class KnownRepositories {
    private static final long AGAIN = Duration.ofMinutes(10).toNanos();
    private static final int MOST = 10_000;
    /** In the place of a machine: a folder that this one does not have. */
    private static final String ELSEWHERE = "elsewhere";

    private final Repositories repositories;
    private final GitApply git;
    private final String machine;
    private final LongSupplier nanoTime;
    private final Map<Place, Met> met = new ConcurrentHashMap<>();

    /** @param local the caller is on this machine */
    private record Place(RepositoryHeader client, boolean local) {}

    private record Met(Repository repository, long at) {}

    /** @param machine where this broker runs */
    public KnownRepositories(Repositories repositories, GitApply git, String machine, LongSupplier nanoTime) {
        this.repositories = repositories;
        this.git = git;
        this.machine = machine;
        this.nanoTime = nanoTime;
    }

    /**
     * The repository that a client says it is in; empty when it says nothing.
     *
     * @param local the client is on this machine; else its folder is none of this machine's, whatever it is called
     */
    public Optional<Repository> of(@Nullable String header, boolean local) {
        return RepositoryHeader.of(header).map(client -> register(new Place(client, local)));
    }

    /** The repository that a folder of this machine is in; empty when it is in none. */
    public Optional<Repository> at(@Nullable String folder) {
        return WorkingTree.of(folder).map(this::of);
    }

    /** The repository of a working tree on this machine. */
    public Repository of(WorkingTree tree) {
        Place quick =
                new Place(new RepositoryHeader(tree.name(), "", tree.home().toString()), true);
        Met before = met.get(quick);
        return before != null && nanoTime.getAsLong() - before.at < AGAIN
                ? before.repository
                : register(quick, git.root(tree.home()).orElse(""), true);
    }

    /** Where the repository of this key is on this machine. */
    public List<Path> folders(String key) {
        return repositories.folders(key, machine).stream().map(Path::of).toList();
    }

    private Repository register(Place place) {
        Met before = met.get(place);
        return before != null && nanoTime.getAsLong() - before.at < AGAIN
                ? before.repository
                : register(place, place.client.root(), false);
    }

    /** @param found git has found that commit there just now */
    private Repository register(Place place, String root, boolean found) {
        RepositoryHeader client = place.client;
        Optional<String> here = place.local ? here(client.folder(), root, found && !root.isEmpty()) : Optional.empty();
        Repository repository = repositories.register(new RepositoryReport(
                client.name(), root, here.isPresent() ? machine : ELSEWHERE, here.orElseGet(client::folder)));
        if (met.size() >= MOST) {
            met.clear(); // they are written down, and found again
        }
        met.put(place, new Met(new Repository(repository.key(), repository.name(), false), nanoTime.getAsLong()));
        return repository;
    }

    /** Its real path, if it is a repository of this machine with that first commit. */
    private Optional<String> here(String folder, String root, boolean found) {
        try {
            Path path = Path.of(folder);
            return path.isAbsolute() && Files.isDirectory(path) && (found || git.has(path, root))
                    ? Optional.of(path.toRealPath().toString())
                    : Optional.empty();
        } catch (InvalidPathException | IOException notHere) {
            return Optional.empty();
        }
    }
}
