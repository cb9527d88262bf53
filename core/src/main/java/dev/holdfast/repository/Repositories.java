package dev.holdfast.repository;

import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The known repositories. Each is registered automatically, when a client inside it first calls:
 *
 * <ol>
 *   <li>A folder that was seen before is still the same repository, unless its first commit has become known since and
 *       belongs to another repository.
 *   <li>Clones and working trees with the same name and the same first commit are one repository.
 *   <li>Another repository with the same name gets its own key: the name and the beginning of its first commit.
 * </ol>
 */
public final class Repositories {
    private static final int MIN_SUFFIX = 4;

    private final Store store;

    public Repositories(Store store) {
        this.store = store;
    }

    /** Records that a client was there; returns the repository as it is known here. */
    public Repository register(RepositoryReport seen) {
        return register(seen, _ -> true);
    }

    /**
     * As above, for a client that may not report every repository.
     *
     * @param may whether the client may report the one with this key; otherwise nothing is recorded
     */
    public Repository register(RepositoryReport seen, Predicate<String> may) {
        String key = RepositoryKey.ofQueue(seen.name()).isEmpty() ? "repository" : RepositoryKey.ofQueue(seen.name());
        return store.write(transaction -> {
            RepositoryTable.lock(transaction, key);
            Optional<RepositoryTable.Folder> before = RepositoryTable.folder(transaction, seen.machine(), seen.folder())
                    .filter(folder -> folder.name().equals(key));
            String found = key(transaction, seen, key, before);
            if (may.test(found)) {
                RepositoryTable.add(transaction, found, key);
                RepositoryTable.see(transaction, seen, found);
            }
            return new Repository(
                    found,
                    seen.name(),
                    before.filter(folder -> folder.key().equals(found)).isEmpty());
        });
    }

    private static String key(
            Transaction transaction, RepositoryReport seen, String name, Optional<RepositoryTable.Folder> before)
            throws SQLException {
        List<RepositoryTable.Folder> all = RepositoryTable.named(transaction, name);
        Optional<RepositoryTable.Folder> same =
                before.filter(folder -> seen.root().isEmpty() || !folder.root().isEmpty() || isOnlyOne(all, folder));
        if (same.isPresent()) {
            return same.get().key();
        }
        Optional<RepositoryTable.Folder> clone = all.stream()
                .filter(folder -> !seen.root().isEmpty() && folder.root().equals(seen.root()))
                .findFirst();
        if (clone.isPresent()) {
            return clone.get().key();
        }
        boolean another = all.stream()
                .filter(folder -> folder.key().equals(name))
                .anyMatch(folder -> !folder.root().isEmpty() && !seen.root().isEmpty());
        return another ? suffixed(name, seen.root(), all) : name;
    }

    /** Whether nobody has reported a first commit for the repository that this folder was assigned to. */
    private static boolean isOnlyOne(List<RepositoryTable.Folder> all, RepositoryTable.Folder folder) {
        return all.stream()
                .filter(other -> other.key().equals(folder.key()))
                .allMatch(other -> other.root().isEmpty());
    }

    private static String suffixed(String name, String root, List<RepositoryTable.Folder> all) {
        Set<String> taken = new TreeSet<>();
        all.forEach(folder -> taken.add(folder.key()));
        for (int digits = MIN_SUFFIX; digits < root.length(); digits++) {
            String key = name + root.substring(0, digits);
            if (!taken.contains(key)) {
                return key;
            }
        }
        return name + root;
    }

    /** The folders of a repository on a machine, most recently seen first. */
    public List<String> folders(String key, String machine) {
        return store.read(transaction -> RepositoryTable.folders(transaction, key, machine));
    }

    /** The keys of the repositories, most recently used first. */
    public List<String> latest(int max) {
        return store.read(transaction -> RepositoryTable.latest(transaction, max));
    }
}
