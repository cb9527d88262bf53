package dev.holdfast.cli.session;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.IoReason;
import dev.holdfast.cli.broker.PrivateFiles;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.git.ShellWord;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.cli.terminal.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Creates, lists, rotates and revokes the tokens with which other machines call the broker. */
public final class TokenCommands {
    private static final Option TO = Option.of(
            "--to", "FILE", "Write the token into this new file, which only you can read, and do not print it.");

    private static final String ROTATION = "rotate_token";

    /** A token: its id, then its secret. */
    private static final Pattern TEXT = Pattern.compile("hf_([0-9a-f]{8})_\\S+");

    private static final int LONGEST_TEXT = 1_000;

    private static final Parameter TOKEN = Parameter.required("TOKEN", "The token's name, or its id.");

    public static final Command CREATE = Command.define(
                    "token create", "Create a token for a person or program, and print it once.")
            .description("""
            Its user acts as NAME, or as NAME/anything. Roles: proposer, reviewer, worker, processor, viewer, admin. \
            Use it as HOLDFAST_TOKEN, or from a file as HOLDFAST_TOKEN_FILE.""")
            .parameters(Parameter.required("NAME", "Who will use it: letters, digits, dots, dashes, underscores."))
            .options(
                    Option.repeatable("--role", "ROLE", "A role (repeatable; at least one is required)."),
                    Option.repeatable("--project", "PROJECT", "Only for this project. Default: all."),
                    Option.of("--expires", "TIME", "When it ends, from now: 90d, 12h. Default: never."),
                    TO)
            .examples("""
            holdfast token create ann --role proposer --role worker --expires 90d
            holdfast token create ci --role viewer --project shop --to ci.token""")
            .runs(TokenCommands::create);

    public static final Command LIST = Command.define("token list", "List the tokens, without their secrets.")
            .options(Option.flag("--all", "Include revoked and expired ones."))
            .examples("holdfast token list", "holdfast token list --all --json")
            .runs(TokenCommands::list);

    public static final Command ROTATE = Command.define(
                    "token rotate", "Give a token a new secret, and print it. Its name, roles and projects stay.")
            .parameters(TOKEN)
            .options(
                    Option.of(
                            "--grace",
                            "TIME",
                            "How long the old secret stays valid, such as 1h. Default: it ends at once."),
                    Option.of("--expires", "TIME", "When it ends, from now. Default: as before."),
                    Option.of(
                            "--to",
                            "FILE",
                            "Write the token into this file, which only you can read, and do not print it. The file must be new,"
                                    + " or already contain this token."))
            .examples("holdfast token rotate ann --grace 1h")
            .runs(TokenCommands::rotate);

    public static final Command REVOKE = Command.define(
                    "token revoke", "Revoke a token: calls with it are refused from now on.")
            .parameters(TOKEN)
            .examples("holdfast token revoke ann")
            .runs(TokenCommands::revoke);

    private static final List<String> HEADINGS = List.of("NAME", "ID", "ROLES", "PROJECTS", "STATE", "EXPIRES", "USED");

    private TokenCommands() {}

    private static ExitCode create(Invocation invocation) {
        Arguments given = invocation.arguments();
        if (given.all("--role").isEmpty()) {
            throw Failure.invalid("--role is required: proposer, reviewer, worker, processor, viewer or admin");
        }
        Input input = new Input()
                .with("name", given.parameter(0))
                .with("roles", words(given.all("--role")))
                .with("projects", given.all("--project"))
                .with("expires_seconds", seconds(lifetime(given)));
        return make(invocation, "create_token", input);
    }

    private static ExitCode rotate(Invocation invocation) {
        Arguments given = invocation.arguments();
        Input input = new Input()
                .with("token", given.parameter(0))
                .with("grace_seconds", seconds(given.duration("--grace")))
                .with("expires_seconds", seconds(lifetime(given)));
        return make(invocation, ROTATION, input);
    }

    private static ExitCode make(Invocation invocation, String verb, Input input) {
        String to = invocation.arguments().text("--to");
        Path file = to == null ? null : invocation.shell().folder().resolve(to);
        boolean replaces = file != null && verb.equals(ROTATION) && hasToken(file, invocation);
        Path empty = file == null ? null : newFile(replaces ? file.resolveSibling(file.getFileName() + ".new") : file);
        boolean written = false;
        try {
            Reply reply = invocation.broker().call(verb, input.fields());
            if (file == null || empty == null || !reply.accepted()) {
                return invocation.print(reply, (answer, out) -> shown(invocation, answer, out));
            }
            write(empty, JsonText.text(reply.json(), "token"));
            written = true;
            if (replaces) {
                replace(file, empty);
            }
            PrintStream out = invocation.shell().out();
            out.println("token " + JsonText.text(reply.json(), "name") + " is in " + file
                    + "; to use it: export HOLDFAST_TOKEN_FILE=" + ShellWord.of(file.toString()));
            out.print(end(reply).isEmpty() ? "" : end(reply).strip() + "\n");
            return ExitCode.DONE;
        } finally {
            if (empty != null && !written) {
                remove(empty);
            }
        }
    }

