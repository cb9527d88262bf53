package dev.holdfast.repository;

/**
 * A repository as the broker knows it.
 *
 * @param name as its people call it
 * @param isNew nobody had reported it before in that folder
 */
public record Repository(String key, String name, boolean isNew) {
    /** Whether another repository had the name before. */
    public boolean hasSuffix() {
        return !key.equals(RepositoryKey.ofQueue(name));
    }
}
