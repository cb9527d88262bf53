package dev.holdfast.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command line as a process of its own, as scripts see it. */
final class CommandProcess {
    private CommandProcess() {}

    /** Ready to be started. */
    static ProcessBuilder of(String url, String locale, String... words) {
        List<String> command = new ArrayList<>(Programs.commandLine());
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("HOLDFAST_URL", url);
        builder.environment().put("LC_ALL", locale);
        return builder;
    }

    /** Runs it to its end. */
    static Ran run(String url, String holder, String... words) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("holdfast-command", ".err");
        try {
            ProcessBuilder builder = of(url, "C.UTF-8", words).redirectError(errors.toFile());
            builder.environment().put("HOLDFAST_AGENT", holder);
            Process process = builder.start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("still running: " + String.join(" ", words));
            }
            return new Ran(process.exitValue(), out, Files.readString(errors));
        } finally {
            Files.delete(errors);
        }
    }
}
