package dev.holdfast.cli.work;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.command.Arguments;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.cli.terminal.Printable;
import java.util.ArrayList;
import java.util.List;

/** Creates and changes work items. */
public final class ItemCommands {
    private static final Parameter ID = Parameter.required("ID", "The item.");

    private static final String PRIORITIES = "0 (first) to 4 (last).";
    private static final String TYPES = "task, bug, feature, epic, chore or your own word.";

    private static final List<Option> ABOUT = List.of(
            Option.of("--description", "TEXT", "Everything needed to do the work."),
            Option.repeatable("--label", "LABEL", "A label (repeatable)."),
            Option.of("--queue", "QUEUE", "The backlog it belongs to."),
            Option.of("--assignee", "NAME", "Who should do it; this does not claim it."),
            Option.of("--external-ref", "REF", "Its id in another tracker, such as GH-17."),
            Option.of(
                    "--defer-until", "TIME", "Do not start before: 2h, tomorrow, 2026-12-24 or 2026-12-24T18:00:00Z."));

    public static final Command CREATE = Command.define("work create", "Add a work item.")
            .description("Prints its id.")
            .parameters(Parameter.required("TITLE", "What to do, in one line."))
            .options(options(
                    ABOUT,
                    Option.of("--priority", "N", PRIORITIES + " Default: 2."),
                    Option.of("--type", "TYPE", TYPES + " Default: task."),
                    Option.of("--parent", "ID", "The item it is part of."),
                    Option.repeatable("--after", "ID", "An item that must be closed first (repeatable)."),
                    Option.of("--discovered-from", "ID", "The item during which it was discovered."),
                    Option.of("--id", "ID", "Your own id. Default: a generated one."),
                    Option.HOLDER))
            .examples("""
            holdfast work create "Parse ISO dates" --priority 1 --label java
            holdfast work create "Document it" --after hf-3k9x --json""")
            .runs(ItemCommands::create);

    public static final Command UPDATE = Command.define("work update", "Change a work item.")
            .description("""
            While someone holds it, only the holder may change it, with --generation. --status open, blocked or deferred \
            releases it; setting a status never claims it. An empty text clears a field.
            Exit code 6: the claim is lost, or --generation is missing.""")
            .parameters(ID)
            .options(options(
                    ABOUT,
                    Option.of("--priority", "N", PRIORITIES),
                    Option.of("--type", "TYPE", TYPES),
                    Option.of("--title", "TEXT", "What to do, in one line."),
                    Option.of("--status", "STATUS", "open, blocked or deferred."),
                    Option.of("--reason", "TEXT", "Why it is blocked."),
                    Option.of("--note", "TEXT", "A note for the next holder, in case you do not come back."),
                    Option.of("--generation", "N", "The claim's generation."),
                    Option.HOLDER))
            .examples("""
            holdfast work update hf-3k9x --priority 0 --label java --label dates
            holdfast work update hf-3k9x --generation 3 --note "tests missing"
            holdfast work update hf-3k9x --status blocked --reason "no access\"""")
            .runs(ItemCommands::update);

    public static final Command DEP = Command.define("work dep", "Add or remove a dependency between items.")
            .description("""
            blocks: ID waits until ON is closed. parent-child: ID is part of ON. related, discovered-from: informational only.
            Exit code 5: that would create a dependency cycle.""")
            .parameters(ID, Parameter.required("ON", "The item that comes first."))
            .options(
                    Option.of("--type", "TYPE", "blocks, parent-child, related, discovered-from. Default: blocks."),
                    Option.flag("--remove", "Remove the dependency."),
                    Option.HOLDER)
            .examples("holdfast work dep hf-3k9x hf-77ab", "holdfast work dep hf-3k9x hf-77ab --remove")
            .runs(ItemCommands::dep);

    private ItemCommands() {}

    private static List<Option> options(List<Option> first, Option... more) {
        List<Option> all = new ArrayList<>(first);
        all.addAll(List.of(more));
        return List.copyOf(all);
    }

    private static Input about(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        return new Input()
                .with("description", arguments.text("--description"))
                .with("priority", arguments.number("--priority"))
                .with("type", arguments.text("--type"))
                .with("labels", arguments.has("--label") ? arguments.all("--label") : null)
                .with("queue", arguments.text("--queue"))
                .with("assignee", arguments.text("--assignee"))
                .with("external_ref", arguments.text("--external-ref"))
                .with(
                        "defer_until",
                        StartTime.moment(
                                arguments.text("--defer-until"),
                                invocation.shell().clock().instant()))
                .with("holder", invocation.holder());
    }

    private static ExitCode create(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Input input = about(invocation)
                .with("title", invocation.parameter(0, "TITLE"))
                .with("parent", arguments.text("--parent"))
                .with("depends_on", arguments.has("--after") ? arguments.all("--after") : null)
                .with("discovered_from", arguments.text("--discovered-from"))
                .with("id", arguments.text("--id"));
        return invocation.ask("create_work", input.fields(), (reply, out) -> {
            JsonObject item = reply.json().object("item");
            String queue = JsonText.text(item, "queue");
            boolean typed = invocation.shell().width().getAsInt() > 0; // scripts get just the id
            out.println(JsonText.text(item, "id")
                    + (typed ? (queue.isEmpty() ? "  in no queue" : "  in the queue " + queue) : ""));
            if (!arguments.has("--queue")) {
                WorkText.warnOfStranger(invocation, queue);
            }
            return ExitCode.DONE;
        });
    }

    private static ExitCode update(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Input input = about(invocation)
                .with("id", invocation.parameter(0, "ID"))
                .with("title", arguments.text("--title"))
                .with("status", arguments.text("--status"))
                .with("reason", arguments.text("--reason"))
                .with("note", arguments.text("--note"))
                .with("claim_generation", arguments.number("--generation"));
        BrokerClient broker = invocation.broker();
        return WorkerCommands.print(invocation, broker, broker.call("update_work", input.fields()), (_, out) -> {
            out.println("updated " + Printable.of(invocation.parameter(0, "ID")));
            return ExitCode.DONE;
        });
    }

    private static ExitCode dep(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Input input = new Input()
                .with("id", invocation.parameter(0, "ID"))
                .with("depends_on", invocation.parameter(1, "ON"))
                .with("type", arguments.text("--type"))
                .with("holder", invocation.holder());
        boolean remove = arguments.has("--remove");
        return invocation.ask(remove ? "remove_dependency" : "add_dependency", input.fields(), (reply, out) -> {
            out.println(remove ? "removed" : "added");
            return ExitCode.DONE;
        });
    }
}
