package dev.holdfast.broker.pool.engine;

import dev.holdfast.claim.Text;
import dev.holdfast.git.SearchPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Asks a distribution's {@code wslpath} for the Linux path of a Windows folder. There is no fixed rule: drives are
 * mounted wherever {@code /etc/wsl.conf} says, or not at all.
 */
public final class WslPath implements Wsl.Paths {
    private static final Pattern ABSOLUTE = Pattern.compile("/[^\\p{Cntrl}]*");
    /** WSL itself may have to start first. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private static final int LONGEST = 10_000;

    private final SearchPath path;

    /** @param path where to look for the program {@code wsl} */
    public WslPath(SearchPath path) {
        this.path = path;
    }

    @Override
    public String inside(Wsl wsl, String folder) {
        // Windows accepts both slashes, and nothing on the way interprets this one
        List<String> command = new ArrayList<>(wsl.argv(List.of("wslpath", "-a", "-u", folder.replace('\\', '/'))));
        try {
            command.set(0, path.program(command.getFirst()));
            String answer = answer(command);
            if (!ABSOLUTE.matcher(answer).matches()) {
                throw unknown(wsl, folder, answer.isEmpty() ? "no output" : answer);
            }
            return answer;
        } catch (IOException e) {
            throw unknown(wsl, folder, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(wsl, folder, "interrupted");
        }
    }

    private static UnusableLaunchException unknown(Wsl wsl, String folder, String reason) {
        return new UnusableLaunchException(folder + ": wslpath in the distribution " + wsl.distro()
                + " cannot translate it (" + Text.printable(reason)
                + "); set reviewer_pool.workspace_wsl_path");
    }

    /** The line it prints, whether it succeeded or not: an error message is not an absolute path. */
    private static String answer(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("WSL_UTF8", "1"); // otherwise WSL's own errors are UTF-16
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            // the output is short enough for the pipe, so the program never blocks on us
            if (!process.waitFor(ANSWER.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("no answer within " + ANSWER.toSeconds() + " s");
            }
            String said = new String(process.getInputStream().readNBytes(LONGEST), StandardCharsets.UTF_8).strip();
            if (process.exitValue() != 0) {
                throw new IOException("exit code " + process.exitValue() + (said.isEmpty() ? "" : ", " + said));
            }
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
