package dev.holdfast.cli;

import dev.holdfast.broker.ConfigCommand;
import dev.holdfast.broker.ServeCommand;
import dev.holdfast.broker.TrustCommand;
import dev.holdfast.rules.RulesCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The program as it is when installed: one name, which starts the broker or the command line. */
final class Installed {
    private Installed() {}

    /** Puts it into a folder for the PATH. */
    static Path in(Path bin) throws IOException {
        String[] launcher = {"\"-Dholdfast.launcher=$0\""};
        String broker = Programs.inShell(Programs.broker(launcher));
        String other = broker.substring(0, broker.lastIndexOf(" '" + ServeCommand.class.getName() + "'"));
        Path program = Files.writeString(Files.createDirectories(bin).resolve("holdfast"), """
                #!/bin/sh
                case ${1:-} in
                serve) shift; exec %s "$@" ;;
                trust) shift; exec %s %s "$@" ;;
                config) shift; exec %s %s "$@" ;;
                rules) shift; exec %s %s "$@" ;;
                esac
                exec %s "$@"
                """.formatted(
                        broker,
                        other,
                        TrustCommand.class.getName(),
                        other,
                        ConfigCommand.class.getName(),
                        other,
                        RulesCommand.class.getName(),
                        Programs.inShell(Programs.commandLine(launcher))));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }
}
