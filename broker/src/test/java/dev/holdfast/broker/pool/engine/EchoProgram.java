package dev.holdfast.broker.pool.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/** A program that says what it was given: its arguments, environment, input and folder, as JSON. */
final class EchoProgram {
    /** What a process was really given. */
    record Given(List<String> arguments, Map<String, String> environment, String stdin, String folder) {}

    private EchoProgram() {}

    public static void main(String[] arguments) throws IOException {
        System.out.write(JsonMapper.shared()
                .writeValueAsBytes(new Given(
                        List.of(arguments),
                        new TreeMap<>(System.getenv()),
                        new String(System.in.readAllBytes(), StandardCharsets.UTF_8),
                        Path.of("").toAbsolutePath().toString())));
        System.out.flush();
    }

    /** Starts what a launch says, but with this program in place of its own; the words after it stay as they are. */
    static Given insteadOf(Launch launch, Map<String, String> broker) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfile.encoding=UTF-8",
                "-Dsun.jnu.encoding=UTF-8",
                "-cp",
                System.getProperty("java.class.path"),
                EchoProgram.class.getName()));
        command.addAll(launch.argv().subList(1, launch.argv().size()));
        Process process = launch.process(broker).command(command).start();
        try (var in = process.getOutputStream()) {
            if (launch.stdin() != null) {
                in.write(launch.stdin().getBytes(StandardCharsets.UTF_8));
            }
        }
        byte[] output = process.getInputStream().readAllBytes();
        if (process.waitFor() != 0) {
            throw new IOException(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        }
        return JsonMapper.shared().readValue(output, Given.class);
    }
}
