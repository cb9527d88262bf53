package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.config.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the commands of a page are typed: a repository named shop with unsaved and staged work, a broker, and whatever the pages
 * take for granted: the review 3f2c, the work item hf-3k9x, the task 3f2a9c.
 */
final class DocumentedStage implements AutoCloseable {
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");
    private static final Pattern GENERATION = Pattern.compile("--generation \\d+");
    private static final String PLAN = "{\"name\": \"release\", \"namespace\": \"%s\","
            + " \"steps\": [{\"key\": \"build\"}, {\"key\": \"test\", \"depends_on\": [\"build\"]}]}";

    private final Broker broker;
    private final SampleRepository shop;
    private final Map<String, String> environment;
    private int changes;
    private String task = "";
    private String item = "hf-3k9x";

    private DocumentedStage(Broker broker, SampleRepository shop) {
        this.broker = broker;
        this.shop = shop;
        environment = new HashMap<>(shop.environment);
    }

    static DocumentedStage build(Path folder) throws Exception {
        Broker broker = Broker.start(Config.in(folder.resolve("data")));
        SampleRepository shop = SampleRepository.make(folder, "shop", broker.url());
        Installed.in(folder.resolve("bin"));
        shop.git(
                "clone",
                "-q",
                "--bare",
                shop.folder.toString(),
                folder.resolve("origin.git").toString());
        shop.git("remote", "add", "origin", folder.resolve("origin.git").toString());
        shop.git("fetch", "-q", "origin");
        DocumentedStage stage = new DocumentedStage(broker, shop);
        shop.write(".beads/issues.jsonl", "{\"id\": \"bd-1\", \"title\": \"one\", \"status\": \"open\"}\n");
        shop.write("plan.json", PLAN.formatted("plan"));
        shop.write(".holdfast/config.json", "{\"reviewer_pool\": {\"engine\": \"rules\"}}");
        Path home = Path.of(stage.environment.get("HOME"));
        Files.createDirectories(home.resolve(".local/share/bash-completion/completions"));
        Files.createDirectories(home.resolve(".config/fish/completions"));
        Files.createDirectories(home.resolve("src"));
        Files.createSymbolicLink(home.resolve("src/shop"), shop.folder);
        Files.createSymbolicLink(shop.folder.resolve("your-repository"), shop.folder);
        stage.as("alice", "work", "create", "Parse dates", "--id", "hf-3k9x", "--queue", "shop");
        stage.as("alice", "work", "create", "Before it", "--id", "hf-77ab", "--queue", "shop");
        stage.as("alice", "work", "create", "Of beads", "--id", "bd-42", "--queue", "shop");
        return stage;
    }

    @Override
    public void close() {
        broker.close();
    }

    /** In this JVM, as this agent. */
    private Ran as(String agent, String... words) {
        Map<String, String> own = new HashMap<>(environment);
        own.put("HOLDFAST_AGENT", agent);
        return Ran.in(shop.folder, own, "", words);
    }

    private Ran done(String agent, String... words) {
        Ran ran = as(agent, words);
        assertThat(ran.exitCode())
                .as(String.join(" ", words) + ran.out() + ran.err())
                .isZero();
        return ran;
    }

    Ran run(DocumentedCommand command) throws Exception {
        Matcher export = Pattern.compile("export (\\w+)=(\\w+)").matcher(command.text());
        if (export.matches()) {
            environment.put(export.group(1), export.group(2));
            return new Ran(0, "", "");
        }
        DocumentedCommand ready = new DocumentedCommand(prepared(command), command.comment());
        Ran ran = ready.needsShell() ? inShell(ready.text()) : inThisJvm(ready.text());
        if (ready.text().startsWith("holdfast task create") && ran.exitCode() == 0) {
            task = ran.out().split(" ", 2)[0];
        }
        if (ready.text().startsWith("holdfast work create \"Parse ISO dates\"")) {
            item = ran.out().strip();
        }
        return ran;
    }

