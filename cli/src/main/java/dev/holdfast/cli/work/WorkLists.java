package dev.holdfast.cli.work;

import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.terminal.WrappedText;
import java.util.stream.Stream;

/** Lists work items. */
public final class WorkLists {
    static final Option QUEUE = Option.of("--queue", "QUEUE", "Only this queue.");
    static final Option LABEL = Option.repeatable("--label", "LABEL", "Only with this label (repeatable).");
    static final Option TYPE = Option.of("--type", "TYPE", "Only this type: bug, task, ...");

    public static final Command READY = Command.define(
                    "work ready", "List work that can start now, in the order it is handed out.")
            .description("Most urgent first, then oldest. Listing does not claim: claim an item before you start.")
            .options(Option.withPages(QUEUE, Option.EVERYWHERE, LABEL, TYPE))
            .examples("holdfast work ready", "holdfast work ready --queue shop --label java --json")
            .runs(WorkLists::ready);

    public static final Command LIST = Command.define("work list", "List work items that are not closed, oldest first.")
            .options(Option.withPages(
                    Option.of("--status", "STATUS", "Only this status: open, in_progress, blocked, deferred, closed."),
                    Option.ALL,
                    QUEUE,
                    Option.EVERYWHERE,
                    LABEL,
                    TYPE,
                    Option.of("--held-by", "NAME", "Only items that this agent holds."),
                    Option.of("--assignee", "NAME", "Only items assigned to NAME."),
                    Option.of("--parent", "ID", "Only parts of this item.")))
            .examples("""
            holdfast work list
            holdfast work list --status in_progress
            holdfast work list --parent hf-3k9x""")
            .runs(WorkLists::list);

    public static final Command BLOCKED = Command.define("work blocked", "List items that cannot be started, and why.")
            .description(
                    "Parked items were set aside, or failed too often; 'work update ID --status open' unparks one.")
            .options(Option.withPages(QUEUE, Option.EVERYWHERE))
            .examples("holdfast work blocked")
            .runs(WorkLists::blocked);

    public static final Command SHOW = Command.define("work show", "Show one work item.")
            .description("Exit code 4: no such item.")
            .parameters(Parameter.required("ID", "The item."))
            .examples("holdfast work show hf-3k9x", "holdfast work show hf-3k9x --json")
            .runs(WorkLists::show);

    private WorkLists() {}

    private static ExitCode ready(Invocation invocation) {
        Input input = filter(invocation, pages(invocation));
        return invocation.ask(
                "ready_work",
                input.fields(),
                (reply, out) -> WorkText.list(invocation, reply, out, "nothing is ready"));
    }

    private static ExitCode list(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Input input = filter(invocation, pages(invocation))
                .with("status", arguments.text("--status"))
                .with("open", (arguments.has("--status") || arguments.has("--all")) ? null : true)
                .with("holder", arguments.text("--held-by"))
                .with("assignee", arguments.text("--assignee"))
                .with("parent", arguments.text("--parent"));
        return invocation.ask(
                "list_work", input.fields(), (reply, out) -> WorkText.list(invocation, reply, out, none(arguments)));
    }

    private static String none(Arguments arguments) {
        boolean filtered = Stream.of("--status", "--held-by", "--assignee", "--parent", "--queue", "--label", "--type")
                .anyMatch(arguments::has);
        return filtered ? "no items match" : arguments.has("--all") ? "no items" : "no open items";
    }

    private static ExitCode blocked(Invocation invocation) {
        Input input = pages(invocation).with("queue", invocation.scope("--queue"));
        return invocation.ask(
                "blocked_work",
                input.fields(),
                (reply, out) -> WorkText.list(invocation, reply, out, "nothing is blocked"));
    }

    private static ExitCode show(Invocation invocation) {
        Input input = new Input().with("id", invocation.parameter(0, "ID"));
        return invocation.ask("get_work", input.fields(), (reply, out) -> {
            WorkText.item(reply.json(), WrappedText.on(invocation.shell()), out);
            return ExitCode.DONE;
        });
    }

    private static Input pages(Invocation invocation) {
        return new Input()
                .with("limit", invocation.arguments().number("--limit"))
                .with("cursor", invocation.arguments().text("--cursor"));
    }

    static Input filter(Invocation invocation, Input input) {
        Arguments arguments = invocation.arguments();
        return input.with("queue", invocation.scope("--queue"))
                .with("labels", arguments.has("--label") ? arguments.all("--label") : null)
                .with("type", arguments.text("--type"));
    }
}
