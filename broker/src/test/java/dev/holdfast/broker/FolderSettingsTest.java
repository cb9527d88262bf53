package dev.holdfast.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.broker.config.Config;
import dev.holdfast.broker.config.ConfigException;
import dev.holdfast.broker.config.UserFolders;
import dev.holdfast.claim.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a working folder's own settings may do, before and after {@code holdfast trust}. */
class FolderSettingsTest {
    private static final String HOSTILE = """
            {"server": {"port": 666, "host": "0.0.0.0"}, "store": {"data": "theirs", "database": "postgres://evil/x"},
             "leases": {"work_seconds": 600, "review_seconds": 1},
             "reviews": {"require_fence": "managed", "workspace": "/"},
             "reviewer_pool": {"engine": "command", "command": ["sh", "-c", "id"], "environment": ["AWS_SECRET"]},
             "tasks": {"webhook_hosts": "evil.example", "webhook_secret": "s"}, "retention": {"reviews_days": 1},
             "limits": {"body_bytes": 1024}}""";

    @TempDir
    Path temporary;

    Path folder;
    Path home;
    Path file;

    @BeforeEach
    void prepare() throws IOException {
        folder = Files.createDirectory(temporary.toRealPath().resolve("a clone's"));
        home = Files.createDirectory(temporary.toRealPath().resolve("home"));
        file = folder.resolve(".holdfast/config.json");
    }

    /** What was printed, and the exit code. */
    private record Ran(int exitCode, String out, String err) {}

    @Test
    void of_an_untrusted_file_only_what_is_harmless_counts() throws IOException {
        write(file, HOSTILE);
        ServeSettings serveSettings = serveSettings(folder);

        Config config = serveSettings.config(List.of());

        Config without = serveSettings(home).config(List.of());
        assertThat(config.leases().byKind())
                .containsEntry(Kind.WORK, Duration.ofMinutes(10))
                .containsEntry(Kind.REVIEW, without.leases().byKind().get(Kind.REVIEW));
        assertThat(config.server()).isEqualTo(without.server());
        assertThat(config.store()).isEqualTo(without.store());
        assertThat(config.pool()).isNull();
        assertThat(config.reviews().requireFence()).isEqualTo(without.reviews().requireFence());
        assertThat(config.reviews().workspace()).isEqualTo(folder);
        assertThat(config.tasks()).isEqualTo(without.tasks());
        assertThat(config.retention()).isEqualTo(without.retention());
        assertThat(config.limits()).isEqualTo(without.limits());
        assertThat(serveSettings.notices())
                .singleElement()
                .asString()
                .contains(
                        "server.host, server.port, store.data, store.database, leases.review_seconds,",
                        "reviewer_pool.command",
                        "holdfast trust '" + folder.toString().replace("'", "'\\''") + "/.holdfast/config.json'")
                .doesNotContain("work_seconds");
    }

    @Test
    void an_empty_section_of_the_pool_starts_no_reviewers_without_trust() throws IOException {
        write(file, "{\"reviewer_pool\": {}}");
        ServeSettings serveSettings = serveSettings(folder);

        assertThat(serveSettings.config(List.of()).pool()).isNull();
        assertThat(serveSettings.notices()).singleElement().asString().contains("without reviewer_pool, because");

        assertThat(trust("--yes").out()).contains("  reviewer_pool = {}");
        assertThat(serveSettings(folder).config(List.of()).pool()).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {".holdfast/config.json", ".planning/config.json"})
    void trusted_it_counts_whole_until_a_single_byte_changes(String name) throws IOException {
        file = folder.resolve(name);
        write(file, "{\"reviewer_pool\": {\"engine\": \"command\", \"command\": [\"/bin/true\"]}}");
        assertThat(serveSettings(folder).config(List.of()).pool()).isNull();

        assertThat(trust("--yes").exitCode()).isZero();
        ServeSettings serveSettings = serveSettings(folder);
        assertThat(Objects.requireNonNull(serveSettings.config(List.of()).pool())
                        .engine()
                        .command())
                .containsExactly("/bin/true");
        assertThat(serveSettings.notices()).containsExactly("uses " + file + ", which you trust");

        Files.writeString(file, Files.readString(file) + " ");
        assertThat(serveSettings(folder).config(List.of()).pool()).isNull();

        assertThat(trust("--yes").exitCode()).isZero();
        assertThat(trust("--list").out().lines())
                .hasSize(2)
                .filteredOn(line -> line.contains("changed"))
                .hasSize(1);
        assertThat(trust("--revoke", file.toString()).exitCode()).isZero();
        assertThat(trust("--list").out()).isEqualTo("you have not trusted any settings file\n");
        assertThat(serveSettings(folder).config(List.of()).pool()).isNull();
        assertThat(trust("--revoke", file.toString()).exitCode()).isEqualTo(4);
    }

