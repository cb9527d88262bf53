package dev.holdfast.cli;

import dev.holdfast.cli.broker.ExitCode;
import java.util.List;

/**
 * Runs the usual commands once, in one process. The launcher does this after a build and keeps what the JVM learned
 * about their classes, so that every later command starts faster.
 */
final class CacheWarmup {
    private static final List<List<String>> COMMANDS = List.of(
            List.of("claim", "key:training", "--holder", "training"),
            List.of("heartbeat", "key:training", "--holder", "training"),
            List.of("who"),
            List.of("release", "key:training", "--holder", "training"),
            List.of("status"),
            List.of("work", "list"),
            List.of("review", "list"),
            List.of("task", "list"));

    private CacheWarmup() {}

    public static void main(String[] none) {
        for (List<String> command : COMMANDS) {
            ExitCode code = Main.run(Main.shell(), command);
            if (code != ExitCode.DONE) {
                System.err.println(String.join(" ", command) + " ended with " + code);
            }
        }
        Runtime.getRuntime().halt(0);
    }
}