    private Ran inThisJvm(String text) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(text.substring("holdfast ".length()));
        while (word.find()) {
            words.add(word.group().replaceAll("'([^']*)'|\"([^\"]*)\"", "$1$2"));
        }
        return shop.typed(environment, "{}", words.toArray(String[]::new));
    }

    private Ran inShell(String text) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("documented", ".err");
        ProcessBuilder builder = new ProcessBuilder("bash", "--norc", "-o", "pipefail", "-c", text)
                .directory(shop.folder.toFile())
                .redirectError(errors.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(text).isTrue();
        String err = Files.readString(errors);
        Files.delete(errors);
        return new Ran(process.exitValue(), out, err);
    }

    /** The command with what the page takes for granted, after that has been brought about. */
    private String prepared(DocumentedCommand command) throws Exception {
        String text = command.text()
                .replace("http://127.0.0.1:8321", broker.url())
                .replace("| less -R", "| cat")
                .replaceAll("(?<!\\w)TASK(?!\\w)", task)
                .replace("hf-3k9x", item);
        if (text.contains("holdfast init")) {
            text = text.contains("--yes") ? text : text + " --yes";
        }
        if (text.contains("3f2c")) {
            text = text.replace("3f2c", review(command.text()).substring(0, 8));
        }
        if (text.contains("3f2a9c")) {
            text = text.replace("3f2a9c", task(command.text()));
        }
        return generation(world(text, command.comment()));
    }

    /** What must be so before some commands. */
    private String world(String text, String comment) throws Exception {
        boolean ownChange = text.contains("Open staging") || text.contains("Open production"); // the page makes it
        if (!ownChange
                && (comment.startsWith("stopped") || text.matches("holdfast (gate|review create).*|git diff .*"))) {
            change();
        }
        if (comment.startsWith("passes")) {
            approveAll();
        }
        if (text.startsWith("curl") && text.contains("key:deploy")) {
            as("bob", "release", "key:deploy", "--generation", "2");
        }
        if (text.startsWith("generation=$(")) {
            as("alice", "release", "key:deploy"); // it is not given twice
        }
        if (text.contains("--under work:bd-42@7")) {
            return text.replace("@7", "@" + held("bd-42"));
        }
        if (text.contains("--queue backend") || text.contains("work claim --next --queue shop")) {
            String queue = text.contains("backend") ? "backend" : "shop";
            done("bob", "work", "create", "for " + queue, "--queue", queue, "--label", "java");
        }
        if (text.equals("holdfast claim --next step") || text.contains("task next --namespace shop")) {
            done("bob", "task", "create", "-f", plan("shop"));
        }
        if (text.startsWith("holdfast review next")) {
            as("bob", "review", "create", "something " + ++changes, "--description", "x");
        }
        return text;
    }

    private String plan(String namespace) throws IOException {
        return shop.write(namespace + ".json", PLAN.formatted(namespace)).toString();
    }

    /** Unsaved and staged work that nobody has seen yet. */
    private void change() throws Exception {
        shop.write("src/a.py", "def f" + ++changes + "():\n    return " + changes + "\n");
        shop.git("add", "src/a.py");
        shop.write("README", "one\ntwo\nthree\nunsaved " + changes + "\n");
        shop.write("change.diff", shop.git("diff", "--cached", "--", "src/a.py"));
        shop.write("better.diff", shop.git("diff", "--", "README"));
    }

    private void approveAll() {
        as("bob", "review", "list", "--status", "pending", "--json")
                .json()
                .objects("reviews")
                .forEach(review -> {
                    String id = String.valueOf(review.text("id"));
                    done("bob", "review", "claim", id);
                    done("bob", "review", "show", id);
                    done("bob", "review", "verdict", id, "approve");
                });
    }

    /** The real generation of what is to be held. */
    private String generation(String text) {
        Matcher generation = GENERATION.matcher(text);
        Matcher resource = Pattern.compile("(?:release|heartbeat|close|update|--work) (\\S+)")
                .matcher(text);
        boolean known = generation.find() && resource.find() && !text.contains("# lost");
        if (!known || environment.getOrDefault("HOLDFAST_AGENT", "").equals("ann")) {
            return text; // README tells a story with its own generations
        }
        return generation.replaceFirst("--generation " + held(resource.group(1)));
    }

    private long held(String resource) {
        if (!resource.contains(":")) {
            as("alice", "work", "dep", resource, "hf-77ab", "--remove");
            as("alice", "work", "update", resource, "--status", "open");
        }
        String named = resource.contains(":") ? resource : "work:" + resource;
        String agent = environment.getOrDefault("HOLDFAST_AGENT", "Ann");
        Ran claimed = as(agent, "claim", named, "--json");
        return claimed.exitCode() == 0 ? claimed.generation() : heldAlready(agent, named);
    }

    private long heldAlready(String agent, String resource) {
        return done(agent, "who", "--holder", agent, "--json")
                .json()
                .objects("holders")
                .getFirst()
                .objects("claims")
                .stream()
                .filter(claim -> resource.equals(claim.text("resource")))
                .map(claim ->
                        Objects.requireNonNull(claim.number("claim_generation")).longValue())
                .findFirst()
                .orElseThrow();
    }

    private String task(String command) throws IOException {
        String namespace = "of-alice-" + ++changes;
        String id = done("alice", "task", "create", "-f", plan(namespace)).out().split(" ", 2)[0];
        if (command.contains("watch")) {
            done("alice", "task", "cancel", id, "--reason", "it is to end");
            String plan = shop.write(
                            "one.json", "{\"name\": \"one\", \"namespace\": \"one\", \"steps\": [{\"key\": \"a\"}]}")
                    .toString();
            id = done("alice", "task", "create", "-f", plan).out().split(" ", 2)[0];
            done("alice", "task", "next", "--namespace", "one");
            done("alice", "task", "complete", id + ".a", "--generation", "1");
        } else if (command.contains("complete")) {
            done("alice", "task", "next", "--namespace", namespace);
        }
        return id;
    }

    /** A review in the state that the command is for; alice types. */
    private String review(String command) throws Exception {
        change();
        boolean judges = command.matches(".* (verdict|release|message) .*");
        String proposer = judges ? "bob" : "alice";
        String reviewer = judges ? "alice" : "bob";
        String id =
                String.valueOf(done(proposer, "review", "create", "change " + changes, "--staged", "--new", "--json")
                        .json()
                        .text("review_id"));
        if (command.contains("--resolve")) {
            verdict("alice", id, "changes", "--finding", "src/a.py:1:must_fix:one");
            change();
            done("bob", "review", "create", "again", "--staged", "--round-of", id);
            verdict("carl", id, "changes", "--finding", "src/a.py:2:must_fix:two");
            change();
            done("bob", "review", "create", "again", "--staged", "--round-of", id);
        }
        if (command.contains("src/a.py:12")) {
            shop.write("src/a.py", "line\n".repeat(20) + changes);
            shop.git("add", "src/a.py");
            as("alice", "review", "claim", id);
            verdict("alice", id, "changes", "--reason", "longer");
            done("bob", "review", "create", "longer", "--staged", "--round-of", id);
        }
        if (judges) {
            done(reviewer, "review", "claim", id);
            done(reviewer, "review", "show", id);
        } else if (command.contains("--round-of") || command.contains("discussion")) {
            verdict(reviewer, id, "changes", "--reason", "no test");
            change();
            if (command.contains("discussion")) {
                done(proposer, "review", "create", "again", "--staged", "--round-of", id);
            }
        } else if (command.contains("accept")) {
            shop.git("reset", "-q", "--", "README");
            verdict(
                    reviewer,
                    id,
                    "changes",
                    "--reason",
                    "so",
                    "--counter-patch",
                    shop.folder.resolve("better.diff").toString());
        } else if (command.matches(".* (wait|close) .*")) {
            verdict(reviewer, id, "approve");
        }
        return id;
    }

    private void verdict(String reviewer, String id, String... words) {
        as(reviewer, "review", "claim", id);
        done(reviewer, "review", "show", id);
        List<String> all = new ArrayList<>(List.of("review", "verdict", id));
        all.addAll(List.of(words));
        done(reviewer, all.toArray(String[]::new));
    }
}
