package dev.holdfast.broker.repository;

import dev.holdfast.broker.git.GitApply;
import dev.holdfast.git.WorkingTree;
import dev.holdfast.repository.Repositories;
import dev.holdfast.repository.Repository;
import dev.holdfast.repository.RepositoryKey;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The repositories in which clients have been. What a client reports is stored at its first call, and refreshed only
 * now and then. A folder counts as the repository's only if git finds the first commit there; git is asked without
 * running anything from the repository.
 */
public final class KnownRepositories {
    private static final long AGAIN = Duration.ofMinutes(10).toNanos();
    private static final int MAX = 10_000;
    /** Used instead of a machine for a folder that this machine does not have. */
    private static final String ELSEWHERE = "elsewhere";

    private final Repositories repositories;
    private final GitApply git;
    private final String machine;
    private final LongSupplier nanoTime;
    private final Map<Place, Met> met = new ConcurrentHashMap<>();

    /** @param local whether the caller is on this machine */
    private record Place(RepositoryHeader client, boolean local) {}

    /** @param recorded whether it is stored */
    private record Met(Repository repository, boolean recorded, long at) {}

    /** @param machine the machine this broker runs on */
    public KnownRepositories(Repositories repositories, GitApply git, String machine, LongSupplier nanoTime) {
        this.repositories = repositories;
        this.git = git;
        this.machine = machine;
        this.nanoTime = nanoTime;
    }

    /**
     * The repository that a client says it is in; empty when it does not say.
     *
     * @param local whether the client is on this machine; otherwise its folder is not one of this machine's, whatever
     *     its path
     * @param exists whether the repository with this key exists for the client; of others it is told only the name
     *     that it gave
     * @param may whether the client may report the one with this key; otherwise nothing is recorded
     */
    public Optional<Repository> of(
            @Nullable String header, boolean local, Predicate<String> exists, Predicate<String> may) {
        return RepositoryHeader.of(header).map(client -> announced(register(new Place(client, local), may), exists));
    }

    private static Repository announced(Repository found, Predicate<String> exists) {
        String name = RepositoryKey.ofQueue(found.name());
        return exists.test(found.key()) || exists.test(name) ? found : new Repository(name, found.name(), false);
    }

    /** The repository of a working tree on this machine. */
    public Repository of(WorkingTree tree) {
        Place quick =
                new Place(new RepositoryHeader(tree.name(), "", tree.home().toString()), true);
        Met before = met.get(quick);
        return before != null && isFresh(before)
                ? before.repository
                : register(quick, git.root(tree.home()).orElse(""), true, _ -> true);
    }

    /** The folders on this machine of the repository with this key. */
    public List<Path> folders(String key) {
        return repositories.folders(key, machine).stream().map(Path::of).toList();
    }

    private Repository register(Place place, Predicate<String> may) {
        Met before = met.get(place);
        return before != null && isFresh(before) && (before.recorded || !may.test(before.repository.key()))
                ? before.repository
                : register(place, place.client.root(), false, may);
    }

    private boolean isFresh(Met before) {
        return nanoTime.getAsLong() - before.at < AGAIN;
    }

    /**
     * @param found whether git has just found that commit there
     * @param may whether the client may report the repository with this key
     */
    private Repository register(Place place, String root, boolean found, Predicate<String> may) {
        RepositoryHeader client = place.client;
        Optional<String> here = place.local ? here(client.folder(), root, found && !root.isEmpty()) : Optional.empty();
        Repository repository = repositories.register(
                new RepositoryReport(
                        client.name(), root, here.isPresent() ? machine : ELSEWHERE, here.orElseGet(client::folder)),
                may);
        if (met.size() >= MAX) {
            met.clear(); // they are stored, and will be found again
        }
        met.put(
                place,
                new Met(
                        new Repository(repository.key(), repository.name(), false),
                        may.test(repository.key()),
                        nanoTime.getAsLong()));
        return repository;
    }

    /** Its real path, if it is a repository on this machine with that first commit. */
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
