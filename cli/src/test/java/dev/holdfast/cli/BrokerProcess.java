package dev.holdfast.cli;

import dev.holdfast.testing.TestSqlite;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker as a process of its own. */
final class BrokerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready on (http://[^ ]+)");

    private final Process process;
    private final String url;

    BrokerProcess(Path data) throws IOException {
        List<String> command = Programs.broker();
        command.addAll(List.of("--port", "0", "--data", TestSqlite.in(data).toString()));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        url = readUrl(process.inputReader());
    }

    private static String readUrl(BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                return ready.group(1);
            }
        }
        throw new IOException("the broker ended before it was ready");
    }

    String url() {
        return url;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
