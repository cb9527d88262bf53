package dev.holdfast.repository;

/**
 * A repository as the broker knows it.
 *
 * @param name as its users call it
 * @param isNew it had not been reported in that folder before
 */
public record Repository(String key, String name, boolean isNew) {
    /** Whether another repository already had the name. */
    public boolean hasSuffix() {
        return !key.equals(RepositoryKey.ofQueue(name));
    }
}
