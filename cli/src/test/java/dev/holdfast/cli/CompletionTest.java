package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is offered when somebody presses tab, in real shells. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CompletionTest {
    private final Broker broker;
    private final SampleRepository shop;
    private final String item;
    private final String review;

    CompletionTest(@TempDir Path folder) throws Exception {
        broker = Broker.start(Config.in(folder.resolve("data")));
        shop = SampleRepository.make(folder, "shop", broker.url());
        item = typed("work", "create", "Fix the $(touch /tmp/never) sum", "--label", "java")
                .out()
                .strip();
        typed("claim", "key:deploy");
        review = String.valueOf(typed("review", "create", "a plan", "--description", "x", "--json")
                .json()
                .text("review_id"));
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    private Ran typed(String... words) {
        return Ran.in(shop.folder, shop.environment, "", words);
    }

    /** The words offered behind these, the last of which is being typed. */
    private List<String> offered(String... words) {
        List<String> all = new ArrayList<>(List.of("__complete"));
        all.addAll(List.of(words));
        return typed(all.toArray(String[]::new))
                .out()
                .lines()
                .map(line -> line.split("\t", 2)[0])
                .toList();
    }

    @Test
    void commands_options_and_the_values_that_help_lists_are_offered() {
        assertThat(offered("")).contains("serve", "work", "review", "init").doesNotContain("__complete", "work list");
        assertThat(offered("work", "cl")).containsExactly("claim", "close");
        assertThat(offered("claim", "--re")).containsExactly("--request-id");
        assertThat(offered("claim", "key:a", "--ttl", "5", "--t")).containsExactly("--type");
        assertThat(offered("work", "list", "--status", ""))
                .contains("open", "deferred")
                .hasSize(5);
        assertThat(offered("work", "list", "--status=de")).containsExactly("--status=deferred");
        assertThat(offered("review", "verdict", "1234", "")).containsExactly("approve", "changes", "comment");
        assertThat(offered("completion", "")).containsExactly("bash", "zsh", "fish");
        assertThat(offered("help", "work", "sh")).containsExactly("show");
        assertThat(offered("review", "create", "x", "--diff", "")).containsExactly(":files");
        assertThat(offered("no", "such", "command", "")).isEmpty();
    }

    @Test
    void values_that_the_broker_knows_are_offered() {
        String shortReview = review.substring(0, 8);
        assertThat(offered("work", "show", "")).containsExactly(item);
        assertThat(offered("claim", "")).containsExactly(item, "key:", "path:");
        assertThat(offered("release", "")).containsExactly("key:deploy");
        assertThat(offered("release", "key:")).containsExactly("key:deploy");
        assertThat(offered("review", "show", shortReview.substring(0, 2))).containsExactly(shortReview);
        assertThat(offered("review", "show", review.substring(0, 12))).containsExactly(review);
        assertThat(offered("gate", "--propose", "--review", "")).containsExactly(shortReview);
        assertThat(offered("work", "list", "--queue", "")).containsExactly("shop");
        assertThat(offered("review", "list", "--project", "")).containsExactly("shop");
        assertThat(offered("who", "--holder", "")).containsExactly("Ann");
        assertThat(offered("work", "list", "--label", "j")).containsExactly("java");
        assertThat(offered("call", "claim_next_w")).containsExactly("claim_next_work");
        assertThat(typed("__complete", "work", "show", "").out())
                .isEqualTo(item + "\tFix the $(touch /tmp/never) sum\n");

        typed("claim", "key:läden");
        typed("claim", "key:not $(plain)");
        assertThat(offered("release", "key:l"))
                .as("letters of any script are plain")
                .containsExactly("key:läden");
        assertThat(offered("release", "key:n")).isEmpty();
        typed("release", "key:läden", "--generation", "1");
        typed("release", "key:not $(plain)", "--generation", "1");
    }

    @Test
    void without_a_broker_nothing_is_offered_and_nothing_is_said() {
        Ran alone = Ran.command(Map.of("HOLDFAST_URL", "http://127.0.0.1:1"), "__complete", "work", "show", "");
        assertThat(alone).isEqualTo(new Ran(0, "", ""));
        assertThat(Ran.command(Map.of("HOLDFAST_URL", "http://127.0.0.1:1"), "__complete", "wo")
                        .out())
                .startsWith("work\t");
    }

    @Test
    void bash_completes_ids_with_colons_too() throws Exception {
        assertThat(run("bash", "--norc", "-c", """
                source <(holdfast completion bash)
                tab() { COMP_LINE=$1 COMP_POINT=${#1}; _holdfast 2>/dev/null; printf '%s\\n' "${COMPREPLY[@]}"; }
                complete -p holdfast
                tab 'holdfast work sho'
                tab 'holdfast work show '
                tab 'holdfast release key:'
                tab 'holdfast work list --status=de'
                """))
                .isEqualTo("complete -F _holdfast holdfast\nshow\n" + item + "\ndeploy\ndeferred\n");
    }

    @Test
    void fish_completes_with_descriptions() throws Exception {
        assertThat(run("fish", "--no-config", "-c", """
                source (holdfast completion fish | psub)
                complete -C 'holdfast work sho'
                complete -C 'holdfast work show '
                complete -C 'holdfast review create x --diff READ'
                """))
                .isEqualTo("show\tShow one work item.\n" + item + "\tFix the $(touch /tmp/never) sum\nREADME\n");
    }

    /** In a terminal of its own, where a tab is pressed. */
    @Test
    void zsh_completes_on_the_line() throws Exception {
        String seen = run("zsh", "-f", "-c", """
                zmodload zsh/zpty
                zpty -b shell zsh -f -i
                await() {
                    local out all= i
                    for ((i = 0; i < 300; i++)); do
                        while zpty -r -t shell out; do all+=$out; done
                        [[ $all == *"$1"* ]] && break
                        sleep 0.1
                    done
                    print -r -- "$all"
                }
                zpty -w shell 'PS1=; autoload -Uz compinit && compinit -D -u; source <(holdfast completion zsh); print RE''ADY'
                await $'\\nREADY' >/dev/null
                zpty -n -w shell 'holdfast work show '$'\\t'
                await 'show hf-'
                zpty -d shell
                """);
        assertThat(seen).contains("holdfast work show " + item);
    }

    private String run(String shell, String... words) throws IOException, InterruptedException {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, shell))),
                shell + " is not installed");
        List<String> command = new ArrayList<>(List.of("timeout", "60", shell));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(shop.folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(shop.environment);
        builder.environment().remove("HOLDFAST_AGENT");
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return out;
    }
}
