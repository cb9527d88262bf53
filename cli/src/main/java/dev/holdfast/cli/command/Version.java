package dev.holdfast.cli.command;

/** The program's version, as the build wrote it into the jar. */
final class Version {
    private Version() {}

    static String current() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(unreleased)" : version;
    }
}
