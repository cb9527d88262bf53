package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.config.FolderConfig;
import dev.holdfast.broker.config.TrustedSettings;
import dev.holdfast.broker.config.UserFolders;
import dev.holdfast.broker.crash.BrokerProcess;
import dev.holdfast.testing.FreePort;
import dev.holdfast.testing.TestSqlite;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a hook or bridge starts is the broker that was there: never another store behind the same address. */
@Timeout(120)
class SameStoreTest {
    @TempDir
    Path folder;

    String port;
    final Map<String, String> environment = new HashMap<>();
    final List<Process> started = new ArrayList<>();

    /** Not within the time that a test may take: whoever is first makes the cache that all start with. */
    @BeforeAll
    static void warmUp() {
        BrokerProcess.java();
    }

    @BeforeEach
    void prepare() throws IOException {
        port = Integer.toString(FreePort.find());
        Files.createDirectory(folder.resolve("home"));
        Files.createDirectory(folder.resolve("project"));
        environment.put("HOME", folder.resolve("home").toString());
        TestSqlite.in(data());
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void a_claim_is_not_granted_twice_by_a_broker_that_a_hook_starts_where_another_was_killed() throws Exception {
        Process first = serve("project", "--port", port, "--data", data().toString());
        assertThat(ready(first)).contains(data().toString());
        assertThat(claim("ann")).contains("\"claim_generation\":1,");
        kill(first);

        environment.put("HOLDFAST_DATA", folder.resolve("elsewhere").toString());
        Process second = background();

        assertThat(ready(second)).contains(data().toString());
        assertThat(claim("bob")).contains("\"code\":\"held\"", "ann");
        assertThat(folder.resolve("elsewhere")).doesNotExist();
        assertThat(errors()).contains("ignores HOLDFAST_DATA");
    }

    @Test
    void the_default_store_is_that_of_home_and_xdg_also_for_root() throws Exception {
        Process broker = background();
        assertThat(ready(broker)).contains(folder.resolve("home/.local/share/holdfast") + ")");
        stop(broker);
        environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
        environment.put("XDG_DATA_HOME", folder.resolve("data-home").toString());
        assertThat(ready(background())).contains(folder.resolve("data-home/holdfast") + ")");
    }

    @Test
    void the_settings_file_that_it_had_counts_again_and_the_environment_of_whoever_starts_it_does_not()
            throws Exception {
        Path config = Files.writeString(
                folder.resolve("named.json"), "{\"store\": {\"data\": \"" + data() + "\"}, \"limits\": {\"list\": 7}}");
        stop(ready("project", "--port", port, "--config", config.toString()));

        environment.put("HOLDFAST_CONFIG", folder.resolve("none.json").toString());
        assertThat(ready(background())).contains(data().toString());
        assertThat(errors()).contains("uses " + config);
    }

    @Test
    void a_folders_settings_count_again_only_as_far_as_they_are_trusted() throws Exception {
        Path file = Files.createDirectory(folder.resolve("project/.holdfast")).resolve("config.json");
        Files.writeString(
                file, "{\"store\": {\"data\": \"" + data() + "\"}, \"reviewer_pool\": {\"engine\": \"rules\"}}");
        new TrustedSettings(folders()).add(FolderConfig.at(file));
        stop(ready("project", "--port", port));
        Process again = background();
        assertThat(ready(again)).contains(data().toString());
        assertThat(errors()).contains("the reviewer pool is on");
        stop(again);

        Files.writeString(file, "{\"store\": {\"data\": \"/dev/null/x\"}, \"reviewer_pool\": {\"engine\": \"codex\"}}");
        assertThat(ready(background())).contains(data().toString());
        assertThat(errors()).contains("the reviewer pool is off", "takes effect only once you trust it");
    }

    @Test
    void where_the_store_is_gone_none_is_made_in_its_place() throws Exception {
        stop(ready("project", "--port", port, "--data", data().toString()));
        Files.move(data(), folder.resolve("moved"));

        Process refused = background();
        assertThat(refused.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(refused.exitValue()).isEqualTo(1);
        assertThat(errors()).contains("served the store in " + data() + ", which is gone", "holdfast serve");
        assertThat(data()).doesNotExist();

        assertThat(ready(serve("project", "--port", port))).contains(".local/share/holdfast");
        assertThat(errors()).contains("until now, http://127.0.0.1:" + port + " served SQLite in " + data());
    }

    @Test
    void where_it_is_found_is_written_for_its_user_alone_and_a_second_one_on_the_store_learns_it() throws Exception {
        Process first = ready("project", "--port", port, "--data", data().toString());
        Path run = folder.resolve("home/.local/state/holdfast/broker-127.0.0.1-" + port + ".json");
        for (Path file : List.of(run, data().resolve("holdfast.broker.json"))) {
            assertThat(Files.readString(file))
                    .contains("\"url\" : \"http://127.0.0.1:" + port, "\"pid\" : " + first.pid());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        Process second = serve("project", "--port", "0", "--data", data().toString());
        assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(errors()).contains("another broker is using", "The other broker is at http://127.0.0.1:" + port);
        stop(first);
        assertThat(run).exists();
        assertThat(data().resolve("holdfast.broker.json")).doesNotExist();

        Process picked = ready("project", "--port", "0", "--data", data().toString());
        assertThat(records()).hasSize(2);
        kill(picked);
        stop(ready("project", "--port", "0", "--data", data().toString()));
        assertThat(records()).containsExactly(run);
    }

    @Test
    void a_password_is_not_kept_and_without_it_nothing_else_is_started() throws Exception {
        Path state = folders().state();
        ServeSettings by =
                new ServeSettings(Map.of("HOLDFAST_DATABASE", "postgres://ann:fish@db:5432/x"), folder, folders());
        by.served(by.config(List.of("--port", port)), "http://127.0.0.1:" + port, Instant.EPOCH)
                .write(state);
        assertThat(Files.readString(records().getFirst()))
                .contains("postgres://ann@db:5432/x")
                .doesNotContain("fish");

        Process refused = background();
        assertThat(refused.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(errors()).contains("served postgres://ann@db:5432/x", "HOLDFAST_DATABASE");
        ServeSettings again = new ServeSettings(
                Map.of("HOLDFAST_DATABASE", "postgres://ann:fish@db:5432/x", "HOLDFAST_DATA", "/x"), folder, folders());
        assertThat(again.config(List.of("--background", "--host", "127.0.0.1", "--port", port))
                        .store()
                        .database())
                .isEqualTo("postgres://ann:fish@db:5432/x");
    }

    @Test
    void config_show_says_where_each_setting_is_from_and_no_secret() throws Exception {
        Path own =
                Files.createDirectories(folder.resolve("home/.config/holdfast")).resolve("config.json");
        Files.writeString(own, "{\"limits\": {\"list\": 7}, \"store\": {\"database\": \"postgres://a:fish@db/x\"}}");
        String shown = shown("--port", port);
        assertThat(shown)
                .containsPattern("limits.list = 7 +" + own)
                .containsPattern("server.port = " + port + " +--port")
                .containsPattern("server.host = \"127.0.0.1\" +default")
                .containsPattern("store.database = \"postgres://a@db/x\" +" + own)
                .contains("no broker has been at this address")
                .doesNotContain("fish");
        Files.delete(own);
        stop(ready("project", "--port", port, "--data", data().toString()));
        assertThat(shown("--background", "--port", port, "--json"))
                .contains(
                        "\"store.data\":{\"source\":\"the broker that was here before\",\"value\":\"" + data() + "\"}")
                .contains("\"running\":false");
    }

    private String shown(String... flags) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<String> words = new ArrayList<>(List.of("show"));
        words.addAll(List.of(flags));
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertThat(new ConfigCommand(new CommandContext(
                                Map.of(), folder.resolve("project"), folders(), () -> 0, printed, printed))
                        .run(words))
                .isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    private UserFolders folders() {
        Path home = folder.resolve("home");
        return new UserFolders(
                home.resolve(".local/share/holdfast"),
                home.resolve(".config/holdfast"),
                home.resolve(".local/state/holdfast"));
    }

    private List<Path> records() throws IOException {
        try (var files = Files.list(folders().state())) {
            return files.filter(file -> file.getFileName().toString().startsWith("broker-"))
                    .toList();
        }
    }

    private Path data() {
        return folder.resolve("its-data");
    }

    private Process background() throws IOException {
        return serve("home", "--host", "127.0.0.1", "--port", port, "--background");
    }

    private Process ready(String where, String... flags) throws IOException {
        Process process = serve(where, flags);
        ready(process);
        return process;
    }

    private static String ready(Process process) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        return String.valueOf(out.readLine());
    }

    private Process serve(String where, String... flags) throws IOException {
        List<String> command = new ArrayList<>(BrokerProcess.java());
        command.add(ServeCommand.class.getName());
        command.addAll(List.of(flags));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.resolve(where).toFile())
                .redirectError(folder.resolve("errors").toFile());
        builder.environment()
                .keySet()
                .removeIf(
                        name -> name.startsWith("HOLDFAST_") || name.startsWith("BROKER_") || name.startsWith("XDG_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }

    private static void stop(Process process) throws InterruptedException {
        process.toHandle().destroy();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }

    private String errors() throws IOException {
        return Files.readString(folder.resolve("errors"));
    }

    private String claim(String holder) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/claim"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"resource\": \"key:deploy\", \"holder\": \"" + holder + "\"}"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }
}
