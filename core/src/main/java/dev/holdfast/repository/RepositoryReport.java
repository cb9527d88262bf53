package dev.holdfast.repository;

/**
 * What a client reports about the repository it is in.
 *
 * @param name {@code git config holdfast.project}, otherwise the name of the main working tree's top folder
 * @param root its first commit; empty if unknown, as before the first commit or in a shallow clone
 * @param machine where the folder is
 * @param folder the main working tree's folder, the same for all its working trees
 */
public record RepositoryReport(String name, String root, String machine, String folder) {}
