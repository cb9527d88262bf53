package dev.holdfast.cli.work;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.CurrentRepository;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.claim.ClaimText;
import dev.holdfast.cli.claim.GrantOutput;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.command.Program;
import dev.holdfast.cli.git.ShellWord;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import org.jspecify.annotations.Nullable;

/** Reserves and checks paths. */
public final class PathCommands {
    private static final Option QUEUE = Option.of(
            "--queue",
            "QUEUE",
            "The repository; all its working trees share its reservations. Default: git config holdfast.project, else the name of the"
                    + " top folder.");

    public static final Command RESERVE = Command.define(
                    "work reserve", "Reserve files before you change them, all of them or none.")
            .description("""
            GLOB is relative to the folder you are in (with the --queue of another repository: to its root) and covers everything \
            below what it matches: *, ?, [a-z], and ** for any number of folders. Prints the reservation's name and the 'release' that ends it.
            Exit code 3: someone else has reserved some of them.""")
            .parameters(Parameter.any("GLOB", "What to reserve."))
            .options(
                    QUEUE,
                    Option.HOLDER,
                    Option.flag("--shared", "Let others reserve them too, if they also use --shared."),
                    Option.of("--ttl", "TIME", "How long it lasts without a heartbeat: 90, 90s, 45m, 2h."),
                    Option.of("--work", "ID", "End the reservation with your claim on this item."),
                    Option.of(
                            "--generation",
                            "N",
                            "That claim's generation. Default: that of your claim, if you claimed it here."))
            .examples("""
            holdfast work reserve src/parser 'docs/**/*.md'
            holdfast work reserve src/parser --queue shop --work hf-3k9x --generation 3""")
            .runs(PathCommands::reserve);

    public static final Command CHECK = Command.define(
                    "work check", "Check whether someone else has reserved a path (exit 3 if so).")
            .description("With the --queue of another repository, PATH is relative to that repository's root.")
            .parameters(Parameter.required("PATH", "The path, relative to the folder you are in."))
            .options(QUEUE, Option.HOLDER)
            .examples("holdfast work check src/parser/Lexer.java", "holdfast work check docs/index.md --queue shop")
            .runs(PathCommands::check);

    private PathCommands() {}

    /** Null: this repository, which every call sends to the broker. */
    private static @Nullable String queue(Invocation invocation) {
        String queue = invocation.arguments().text("--queue");
        if (queue == null && CurrentRepository.of(invocation.shell()).isEmpty()) {
            throw Failure.invalid(
                    "which repository? Use --queue NAME, the same in all its working trees, or run this inside it ("
                            + CurrentRepository.missing(invocation.shell()) + ")");
        }
        return queue;
    }

    private static ExitCode reserve(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Input input = new Input()
                .with("holder", invocation.holder())
                .with("queue", queue(invocation))
                .with("paths", TypedPath.all(invocation, arguments.parameters()))
                .with("shared", arguments.has("--shared") ? true : null)
                .withSeconds("ttl_seconds", arguments.duration("--ttl"))
                .with("work", arguments.text("--work"))
                .with("claim_generation", arguments.number("--generation"));
        BrokerClient broker = invocation.broker();
        String work = arguments.text("--work");
        if (work != null && !arguments.has("--generation")) {
            input.with("claim_generation", broker.generation(invocation.holder(), "work:" + work));
        }
        Reply reply = broker.call("reserve_paths", input.fields());
        ExitCode exitCode = invocation.print(reply, (answer, out) -> {
            out.println("reserved as " + ClaimText.of(answer.json()));
            if (work == null) {
                out.println("release it: " + Program.name(invocation.shell()) + " release "
                        + JsonText.resource(answer.json())
                        + (arguments.has("--holder") ? " --holder " + ShellWord.of(invocation.holder()) : ""));
            }
            return ExitCode.DONE;
        });
        if (reply.accepted() && !invocation.shell().out().checkError()) {
            GrantOutput.confirm(broker, reply.json());
        }
        if (reply.accepted() && !arguments.has("--queue")) {
            WorkText.warnOfStranger(invocation, String.valueOf(reply.repository()));
        }
        return exitCode;
    }

    private static ExitCode check(Invocation invocation) {
        Input input = new Input()
                .with("holder", invocation.holder())
                .with("queue", queue(invocation))
                .with("path", TypedPath.one(invocation, invocation.parameter(0, "PATH")));
        return invocation.ask("check_path", input.fields(), (reply, out) -> {
            if (Boolean.TRUE.equals(reply.json().get("free"))) {
                out.println("free for you: nobody else has reserved it");
                return ExitCode.DONE;
            }
            JsonObject held = reply.json().object("held_by");
            out.println("reserved by " + JsonText.text(held, "holder") + " until " + JsonText.time(held, "expires_at")
                    + (Boolean.FALSE.equals(held.get("exclusive"))
                            ? ", as shared; you can reserve it too with 'work reserve --shared'"
                            : ""));
            return ExitCode.HELD;
        });
    }
}