    @Test
    void the_same_content_elsewhere_is_not_trusted() throws IOException {
        write(file, "{\"server\": {\"port\": 2}}");
        trust("--yes");
        Path other = Files.createDirectory(temporary.resolve("other"));
        write(other.resolve(".holdfast/config.json"), Files.readString(file));

        assertThat(serveSettings(folder).config(List.of()).server().port()).isEqualTo(2);
        assertThat(serveSettings(other).config(List.of()).server().port()).isEqualTo(8321);
    }

    /** Else a clone could take the trust of another folder, whose relative paths would then be its own. */
    @ParameterizedTest
    @ValueSource(strings = {"config.json", "."})
    void a_link_to_a_trusted_file_is_not_trusted(String what) throws IOException {
        write(file, "{\"server\": {\"port\": 2}, \"leases\": {\"work_seconds\": 600}}");
        trust("--yes");
        Path other = Files.createDirectory(temporary.resolve("other"));
        Path link = other.resolve(".holdfast").resolve(what).normalize();
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, folder.resolve(".holdfast").resolve(what).normalize());
        ServeSettings serveSettings = serveSettings(other);

        Config config = serveSettings.config(List.of());

        assertThat(config.server().port()).isEqualTo(8321);
        assertThat(config.leases().byKind()).containsEntry(Kind.WORK, Duration.ofMinutes(45));
        assertThat(serveSettings.notices()).first().asString().contains("is a link to " + file, "--config");
        assertThat(trust(other, "--yes").exitCode()).isEqualTo(2);
    }

    @Test
    void what_is_no_plain_file_or_too_long_or_broken_stops_nothing_and_counts_for_nothing() throws Exception {
        Files.createDirectories(file);
        assertLeftOut("is not a regular file");
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        assertLeftOut("is not a regular file");
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("/dev/zero"));
        assertLeftOut("is a link");
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("nowhere"));
        assertLeftOut("no such file");
        Files.delete(file);
        Files.writeString(file, "{\"leases\": {\"work_seconds\": 1}}" + " ".repeat(1 << 20));
        assertLeftOut("is longer than");
        Files.writeString(file, "{\"leases\": {\"work_seconds\": 1}, \"leases\": {}}");
        assertLeftOut("not valid JSON");
        Files.writeString(file, "{\"leases\": {\"work_seconds\": 1}, \"\\u001b[2Jsever\": {}}");
        assertLeftOut("no such section");
        assertThat(trust("--yes").err()).contains("\\u001b[2Jsever").doesNotContain("\u001b");
    }

    private void assertLeftOut(String reason) {
        ServeSettings serveSettings = serveSettings(folder);
        assertThat(serveSettings.config(List.of()).leases().byKind()).containsEntry(Kind.WORK, Duration.ofMinutes(45));
        assertThat(serveSettings.notices())
                .first()
                .asString()
                .startsWith(file.toString())
                .contains(reason);
        assertThat(serveSettings.notices()).last().isEqualTo("ignores " + file);
        assertThat(trust("--yes").exitCode()).isEqualTo(2);
    }

    @Test
    void who_is_asked_sees_every_setting_and_nothing_that_a_terminal_obeys() throws IOException {
        write(
                file,
                "{\"reviewer_pool\": {\"engine\": \"command\", \"command\": [\"sh\", \"-c\", \"id\\u001b[1A\\u009b2K\\u202e\\n#\"],"
                        + " \"max_pool_size\": 2}, \"leases\": {\"key_seconds\": 5}}");

        Ran no = answering("n");

        assertThat(no.exitCode()).isEqualTo(1);
        assertThat(no.out())
                .contains(
                        "  leases.key_seconds = 5\n",
                        "  reviewer_pool.engine = \"command\"\n",
                        "  reviewer_pool.command = [\"sh\",\"-c\",\"id\\u001B[1A\\u009b2K\\u202e\\n#\"]\n",
                        "  reviewer_pool.max_pool_size = 2\n")
                .matches(text -> text.chars().allMatch(c -> c == '\n' || (c >= ' ' && c < 127)));
        assertThat(serveSettings(folder).config(List.of()).pool()).isNull();
        assertThat(answering("").exitCode()).isEqualTo(1);
        assertThat(trust().exitCode()).isEqualTo(2);
        assertThat(trust().err()).contains("no terminal", "--yes");
        assertThat(trust("--list").out()).isEqualTo("you have not trusted any settings file\n");
        assertThat(answering("y").out()).contains("Trusted.", "restart it there: holdfast stop, then holdfast serve");
        assertThat(answering("n").out()).contains("You trust it already");
        assertThat(serveSettings(folder).config(List.of()).pool()).isNotNull();
    }

    /** The question is asked about the bytes that were shown, whatever is in the file when it is answered. */
    @Test
    void what_is_trusted_is_what_was_shown() throws IOException {
        write(file, "{\"server\": {\"port\": 2}}");

        run(folder, question -> {
            write(file, "{\"server\": {\"port\": 3}}");
            return Optional.of("y");
        });

        assertThat(serveSettings(folder).config(List.of()).server().port()).isEqualTo(8321);
        write(file, "{\"server\": {\"port\": 2}}");
        assertThat(serveSettings(folder).config(List.of()).server().port()).isEqualTo(2);
    }

    @Test
    void trust_is_kept_where_only_the_user_can_write_and_counts_only_there() throws IOException {
        write(file, "{\"server\": {\"port\": 2}}");
        trust("--yes");
        Path kept = home.resolve("state/trusted");

        assertThat(Files.getPosixFilePermissions(kept)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        try (Stream<Path> entries = Files.list(kept)) {
            assertThat(entries)
                    .singleElement()
                    .satisfies(entry -> assertThat(Files.getPosixFilePermissions(entry))
                            .isEqualTo(PosixFilePermissions.fromString("rw-------")));
        }
        Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rwxrwx---"));
        assertThatThrownBy(() -> serveSettings(folder).config(List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("other users can write here");
    }

    @Test
    void what_is_trusted_is_one_list_for_programs_too() throws IOException {
        assertThat(trust("--list", "--json").out()).isEqualTo("{\"trusted\":[]}\n");
        Path file = folder.resolve(".holdfast/config.json");
        write(file, "{\"reviewer_pool\": {\"engine\": \"command\", \"command\": [\"/bin/true\"]}}");
        Ran unasked = trust("--json");
        assertThat(unasked.exitCode()).isEqualTo(2);
        assertThat(unasked.out()).contains("\"code\":\"invalid\"", "use --yes if you trust it");
        Ran given = trust("--yes", "--json");
        assertThat(given.exitCode()).as(given.out() + given.err()).isZero();
        assertThat(JsonMapper.shared().readTree(given.out()).path("trusted").asBoolean())
                .isTrue();
        JsonNode listed = JsonMapper.shared().readTree(trust("--json", "--list").out());
        assertThat(listed.path("trusted")).hasSize(1);
        assertThat(listed.at("/trusted/0/file").asString())
                .isEqualTo(file.toRealPath().toString());
        assertThat(listed.at("/trusted/0/sha256").asString()).hasSize(64);
        assertThat(listed.at("/trusted/0/current").asBoolean()).isTrue();
        assertThat(trust("--revoke", "--json").out()).contains("\"trusted\":false");
        Ran gone = trust("--revoke", "--json");
        assertThat(gone.exitCode()).isEqualTo(4);
        assertThat(gone.out()).contains("\"code\":\"not_found\"");
    }

    @Test
    void files_without_anything_to_trust_and_files_of_other_names_are_told_apart() throws IOException {
        assertThat(trust().exitCode()).isEqualTo(4);
        write(file, "{\"leases\": {\"work_seconds\": 600}}");
        assertThat(trust().out()).contains("nothing that needs trust");
        write(folder.resolve("other.json"), "{}");
        assertThat(trust("other.json").exitCode()).isEqualTo(2);
        assertThat(trust("other.json").err()).contains("--config");
        assertThat(trust("--sure").exitCode()).isEqualTo(2);
        assertThat(trust("--list", "x").exitCode()).isEqualTo(2);
    }

    @Test
    void the_folders_settings_beat_the_users_one_by_one() throws IOException {
        write(home.resolve("config/config.json"), """
                {"server": {"port": 1}, "leases": {"work_seconds": 60, "key_seconds": 70, "review_seconds": 500},
                 "reviewer_pool": {"engine": "command", "command": ["/bin/false"], "model": "o3", "max_pool_size": 1,
                                   "limits": {"spawns_per_day": 3}}}""");
        write(file, """
                {"leases": {"work_seconds": 600},
                 "reviewer_pool": {"engine": "claude", "claim_timeout_seconds": 300}}""");

        Config untrusted = serveSettings(folder).config(List.of());
        trust("--yes");
        Config trusted = serveSettings(folder).config(List.of());

        assertThat(untrusted.server().port()).isEqualTo(1);
        assertThat(untrusted.leases().byKind())
                .containsEntry(Kind.WORK, Duration.ofMinutes(10))
                .containsEntry(Kind.KEY, Duration.ofSeconds(70))
                .containsEntry(Kind.REVIEW, Duration.ofSeconds(500));
        assertThat(Objects.requireNonNull(untrusted.pool()).engine().command()).containsExactly("/bin/false");
        assertThat(trusted.leases().byKind()).containsEntry(Kind.REVIEW, Duration.ofMinutes(5));
        assertThat(Objects.requireNonNull(trusted.pool()).engine().name()).isEqualTo("claude");
        assertThat(trusted.pool().engine().command()).isEmpty();
        assertThat(trusted.pool().model().name()).isEqualTo("sonnet");
        assertThat(trusted.pool().size().max()).isEqualTo(1);
        assertThat(trusted.pool().limits().spawnsPerDay()).isEqualTo(3);
    }

    @Test
    void a_file_that_the_user_names_is_the_users_own_word() throws IOException {
        write(file, "{\"server\": {\"port\": 2}}");
        assertThat(serveSettings(folder)
                        .config(List.of("--config", ".holdfast/config.json"))
                        .server()
                        .port())
                .isEqualTo(2);
    }

    @Test
    void a_broker_in_the_background_has_the_users_settings_only_and_no_workspace() throws IOException {
        write(home.resolve("config/config.json"), "{\"server\": {\"port\": 1}}");
        write(file, "{\"server\": {\"port\": 2}, \"leases\": {\"work_seconds\": 600}}");
        trust("--yes");

        Config config = serveSettings(folder).config(List.of("--background"));

        assertThat(config.server().port()).isEqualTo(1);
        assertThat(config.leases().byKind()).containsEntry(Kind.WORK, Duration.ofMinutes(45));
        assertThat(config.reviews().workspace()).isNull();
        write(home.resolve("config/config.json"), "{\"reviewer_pool\": {}}");
        assertThatThrownBy(() -> serveSettings(folder).config(List.of("--background")))
                .hasMessageContaining("reviewer_pool.workspace_path: missing");
        assertThatThrownBy(() -> serveSettings(folder).config(List.of("--background=yes")))
                .hasMessageContaining("takes no value");
    }

    private ServeSettings serveSettings(Path where) {
        return new ServeSettings(Map.of(), where, folders());
    }

    private UserFolders folders() {
        return new UserFolders(home.resolve("data"), home.resolve("config"), home.resolve("state"));
    }

    private interface Asking {
        Optional<String> ask(String question) throws IOException;
    }

    private Ran trust(String... words) {
        return trust(folder, words);
    }

    private Ran trust(Path where, String... words) {
        return run(where, _ -> Optional.empty(), words);
    }

    private Ran answering(String answer) {
        return run(folder, _ -> Optional.of(answer));
    }

    private Ran run(Path where, Asking asking, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = new TrustCommand(
                        new CommandContext(
                                Map.of(),
                                where,
                                folders(),
                                () -> 0,
                                new PrintStream(out, true, StandardCharsets.UTF_8),
                                new PrintStream(err, true, StandardCharsets.UTF_8)),
                        question -> {
                            try {
                                return asking.ask(question);
                            } catch (IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                        })
                .run(List.of(words));
        return new Ran(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }
}
