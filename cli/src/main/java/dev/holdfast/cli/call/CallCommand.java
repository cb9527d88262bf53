package dev.holdfast.cli.call;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.ClosestMatch;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls any verb of the broker. */
public final class CallCommand implements Command.Action {
    public static final Command DEFINITION = Command.define("call", "Call any of the broker's verbs.")
            .description("""
            Values become numbers, booleans, lists or objects where the verb expects them; repeat a field to \
            make a list. The answer is printed as JSON, and the exit code follows its "code".
            name=VALUE  a field of the verb's input
            name:=JSON  a field whose value is JSON, regardless of the type the verb expects""")
            .parameters(
                    Parameter.required(
                            "VERB", "The verb, such as claim_next. GET /api/v1/openapi.json describes them all."),
                    Parameter.any("FIELD", "name=VALUE or name:=JSON."))
            .options(
                    Option.of("--input", "FILE", "Read the input, a JSON object, from a file; - reads standard input."))
            .examples("""
            holdfast call claim resource=key:deploy holder=alice ttl_seconds=600
            holdfast call claim_next kind=work holder=alice labels=java labels=urgent
            holdfast call claim_next kind=work holder=alice labels:='["java"]'
            holdfast call who --input -""")
            .runs(new CallCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        List<String> words = invocation.arguments().parameters();
        String verb = words.getFirst();
        if (!verb.matches("[a-z][a-z0-9_]*")) {
            throw Failure.invalid("'" + verb + "' is not a verb; verbs look like claim_next");
        }
        Map<String, @Nullable Object> input = new LinkedHashMap<>(given(invocation));
        List<Field> fields = words.stream().skip(1).map(Field::parse).toList();
        JsonObject schema = fields.stream().allMatch(Field::isJson)
                ? JsonObject.of(null)
                : VerbSchema.of(invocation.broker().openapi().json(), verb);
        Field.collect(fields, schema).forEach(input::put);
        Reply called = invocation.broker().call(verb, input);
        if ("not_found".equals(called.json().text("code")) && called.error().startsWith("there is no POST ")) {
            List<String> verbs = VerbSchema.verbs(invocation.broker().openapi().json());
            throw Failure.invalid("unknown verb '" + verb + "'"
                    + ClosestMatch.to(verb, verbs)
                            .map(near -> "; did you mean " + near + "?")
                            .orElseGet(() -> "; the verbs are " + String.join(", ", verbs)));
        }
        return invocation.printUnchanged(called, (reply, out) -> {
            out.println(reply.text());
            String code = reply.json().text("code"); // a finalization is refused in an ordinary answer
            return code == null ? ExitCode.DONE : ExitCode.of(code);
        });
    }

    private static Map<String, @Nullable Object> given(Invocation invocation) {
        String file = invocation.arguments().text("--input");
        if (file == null) {
            return Map.of();
        }
        String named = file.equals("-") ? "standard input" : "--input " + file;
        try {
            String text = file.equals("-")
                    ? new String(invocation.shell().in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file));
            if (Json.read(text) instanceof Map<?, ?> members) {
                Map<String, @Nullable Object> input = new LinkedHashMap<>();
                members.forEach((name, value) -> input.put((String) name, value));
                return input;
            }
            throw Failure.invalid(named + " must contain a JSON object");
        } catch (NotJsonException e) {
            throw Failure.invalid(named + " is not valid JSON: " + e.getMessage());
        } catch (IOException e) {
            throw Failure.invalid("cannot read " + named + ": " + IoReason.of(e));
        }
    }
}
