package dev.holdfast.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** PostgreSQL's own load generator. */
record Pgbench(int port, Path folder) implements RawLoad {
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");

    @Override
    public String name() {
        return "pgbench";
    }

    @Override
    public Rate run(String url, String statement, int connections, int seconds) throws Exception {
        Path script = Files.writeString(folder.resolve("script.sql"), statement + ";\n");
        boolean timed = connections == 1; // logging each time is not free
        List<String> log = timed ? List.of("--log", "--log-prefix=" + folder.resolve("times")) : List.of();
        List<String> command = Stream.of(
                        List.of("pgbench", "-n", "-M", "prepared", "-h", "127.0.0.1", "-p", Integer.toString(port)),
                        List.of("-U", "postgres", "-c", Integer.toString(connections)),
                        List.of("-j", Integer.toString(Math.min(2, connections)), "-T", Integer.toString(seconds)),
                        log,
                        List.of("-f", script.toString(), url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'))))
                .flatMap(List::stream)
                .toList();
        String output = Shell.run(command, folder, Map.of());
        Matcher rate = RATE.matcher(output);
        if (!rate.find()) {
            throw new IllegalStateException("pgbench printed no rate: " + output);
        }
        return new Rate(Double.parseDouble(rate.group(1)), timed ? median() : Double.NaN);
    }

    private double median() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith("times"))
                    .toList()) {
                double[] micros = Files.readAllLines(file).stream()
                        .mapToDouble(line -> Double.parseDouble(line.split(" ")[2]))
                        .sorted()
                        .toArray();
                Files.delete(file);
                return micros[micros.length / 2];
            }
        }
        throw new IllegalStateException("pgbench wrote no times");
    }
}
