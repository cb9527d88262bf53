package dev.holdfast.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The PostgreSQL installed on this machine. It refuses to run as root; in that case it runs as another user. */
final class InstalledPostgres extends PostgresServer {
    private final Path binaries;
    private final Path folder;
    private final List<String> asUser;
    private boolean made;

    InstalledPostgres(Path binaries, Path folder) throws IOException {
        super(folder.resolve("data"));
        this.binaries = binaries;
        this.folder = folder;
        asUser = "root".equals(System.getProperty("user.name")) ? List.of("runuser", "-u", user(), "--") : List.of();
    }

    /** The folder with initdb, pg_ctl and so on, if they are installed. */
    static Optional<Path> binaries() {
        Stream<Path> configured = Shell.answer("pg_config", "--bindir").map(Path::of).stream();
        Stream<Path> onPath = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "initdb"))
                .filter(Files::isExecutable)
                .flatMap(initdb -> {
                    try {
                        return Stream.of(initdb.toRealPath().resolveSibling(""));
                    } catch (IOException _) {
                        return Stream.empty();
                    }
                });
        return Stream.concat(configured, onPath)
                .filter(folder ->
                        Files.isExecutable(folder.resolve("initdb")) && Files.isExecutable(folder.resolve("pg_ctl")))
                .findFirst();
    }

    private static String user() {
        return Shell.answer("id", "-u", "postgres").isPresent() ? "postgres" : "nobody";
    }

    @Override
    void start() throws Exception {
        if (!made) {
            if (!asUser.isEmpty()) {
                // the folder above is ours alone; its contents belong to the server's user
                Shell.run(List.of("chmod", "711", String.valueOf(folder.getParent())));
                Shell.run(List.of("chown", asUser.get(2), folder.toString()));
            }
            run(
                    "initdb",
                    "-D",
                    data().toString(),
                    "-U",
                    "postgres",
                    "-A",
                    "trust",
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "--no-sync");
            made = true;
        }
        StringBuilder settings = new StringBuilder("-p " + port() + " -h 127.0.0.1 -k " + folder);
        SETTINGS.forEach((name, value) ->
                settings.append(" -c ").append(name).append('=').append(value));
        run(
                "pg_ctl",
                "start",
                "-w",
                "-t",
                "60",
                "-D",
                data().toString(),
                "-l",
                folder.resolve("server.log").toString(),
                "-o",
                settings.toString());
    }

    @Override
    public void close() {
        try {
            run("pg_ctl", "stop", "-m", "immediate", "-w", "-D", data().toString());
        } catch (IOException | InterruptedException | IllegalStateException _) {
            // it was not running
        }
    }

    private void run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(asUser);
        command.add(binaries.resolve(program).toString());
        command.addAll(List.of(arguments));
        Shell.run(command);
    }
}
