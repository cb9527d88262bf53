package dev.holdfast.repository;

/**
 * What a client reports about the repository it is in.
 *
 * @param name {@code git config holdfast.project}, else the name of the main working tree's top folder
 * @param root its first commit; empty: not known, as before the first commit or in a clone without the whole history
 * @param machine where the folder is
 * @param folder the main working tree's, which all its working trees share
 */
public record RepositoryReport(String name, String root, String machine, String folder) {}
