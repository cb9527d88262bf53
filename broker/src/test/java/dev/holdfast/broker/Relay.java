package dev.holdfast.broker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A process that sends what it is given to a port of this computer and gives back the answer, itself or by a child of
 * its own. It knows nothing of HTTP or JSON, so that starting one costs next to nothing.
 */
final class Relay implements AutoCloseable {
    private static final String FOR_A_CHILD = ">";
    private static final String PID = "pid";

    private final Process process;

    Relay() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-Xmx32m",
                        "-cp",
                        classes(),
                        Relay.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String classes() {
        return Path.of(Relay.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString();
    }

    /**
     * The answer of the process, or of its child, child's child, and so on.
     *
     * @param depth 0 for the process itself
     */
    String exchange(int depth, int port, byte[] request) throws IOException {
        String answer = ask(depth, port + " " + Base64.getEncoder().encodeToString(request));
        return new String(Base64.getDecoder().decode(answer), StandardCharsets.UTF_8);
    }

    long pid(int depth) throws IOException {
        return Long.parseLong(ask(depth, PID));
    }

    private String ask(int depth, String line) throws IOException {
        return ask(process, FOR_A_CHILD.repeat(depth) + line);
    }

    private static String ask(Process process, String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().flush();
        String answer = process.inputReader(StandardCharsets.US_ASCII).readLine();
        if (answer == null) {
            throw new IOException("the other process has ended");
        }
        return answer;
    }

    /** As {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    public static void main(String[] none) throws IOException {
        @Nullable Relay child = null;
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(FOR_A_CHILD)) {
                child = child == null ? new Relay() : child;
                System.out.println(ask(child.process, line.substring(FOR_A_CHILD.length())));
            } else if (line.equals(PID)) {
                System.out.println(ProcessHandle.current().pid());
            } else {
                int space = line.indexOf(' ');
                System.out.println(send(Integer.parseInt(line.substring(0, space)), line.substring(space + 1)));
            }
        }
        if (child != null) {
            child.close();
        }
    }

    private static String send(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(Base64.getDecoder().decode(request));
            return Base64.getEncoder().encodeToString(socket.getInputStream().readAllBytes());
        }
    }
}
