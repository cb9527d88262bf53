package dev.holdfast.broker.fuzz;

import dev.holdfast.testing.TestStore;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever comes in: an answer with a code, in time; nothing is written by what was refused. How many inputs a door gets, and
 * from which seed: {@code holdfast.fuzz.inputs}, {@code holdfast.fuzz.seed}.
 */
@Tag("fuzz")
class FuzzTest {
    /** One round in so many is on PostgreSQL, the others on SQLite. */
    private static final int POSTGRES = 4;

    private static void fuzz(String name, Function<Target, Door> doors) throws InterruptedException {
        Rounds rounds = new Rounds(name);
        try (LogWatch log = new LogWatch()) {
            rounds.run((number, inputs, random) -> {
                try (Target target = new Target(number % POSTGRES == POSTGRES - 1)) {
                    target.round(number, inputs, new Noise(random, target.learnt()), doors.apply(target), log, rounds);
                }
            });
        }
    }

    private static HttpRequests httpRequests(Target target) {
        return new HttpRequests(target.broker().verbs(), target.openApi(), target.learnt());
    }

    @Test
    void http() throws Exception {
        fuzz("HTTP", FuzzTest::httpRequests);
    }

    @Test
    void mcp() throws Exception {
        fuzz("MCP", target -> new McpRequests(target.broker().verbs(), target.learnt()));
    }

    @Test
    void hooks() throws Exception {
        fuzz("hooks", target -> new HookRequests(target.folder()));
    }

    @Test
    void jsonl() throws Exception {
        fuzz("JSONL", target -> new JsonlRequests(target.broker().verbs(), httpRequests(target)));
    }

    @Test
    void diffs() throws Exception {
        Rounds rounds = new Rounds("diffs");
        rounds.run((number, inputs, random) -> {
            Noise noise = new Noise(random, new Learnt());
            texts(rounds, number, inputs, () -> noise.damaged(Samples.DIFF), Texts::diff);
        });
    }

    @Test
    void config() throws Exception {
        Rounds rounds = new Rounds("config");
        rounds.run((number, inputs, random) -> {
            Noise noise = new Noise(random, new Learnt());
            Path folder = Target.newFolder();
            texts(
                    rounds,
                    number,
                    inputs,
                    () -> Texts.settings(noise),
                    text -> Texts.config(folder.resolve("config.json"), text));
            TestStore.delete(folder);
        });
    }

    private interface Reader {
        String read(String text) throws Exception;
    }

    private static void texts(Rounds rounds, int number, int inputs, Supplier<String> next, Reader reader)
            throws Exception {
        for (int i = 0; i < inputs && !rounds.enoughIsWrong(); i++) {
            String text = next.get();
            long began = System.nanoTime();
            try {
                rounds.kind(reader.read(text));
            } catch (RuntimeException | StackOverflowError e) {
                rounds.wrong(number, Rounds.trace(e), text);
            }
            rounds.took(number, System.nanoTime() - began, text);
        }
        rounds.done(inputs);
    }

    /** An error is one of data, or of our own making; never one of the server's inside. */
    @Test
    void sql_functions() throws Exception {
        Rounds rounds = new Rounds("SQL functions");
        rounds.run((number, inputs, random) -> {
            Path folder = Target.newFolder();
            try (SqlCalls calls = new SqlCalls(folder)) {
                calls.round(number, inputs, new Noise(random, new Learnt()), rounds);
            }
            TestStore.delete(folder);
        });
    }
}
