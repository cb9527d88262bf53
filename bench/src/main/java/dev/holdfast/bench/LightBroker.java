package dev.holdfast.bench;

import dev.holdfast.bench.Outcome.Figure;
import dev.holdfast.bench.Outcome.NotAvailable;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** P11: a broker as the launcher starts it, on an existing store. */
final class LightBroker {
    private static final String START = "start to first answer";
    private static final String IDLE = "resident, idle";
    private static final String USED = "resident, after 3,000 calls";
    private static final String COST = "processor, idle";
    private static final int TURNS = 1_000;

    /** The seconds until a broker counts as idle rather than starting, and for which it is then watched. */
    private static final int SETTLED = 60;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    static final List<Goal> GOALS = List.of(
            Goal.atMost(800, START, null),
            Goal.atMost(120, IDLE, null),
            Goal.atMost(200, USED, null),
            Goal.atMost(0.2, COST, null));

    private LightBroker() {}

    static List<Entry> entries(Lab lab) {
        return List.of(
                new Entry(START, "ms", () -> with(lab, (broker, millis) -> millis)),
                new Entry(
                        IDLE,
                        "MB",
                        () -> with(lab, (broker, _) -> {
                            TimeUnit.SECONDS.sleep(12); // the JVM returns memory every ten seconds
                            return residentMegabytes(broker);
                        })),
                new Entry(
                        USED,
                        "MB",
                        () -> with(lab, (broker, _) -> {
                            use(broker);
                            TimeUnit.SECONDS.sleep(12);
                            return residentMegabytes(broker);
                        })),
                new Entry(
                        COST,
                        "% of a core",
                        () -> with(lab, (broker, _) -> {
                            TimeUnit.SECONDS.sleep(SETTLED); // the JVM keeps compiling for a while after startup
                            Duration before = used(broker);
                            TimeUnit.SECONDS.sleep(SETTLED);
                            return used(broker).minus(before).toMillis() / (SETTLED * 1_000.0) * 100;
                        })));
    }

    private interface Looked {
        double at(RunningBroker broker, double startMillis) throws Exception;
    }

    private static Outcome with(Lab lab, Looked looked) throws Exception {
        if (RunningBroker.launcher().isEmpty() || !Files.exists(Path.of("/proc/self/status"))) {
            return new NotAvailable("needs the launcher, and Linux");
        }
        Path folder = lab.folder();
        List<String> arguments = List.of("--data", folder.resolve("data").toString());
        RunningBroker.start(arguments).close(); // creates the store
        long start = System.nanoTime();
        try (RunningBroker broker = RunningBroker.start(arguments)) {
            get(broker, "/healthz");
            return Figure.of(looked.at(broker, (System.nanoTime() - start) / 1e6));
        } finally {
            Lab.delete(folder);
        }
    }

    private static void use(RunningBroker broker) throws Exception {
        for (int i = 0; i < TURNS; i++) {
            String key = "{\"resource\": \"key:" + i + "\", \"holder\": \"bench\"";
            post(broker, "claim", key + "}");
            post(broker, "heartbeat", key + ", \"claim_generation\": 1}");
            post(broker, "release", key + ", \"claim_generation\": 1}");
        }
    }

    private static void post(RunningBroker broker, String verb, String body) throws Exception {
        send(HttpRequest.newBuilder(URI.create(broker.url() + "/api/v1/" + verb))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private static void get(RunningBroker broker, String path) throws Exception {
        send(HttpRequest.newBuilder(URI.create(broker.url() + path)).build());
    }

    private static void send(HttpRequest request) throws Exception {
        HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(request.uri() + " answers " + answer.body());
        }
    }

    private static double residentMegabytes(RunningBroker broker) throws Exception {
        return Files.readAllLines(Path.of("/proc", Long.toString(broker.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    private static Duration used(RunningBroker broker) {
        return ProcessHandle.of(broker.pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow();
    }
}
