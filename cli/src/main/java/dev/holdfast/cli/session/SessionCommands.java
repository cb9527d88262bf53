package dev.holdfast.cli.session;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.StateFolder;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Shell;
import dev.holdfast.cli.terminal.Table;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Registers agent sessions with the broker, ends and lists them. */
public final class SessionCommands {
    public static final Command START = Command.define(
                    "session start", "Register this session and print the agent name to claim with.")
            .description("""
            Optional: you can claim without it. It shows others where a holder works, and lets one call release everything it holds.""")
            .parameters(Parameter.required(
                    "SESSION", "An id of your choice for the session; the same id is the same agent."))
            .options(
                    Option.of("--kind", "KIND", "What runs it: claude, codex, person, processor, ... Default: person."),
                    Option.of("--name", "NAME", "A display name."),
                    Option.of("--parent", "AGENT", "The agent that started this one."),
                    Option.of("--host", "HOST", "The machine. Default: this one."),
                    Option.of(
                            "--pid",
                            "N",
                            "The process that lives as long as the session: when it ends, all claims are released."),
                    Option.of("--project", "PROJECT", "What it works on."),
                    Option.of("--branch", "BRANCH", "The branch it works on."))
            .examples("""
            holdfast session start monday --name alice --branch main
            holdfast session start 7f3c --kind claude --project shop --pid 4711 --json""")
            .runs(SessionCommands::start);

    public static final Command END = Command.define("session end", "End a session and release everything it holds.")
            .parameters(Parameter.required("SESSION", "The session's id, as given to 'session start'."))
            .examples("holdfast session end monday")
            .runs(SessionCommands::end);

    public static final Command LIST = Command.define("session list", "List the agents known to the broker.")
            .options(Option.withPages(Option.flag("--all", "Include agents whose session has ended.")))
            .examples("holdfast session list", "holdfast session list --json")
            .runs(SessionCommands::list);

    private static final List<String> HEADINGS = List.of("AGENT", "KIND", "SEEN", "HOST", "PROJECT", "BRANCH");

    private SessionCommands() {}

    private static ExitCode start(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        String kind = arguments.text("--kind");
        String host = arguments.text("--host");
        Input input = new Input()
                .with("session_id", arguments.parameter(0))
                .with("kind", kind == null ? "person" : kind)
                .with("name", arguments.text("--name"))
                .with("parent", arguments.text("--parent"))
                .with("host", host == null ? ThisMachine.name() : host)
                .with("pid", arguments.number("--pid"))
                .with("project", arguments.text("--project"))
                .with("branch", arguments.text("--branch"));
        BrokerClient broker = invocation.broker(ThisMachine.space());
        return invocation.print(broker.call("start_session", input.fields()), (reply, out) -> {
            String key = reply.json().text("session_key");
            if (key != null) {
                keys(invocation, broker).keep(String.valueOf(arguments.parameter(0)), key);
            }
            String holder = JsonText.text(reply.json(), "holder");
            out.println("you are " + holder + "; for later commands: export HOLDFAST_AGENT='" + holder + "'");
            return printClaims("you still hold ", reply.json().objects("claims"), out);
        });
    }

    private static ExitCode end(Invocation invocation) {
        String session = String.valueOf(invocation.arguments().parameter(0));
        BrokerClient broker = invocation.broker();
        SessionKeys keys = keys(invocation, broker);
        Input input = new Input().with("session_id", session).with("session_key", keys.of(session));
        return invocation.print(broker.call("end_session", input.fields()), (reply, out) -> {
            keys.forget(session);
            out.println("ended");
            return printClaims("released ", reply.json().objects("released"), out);
        });
    }

    private static SessionKeys keys(Invocation invocation, BrokerClient broker) {
        return new SessionKeys(
                StateFolder.of(invocation.shell()), broker.http().address().toString());
    }

    private static ExitCode printClaims(String label, List<JsonObject> claims, PrintStream out) {
        for (JsonObject claim : claims) {
            out.println(label + JsonText.text(claim, "resource"));
        }
        return ExitCode.DONE;
    }

    private static ExitCode list(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Shell shell = invocation.shell();
        Input input = new Input()
                .with("all", arguments.has("--all") ? true : null)
                .with("limit", arguments.number("--limit"))
                .with("cursor", arguments.text("--cursor"));
        return invocation.ask("list_agents", input.fields(), (reply, out) -> {
            Instant now = reply.at(shell.clock().instant());
            List<List<String>> rows = new ArrayList<>();
            for (JsonObject agent : reply.json().objects("agents")) {
                rows.add(row(agent, now));
            }
            new Table(HEADINGS, rows).print(shell, out, "no agent has started a session");
            invocation.moreIfCut(reply);
            return ExitCode.DONE;
        });
    }

    private static List<String> row(JsonObject agent, Instant now) {
        String seen = JsonText.span(JsonText.instant(agent, "last_seen_at"), now) + " ago";
        return List.of(
                JsonText.text(agent, "holder"),
                JsonText.text(agent, "kind"),
                agent.text("ended_at") == null ? seen : "ended",
                orDash(agent, "host"),
                JsonText.project(agent, "project"),
                orDash(agent, "branch"));
    }

    private static String orDash(JsonObject object, String field) {
        String text = object.text(field);
        return text == null ? "-" : text;
    }
}
