package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.broker.crash.BrokerProcess;
import dev.holdfast.testing.OtherUser;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a broker leaves on the disk, as a process whose umask would let everybody read and write it. */
@Timeout(120)
class PrivateDataTest {
    private static final Set<PosixFilePermission> EVERYBODY = PosixFilePermissions.fromString("rwxr-xr-x");

    @TempDir
    private Path folder;

    private @Nullable Process broker;

    @BeforeEach
    void letOthersIn() throws IOException {
        Files.setPosixFilePermissions(folder, EVERYBODY);
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (broker != null) {
            broker.destroy();
            assertThat(broker.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Starts one and returns what it said before it was ready. */
    private List<String> serve(Path data) throws IOException {
        Path config = Files.writeString(folder.resolve("config.json"), """
                {"reviewer_pool": {"engine": "command", "command": ["sh", "-c", "echo hello; exec sleep 60"],
                                   "spawn_cooldown_seconds": 1}}""");
        List<String> command = new ArrayList<>(List.of("sh", "-c", "umask 000; exec \"$0\" \"$@\""));
        command.addAll(BrokerProcess.java());
        command.addAll(List.of(ServeCommand.class.getName(), "--port", "0"));
        command.addAll(List.of("--data", data.toString(), "--config", config.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(folder.resolve("errors").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        Process started = builder.start();
        broker = started;
        BufferedReader out = started.inputReader(StandardCharsets.UTF_8); // in tests it logs there
        List<String> said = new ArrayList<>();
        String ready = out.readLine();
        while (ready != null && !ready.startsWith("holdfast is ready on ")) {
            said.add(ready);
            ready = out.readLine();
        }
        said.addAll(Files.readAllLines(folder.resolve("errors")));
        assertThat(ready).as(said.toString()).isNotNull();
        try (BrokerClient caller = new BrokerClient(ready.split(" ")[4])) {
            caller.call("claim", "resource", "key:deploy", "holder", "ann");
            // refused at first if the broker before this one spawned its reviewer less than a second ago
            await().until(() -> caller.call("spawn_reviewer").status() == 200);
        }
        await().until(() -> !reviewerLogs(data).isEmpty());
        return said;
    }

    private static List<Path> reviewerLogs(Path data) throws IOException {
        return all(data).stream()
                .filter(file -> file.toString().endsWith(".jsonl"))
                .toList();
    }

    private static List<Path> all(Path data) throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            return all.toList();
        }
    }

    private static void isClosed(Path data) throws IOException {
        List<Path> all = all(data);
        assertThat(all)
                .extracting(file -> data.relativize(file).toString())
                .contains("", "holdfast.db", "holdfast.db-wal", "holdfast.db-shm", "holdfast.lock", "reviewer-logs");
        for (Path file : all) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .as(file.toString())
                    .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
        }
    }

    @Test
    void the_data_folder_the_store_and_the_logs_of_reviewers_are_closed_to_others_from_the_start() throws Exception {
        Path data = folder.resolve("data");
        List<String> said = serve(data);
        isClosed(data);
        assertThat(said).noneMatch(line -> line.contains("other users could read"));
    }

    @Test
    void a_data_folder_that_others_could_read_is_closed_at_start_and_one_line_says_so() throws Exception {
        Path data = folder.resolve("data");
        serve(data);
        stop();
        for (Path file : all(data)) {
            Files.setPosixFilePermissions(file, EVERYBODY);
        }
        List<String> said = serve(data);
        isClosed(data);
        assertThat(said.stream().filter(line -> line.contains(data + " ")))
                .singleElement()
                .asString()
                .endsWith("other users could read " + data + " (rwxr-xr-x); now they cannot");
    }

    @Test
    void another_user_of_the_machine_can_read_none_of_it() throws Exception {
        assumeTrue(OtherUser.isThere(), OtherUser.WHY_NOT);
        Path data = folder.resolve("data");
        serve(data);
        assertThat(OtherUser.run("ls", folder.toString()).exitCode())
                .as("it can get that far")
                .isZero();
        assertThat(OtherUser.run("ls", data.toString()).exitCode()).isNotZero();
        for (Path file : all(data)) {
            assertThat(OtherUser.run("cat", file.toString()).exitCode())
                    .as(file.toString())
                    .isNotZero();
        }
    }
}
