package dev.holdfast.broker.pool.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.broker.pool.engine.EchoProgram.Given;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever stands in project names, paths, prompts and config reaches the program as it is: nothing expands it. */
@Timeout(120)
class NoShellTest {
    /** A folder may be called so; a shell would do something at nearly every character. */
    private static final String HOSTILE =
            "x $(touch PWNED) `touch PWNED`; touch PWNED & touch PWNED | touch PWNED > PWNED \"'\\ * ? ~ $HOME ${HOME} %PATH% !1 #";

    private static final Map<String, String> BROKER = System.getenv();

    @TempDir
    Path folder;

    static Stream<ReviewerEngine> engines() {
        return Stream.of(
                new Codex("codex", Map.of("model_provider", HOSTILE), Set.of(), new Platform.Native()),
                new Claude("claude", Set.of()),
                new Command(
                        List.of(
                                "reviewer",
                                HOSTILE,
                                "--project={project}",
                                "{workspace}",
                                "{display_name} of {project}",
                                "{\"not\": \"a placeholder\"}"),
                        Set.of()));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void no_metacharacter_is_expanded(ReviewerEngine engine) throws Exception {
        Path workspace = Files.createDirectory(folder.resolve(HOSTILE));
        String prompt = HOSTILE + "\nsecond line\n{project} é 漢字";
        Launch launch = engine.launch(LaunchSpecs.with(LaunchSpecs.in(workspace), "shop", HOSTILE, prompt));

        Given given = EchoProgram.insteadOf(launch, BROKER);

        assertThat(given.arguments())
                .isEqualTo(launch.argv().subList(1, launch.argv().size()));
        assertThat(given.folder()).isEqualTo(workspace.toString());
        assertThat(given.stdin()).isEqualTo(prompt);
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files).containsExactlyInAnyOrder(folder, workspace);
        }
    }

    @Test
    void a_placeholder_fills_one_word_and_is_not_filled_again() {
        Launch launch = new Command(List.of("reviewer", "--for={display_name}"), Set.of())
                .launch(LaunchSpecs.with(LaunchSpecs.in(folder), "shop", "{workspace} --force", "prompt"));

        assertThat(launch.argv()).containsExactly("reviewer", "--for={workspace} --force");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-c", "--model", "Shop", "a b", "", "a\nb", "../shop", "@file"})
    void a_project_is_its_key_and_nothing_else(String project) {
        assertThatThrownBy(() -> LaunchSpecs.with(LaunchSpecs.in(folder), project, "r1", "prompt"))
                .isInstanceOf(UnusableLaunchException.class)
                .hasMessageContaining("project");
    }

    @Test
    void no_value_makes_an_option_of_a_word() {
        LaunchSpec spec = LaunchSpecs.with(LaunchSpecs.in(folder), "shop", "--force", "prompt");

        assertThat(new Command(List.of("reviewer", "-n{display_name}", "of {display_name}"), Set.of())
                        .launch(spec)
                        .argv())
                .containsExactly("reviewer", "-n--force", "of --force");
        assertThatThrownBy(() -> new Command(List.of("reviewer", "{display_name}"), Set.of()).launch(spec))
                .isInstanceOf(UnusableLaunchException.class)
                .hasMessageContaining("option");
    }

    @ParameterizedTest
    @ValueSource(strings = {"./review", "bin/review", "../review", "bin\\review.exe", "~/review"})
    void a_program_is_never_a_file_of_the_project(String program) {
        assertThatThrownBy(() -> new Command(List.of(program), Set.of())).hasMessageContaining("full path");
        assertThatThrownBy(() -> new Claude(program, Set.of())).hasMessageContaining("full path");
        assertThatThrownBy(() -> new Codex(program, Map.of(), Set.of(), new Platform.Native()))
                .hasMessageContaining("full path");
    }

    @Test
    void the_classes_of_the_rules_are_the_brokers_wherever_they_run() {
        String own = System.getProperty("java.class.path");
        try {
            System.setProperty("java.class.path", "lib/a.jar::/opt/b.jar");
            assertThat(new RuleReviewers(Set.of())
                            .launch(LaunchSpecs.in(folder))
                            .argv())
                    .contains(Path.of("lib/a.jar").toAbsolutePath() + ":"
                            + Path.of("").toAbsolutePath() + ":/opt/b.jar");
        } finally {
            System.setProperty("java.class.path", own);
        }
    }

    @Test
    void the_path_leads_into_no_project() {
        Launch launch = new Command(List.of("reviewer"), Set.of()).launch(LaunchSpecs.in(folder));

        assertThat(launch.environment(Map.of("PATH", ".:/usr/bin::node_modules/.bin:/bin")))
                .containsEntry("PATH", "/usr/bin:/bin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$(id)", "-c", "--model", "a b", "a;b", "", "a\nb", "a`b`", "a\"b"})
    void a_model_is_a_name_and_nothing_else(String model) {
        assertThatThrownBy(() -> LaunchSpecs.withModel(LaunchSpecs.in(folder), model, "high"))
                .isInstanceOf(UnusableLaunchException.class)
                .hasMessageContaining("model");
        assertThatThrownBy(() -> LaunchSpecs.withModel(LaunchSpecs.in(folder), "gpt-5", model))
                .isInstanceOf(UnusableLaunchException.class)
                .hasMessageContaining("effort");
    }

    @ParameterizedTest
    @ValueSource(strings = {"review.bat", "C:\\tools\\codex.CMD"})
    void batch_files_are_not_started(String program) {
        assertThatThrownBy(() -> new Command(List.of(program, "x"), Set.of()).launch(LaunchSpecs.in(folder)))
                .hasMessageContaining("batch files");
    }

    @Test
    void a_word_with_nul_is_refused() {
        assertThatThrownBy(() -> new Command(List.of("reviewer", "a\0b"), Set.of()).launch(LaunchSpecs.in(folder)))
                .hasMessageContaining("NUL");
    }

    @ParameterizedTest
    @MethodSource("engines")
    void the_token_is_in_the_environment_and_nowhere_else(ReviewerEngine engine) throws Exception {
        Launch launch = engine.launch(LaunchSpecs.in(folder));

        Given given = EchoProgram.insteadOf(launch, BROKER);

        assertThat(given.environment()).containsEntry("HOLDFAST_TOKEN", LaunchSpecs.TOKEN);
        assertThat(given.arguments()).noneMatch(word -> word.contains(LaunchSpecs.TOKEN));
        assertThat(given.stdin()).doesNotContain(LaunchSpecs.TOKEN);
        assertThat(launch.toString() + LaunchSpecs.in(folder)).doesNotContain(LaunchSpecs.TOKEN);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void the_brokers_secrets_stay_with_the_broker(ReviewerEngine engine) throws Exception {
        Map<String, String> broker = Map.of(
                "Path",
                "/usr/bin",
                "HOME",
                "/home/me",
                "HOLDFAST_DATABASE",
                "postgres://me:secret@db/x",
                "AWS_KEY",
                "k");

        Given given = EchoProgram.insteadOf(engine.launch(LaunchSpecs.in(folder)), broker);

        assertThat(given.environment())
                .containsEntry("HOME", "/home/me")
                .containsEntry("Path", "/usr/bin")
                .doesNotContainKeys("HOLDFAST_DATABASE", "AWS_KEY");
    }

    @Test
    void what_the_config_hands_on_is_handed_on() throws Exception {
        ReviewerEngine engine = new Command(List.of("reviewer"), Set.of("MODEL_KEY"));

        Given given =
                EchoProgram.insteadOf(engine.launch(LaunchSpecs.in(folder)), Map.of("MODEL_KEY", "k", "OTHER", "o"));

        assertThat(given.environment()).containsEntry("MODEL_KEY", "k").doesNotContainKey("OTHER");
    }
}
