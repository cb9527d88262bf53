package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.NotAvailable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** graphile-worker on Node.js, installed by npm into the user's cache folder on first use. */
record Graphile(Lab lab) {
    static final String VERSION = "0.17.3";

    /** One job per statement, 32 at a time. */
    Outcome asItComes() throws Exception {
        return run(12_000, "concurrency=32");
    }

    /** Its fastest mode: jobs fetched 500 at a time, completions in batches. */
    Outcome batched() throws Exception {
        return run(90_000, "concurrency=24", "localQueue=500", "completeBatchDelay=0");
    }

    /** The time from adding a job until an idle worker starts it; the median, in microseconds. */
    Outcome latency() throws Exception {
        return run(0, "concurrency=1", "oneByOne=true");
    }

    private Outcome run(int perSecond, String... mode) throws Exception {
        if (Shell.answer("node", "--version").isEmpty()
                || Shell.answer("npm", "--version").isEmpty()) {
            return new NotAvailable("node or npm is not installed");
        }
        Path modules;
        try {
            modules = installed();
        } catch (IllegalStateException e) {
            return new NotAvailable("npm could not install graphile-worker: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        String url = lab.server().newDatabase();
        List<String> command = new ArrayList<>(List.of("node", script(modules).toString(), "url=" + nodeUrl(url)));
        command.addAll(List.of(mode));
        command.add("jobs=" + lab.rowsFor(perSecond));
        command.add("warm=" + lab.warmUp().toMillis());
        command.add("measured=" + lab.measured().toMillis());
        String output = Shell.run(command, modules, Map.of("NODE_ENV", "production"));
        lab.server().drop(url);
        return Figures.read(output.lines().toList().getLast());
    }

    private static Path installed() throws IOException, InterruptedException {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path folder = (cache == null || cache.isBlank()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(cache))
                .resolve("holdfast/bench/graphile-worker-" + VERSION);
        if (!Files.exists(folder.resolve("node_modules/graphile-worker/package.json"))) {
            Files.createDirectories(folder);
            Shell.run(
                    List.of(
                            "npm",
                            "install",
                            "--no-audit",
                            "--no-fund",
                            "--prefix",
                            folder.toString(),
                            "graphile-worker@" + VERSION),
                    folder,
                    Map.of());
        }
        return folder;
    }

    /** Next to the modules, otherwise node would not find them. */
    private static Path script(Path modules) throws IOException {
        Path script = modules.resolve("graphile.cjs");
        try (InputStream text = Objects.requireNonNull(Graphile.class.getResourceAsStream("graphile.cjs"))) {
            Files.copy(text, script, StandardCopyOption.REPLACE_EXISTING);
        }
        return script;
    }

    private static String nodeUrl(String url) {
        return url.replace("jdbc:postgresql://", "postgres://postgres@").replaceAll("\\?.*", "");
    }
}