    /** Whether a file has the token that the command names, perhaps with an earlier secret. */
    private static boolean hasToken(Path file, Invocation invocation) {
        Matcher token = TEXT.matcher(content(file));
        String named = invocation.arguments().parameter(0);
        return token.matches()
                && (token.group(1).equals(named)
                        || invocation.broker().call("list_tokens", Map.of()).json().objects("tokens").stream()
                                .anyMatch(each -> token.group(1).equals(each.text("id"))
                                        && String.valueOf(each.text("name")).equals(named)));
    }

    /** Of a file that may be anything; empty: it has no token. */
    private static String content(Path file) {
        try {
            return Files.isRegularFile(file) && Files.size(file) < LONGEST_TEXT
                    ? Files.readString(file).strip()
                    : "";
        } catch (IOException unreadable) {
            return "";
        }
    }

    private static void replace(Path file, Path by) {
        try {
            Files.move(by, file.toRealPath(), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw Failure.failed("the token is in " + by + ", which cannot replace " + file + ": " + IoReason.of(e), e);
        }
    }

    private static ExitCode shown(Invocation invocation, Reply reply, PrintStream out) {
        out.println(JsonText.text(reply.json(), "token"));
        out.flush();
        invocation
                .shell()
                .err()
                .println("holdfast: this is the token of " + JsonText.text(reply.json(), "name")
                        + "; it cannot be shown again. Use it as HOLDFAST_TOKEN, or from a private file as HOLDFAST_TOKEN_FILE."
                        + end(reply));
        return ExitCode.DONE;
    }

    /** Created first, so that no token is lost because there is nowhere to store it. */
    private static Path newFile(Path file) {
        if (Files.exists(file)) {
            throw Failure.invalid(file + " exists; name a new file");
        }
        try {
            return PrivateFiles.file(file);
        } catch (IOException e) {
            throw Failure.failed("cannot write " + file + ": " + IoReason.of(e), e);
        }
    }

    private static void write(Path file, String token) {
        try {
            Files.writeString(file, token + "\n");
        } catch (IOException e) {
            throw Failure.failed(
                    "the token was created, but cannot be written to " + file + ": " + IoReason.of(e)
                            + "; 'holdfast token rotate' gives it a new secret",
                    e);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            // it is empty, and the reported failure says why
        }
    }

    private static ExitCode list(Invocation invocation) {
        Shell shell = invocation.shell();
        Input input = new Input().with("all", invocation.arguments().has("--all") ? true : null);
        return invocation.ask("list_tokens", input.fields(), (reply, out) -> {
            Instant now = reply.at(shell.clock().instant());
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject token : reply.json().objects("tokens")) {
                rows.add(row(token, now));
            }
            new Table(HEADINGS, rows).print(shell, out, "there are no tokens; 'holdfast token create' creates one");
            return ExitCode.DONE;
        });
    }

    private static List<String> row(JsonObject token, Instant now) {
        Instant expires = JsonText.instant(token, "expires_at");
        String projects = words(token, "projects");
        return List.of(
                JsonText.text(token, "name"),
                JsonText.text(token, "id"),
                words(token, "roles"),
                projects.isEmpty() ? "all" : projects,
                JsonText.text(token, "state"),
                expires == null ? "never" : expires.isAfter(now) ? "in " + JsonText.span(now, expires) : "expired",
                token.text("last_used_at") == null
                        ? "never"
                        : JsonText.span(JsonText.instant(token, "last_used_at"), now) + " ago");
    }

    private static String words(JsonObject token, String field) {
        return token.get(field) instanceof List<?> several
                ? several.stream().map(String::valueOf).collect(Collectors.joining(","))
                : "";
    }

    private static ExitCode revoke(Invocation invocation) {
        Input input = new Input().with("token", invocation.arguments().parameter(0));
        return invocation.ask("revoke_token", input.fields(), (reply, out) -> {
            out.println("revoked " + JsonText.text(reply.json(), "name"));
            if (reply.json().text("warning") != null) {
                invocation.shell().err().println("holdfast: " + JsonText.text(reply.json(), "warning"));
            }
            return ExitCode.DONE;
        });
    }

    /** {@code --role proposer,worker} is the same as {@code --role} twice. */
    private static List<String> words(List<String> given) {
        return given.stream()
                .flatMap(one -> Arrays.stream(one.split(",", -1)))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Bare numbers are seconds elsewhere, where nobody means days. */
    private static @Nullable Duration lifetime(Arguments given) {
        String text = given.text("--expires");
        if (text != null && !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw Failure.invalid("--expires needs a unit, such as 90d or 12h, not '" + text + "'");
        }
        return given.duration("--expires");
    }

    private static String end(Reply made) {
        return made.json().text("expires_at") == null
                ? ""
                : " It ends at " + JsonText.time(JsonText.text(made.json(), "expires_at")) + ".";
    }

    private static @Nullable Long seconds(@Nullable Duration time) {
        return time == null ? null : time.toSeconds();
    }
}
