package dev.holdfast.broker;

import dev.holdfast.broker.config.UserFolders;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.Text;
import dev.holdfast.terminal.TerminalWidth;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import tools.jackson.databind.json.JsonMapper;

/**
 * The environment of a command that the launcher runs itself, and how it fails.
 *
 * @param columns the terminal's width; 0: no limit, as for a pipe
 */
record CommandContext(
        Map<String, String> environment,
        Path here,
        UserFolders folders,
        IntSupplier columns,
        PrintStream out,
        PrintStream err) {

    static CommandContext ofThisProcess() {
        return new CommandContext(
                System.getenv(),
                Path.of("").toAbsolutePath(),
                UserFolders.ofThisUser(),
                TerminalWidth::ask,
                new PrintStream(System.out, true, StandardCharsets.UTF_8),
                System.err);
    }

    ServeSettings serveSettings() {
        return new ServeSettings(environment, here, folders);
    }

    void complain(String text) {
        err.println("holdfast: " + Text.printable(text));
    }

    /** With {@code --json}, prints the same document as commands that call a broker. */
    int fail(int exitCode, List<String> problems, boolean json) {
        if (json) {
            Map<String, String> document = new LinkedHashMap<>();
            document.put("error", String.join("; ", problems));
            document.put("code", code(exitCode));
            out.println(JsonMapper.shared().writeValueAsString(document));
        } else {
            problems.forEach(this::complain);
        }
        return exitCode;
    }

    /** As listed in docs/cli.md. */
    private static String code(int exitCode) {
        return switch (exitCode) {
            case 2 -> RefusalCode.INVALID.toString();
            case 4 -> RefusalCode.NOT_FOUND.toString();
            default -> "failed";
        };
    }
}
