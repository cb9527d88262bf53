package dev.holdfast.repository;

import dev.holdfast.store.Store;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which repositories there are. Each is known by itself, at the first word of a client inside it:
 *
 * <ol>
 *   <li>A folder that was seen before is the repository that it was, unless its first commit has come to be known since and
 *       is another's.
 *   <li>Clones and working trees with the same name and the same first commit are one.
 *   <li>Another repository of the same name gets a key of its own: the name and the beginning of its first commit.
 * </ol>
 */
public final class Repositories {
    private static final int LEAST_SUFFIX = 4;

    private final Store store;

    public Repositories(Store store) {
        this.store = store;
    }

    /** Notes that a client was there; returns what the repository is called here. */
    public Repository meet(RepositoryReport seen) {
        String key = RepositoryKey.ofQueue(seen.name()).isEmpty() ? "repository" : RepositoryKey.ofQueue(seen.name());
        return store.write(transaction -> {
            RepositoryTable.lock(transaction, key);
            Optional<RepositoryTable.Folder> before = RepositoryTable.folder(transaction, seen.machine(), seen.folder())
                    .filter(folder -> folder.name().equals(key));
            String found = key(transaction, seen, key, before);
            RepositoryTable.add(transaction, found, key);
            RepositoryTable.see(transaction, seen, found);
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

    /** Whether nobody has reported a first commit of the repository that this folder was taken for. */
    private static boolean isOnlyOne(List<RepositoryTable.Folder> all, RepositoryTable.Folder folder) {
        return all.stream()
                .filter(other -> other.key().equals(folder.key()))
                .allMatch(other -> other.root().isEmpty());
    }

    private static String suffixed(String name, String root, List<RepositoryTable.Folder> all) {
        Set<String> taken = new TreeSet<>();
        all.forEach(folder -> taken.add(folder.key()));
        for (int digits = LEAST_SUFFIX; digits < root.length(); digits++) {
            String key = name + root.substring(0, digits);
            if (!taken.contains(key)) {
                return key;
            }
        }
        return name + root;
    }

    /** The folders of a repository on a machine, the one that was seen last first. */
    public List<String> folders(String key, String machine) {
        return store.read(transaction -> RepositoryTable.folders(transaction, key, machine));
    }

    /** What repositories are called here, the one that somebody was in last first. */
    public List<String> latest(int most) {
        return store.read(transaction -> RepositoryTable.latest(transaction, most));
    }

    /** Drops what nobody has been in for so long, in days; returns how many folders that were. */
    public int forget(int days) {
        return store.write(transaction -> RepositoryTable.forget(transaction, days));
    }
}
