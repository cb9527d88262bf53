package dev.holdfast.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another user of this machine: nobody. Only root can run programs as that user. */
public final class OtherUser {
    /** Why tests with another user are skipped. */
    public static final String WHY_NOT = "only root can run a program as another user, and needs setpriv for it";

    public static final int NOBODY = 65534;

    /** The result of a program. */
    public record Ran(int exitCode, String out) {}

    private OtherUser() {}

    public static boolean isThere() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
                    && run("true").exitCode() == 0;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Runs a program to completion, in the root folder and with empty input. */
    public static Ran run(String... words) throws IOException, InterruptedException {
        Process process = start(words);
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("still running: " + String.join(" ", words));
        }
        return new Ran(process.exitValue(), out);
    }

    /** Starts a program whose error output is merged into its output. */
    public static Process start(String... words) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--no-new-privs"));
        command.addAll(List.of(words));
        return new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .start();
    }
}
