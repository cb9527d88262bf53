package dev.holdfast.cli.completion;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Option;
import dev.holdfast.cli.command.Parameter;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;
import dev.holdfast.git.RepositoryName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The possible values of an option or parameter: fixed ones, and those that the broker knows. */
public record Values(List<Command> commands, BrokerClient broker, Supplier<String> me) {
    private static final int MAX = 100;

    /** Help that lists the values, such as "Only this state: open, failed or done. Default: all." */
    private static final Pattern LISTED =
            Pattern.compile("(?:^|: )([a-z_]+(?:, [a-z_]+)*(?:,? or [a-z_]+)?)\\.(?: |$)");

    /** By their name in help, for those that help does not list. */
    private static final Map<String, List<String>> FIXED = Map.of(
            "KIND", List.of("work", "review", "step", "finalization", "path", "key", "reservation"),
            "ROLE", List.of("proposer", "reviewer"),
            "ENGINE", List.of("rules", "codex", "claude", "command"),
            "HOW", List.of("open", "closed"));

    /** The values of an option. */
    Stream<Candidate> of(Command command, Option option, String current) {
        String label = String.valueOf(option.value());
        return listed(label, option.description())
                .orElseGet(() -> known(command, label, option.name(), List.of(), current));
    }

    /** @param before the parameters before it */
    Stream<Candidate> of(Command command, Parameter parameter, List<String> before, String current) {
        return listed(parameter.name(), parameter.description())
                .orElseGet(() -> known(command, parameter.name(), "", before, current));
    }

    private static Optional<Stream<Candidate>> listed(String label, String help) {
        Matcher listed = LISTED.matcher(help);
        List<String> words = listed.find() ? List.of(listed.group(1).split(",? or |, ")) : List.of();
        List<String> fixed = words.size() > 1 ? words : FIXED.getOrDefault(label, List.of());
        return fixed.isEmpty() ? Optional.empty() : Optional.of(fixed.stream().map(Candidate::of));
    }

    private Stream<Candidate> known(
            Command command, String label, String option, List<String> parameters, String current) {
        String group = command.name().split(" ", 2)[0];
        return switch (label) {
            case "FILE", "DIR", "PATH", "GLOB" -> Stream.of(Candidate.FILES);
            case "ID", "ON" -> ids(group, option, current);
            case "TASK" -> tasks(current);
            case "STEP" ->
                held("step:", current).map(each -> new Candidate(each.word().substring(5), each.about()));
            case "RESOURCE" -> command.name().equals("claim") ? claimable(current) : held("", current);
            case "QUEUE" -> queues();
            case "PROJECT" -> projects();
            case "LABEL" -> work().flatMap(Values::labels).map(Candidate::of);
            case "NAME", "AGENT" -> isPerson(option) ? holders() : Stream.empty();
            case "SESSION" -> list("list_agents", Map.of(), "agents", "session_id", "holder", "");
            case "REVIEWER" -> list("list_reviewers", Map.of(), "reviewers", "id", "status", "");
            case "COMMAND" -> names(parameters);
            case "VERB" -> verbs();
            default -> Stream.empty();
        };
    }

    private static boolean isPerson(String option) {
        return List.of("--holder", "--held-by", "--assignee", "--parent").contains(option);
    }

    private Stream<Candidate> ids(String group, String option, String current) {
        boolean review = group.equals("review") || option.equals("--review") || option.equals("--round-of");
        if (review) {
            return list("list_reviews", Map.of("open", true, "limit", MAX), "reviews", "id", "intent", current);
        }
        return List.of("--resolve", "--request-id", "--id", "--after", "--before")
                                .contains(option)
                        && !group.equals("work")
                ? Stream.empty()
                : work().map(item -> candidate(item, "id", "title", current));
    }

    private Stream<JsonObject> work() {
        return ask("list_work", Map.of("open", true, "limit", MAX), "items");
    }

    private static Stream<String> labels(JsonObject item) {
        return item.get("labels") instanceof List<?> labels ? labels.stream().map(String::valueOf) : Stream.empty();
    }

    private Stream<Candidate> tasks(String current) {
        return list("list_tasks", Map.of("limit", MAX), "tasks", "task_id", "name", current);
    }

    /** What the user holds, for commands that release, renew or complete it. */
    private Stream<Candidate> held(String kind, String current) {
        return ask("who", new Input().with("holder", me.get()).fields(), "holders")
                .flatMap(holder -> holder.objects("claims").stream())
                .filter(claim -> String.valueOf(claim.text("resource")).startsWith(kind))
                .map(claim -> candidate(claim, "resource", "title", current));
    }

    private Stream<Candidate> claimable(String current) {
        Stream<Candidate> kinds = Stream.of(
                new Candidate("key:", "any name that you agree on"),
                new Candidate("path:", "a path, by its name alone"));
        return Stream.concat(
                ask("ready_work", Map.of("limit", MAX), "items").map(item -> candidate(item, "id", "title", current)),
                kinds);
    }

    private Stream<Candidate> queues() {
        return ask("list_work", Map.of("queue", "*", "limit", MAX), "items")
                .flatMap(item -> Stream.ofNullable(item.text("queue")))
                .distinct()
                .map(Candidate::of);
    }

    private Stream<Candidate> projects() {
        return Stream.concat(
                        ask("list_reviews", Map.of("project", "*", "limit", MAX), "reviews")
                                .flatMap(review -> Stream.ofNullable(review.text("project")))
                                .map(RepositoryName::key),
                        queues().map(Candidate::word))
                .distinct()
                .map(Candidate::of);
    }

    private Stream<Candidate> holders() {
        return Stream.concat(
                        ask("who", Map.of(), "holders").map(holder -> String.valueOf(holder.text("holder"))),
                        ask("list_agents", Map.of(), "agents").map(agent -> String.valueOf(agent.text("holder"))))
                .distinct()
                .map(Candidate::of);
    }

    private Stream<Candidate> names(List<String> before) {
        String begun = before.isEmpty() ? "" : String.join(" ", before) + " ";
        return commands.stream()
                .filter(command -> command.name().startsWith(begun))
                .map(command ->
                        Candidate.of(command.name().substring(begun.length()).split(" ", 2)[0]));
    }

    private Stream<Candidate> verbs() {
        return broker.openapi().json().object("paths").members().keySet().stream()
                .map(String::valueOf)
                .filter(path -> path.matches("/api/v1/[a-z_]+"))
                .map(path -> Candidate.of(path.substring("/api/v1/".length())));
    }

    private Stream<Candidate> list(
            String verb, Map<String, ?> input, String key, String id, String about, String current) {
        return ask(verb, input, key).map(each -> candidate(each, id, about, current));
    }

    /** The short form that lists show, unless more of the full id has already been typed. */
    private static Candidate candidate(JsonObject each, String id, String about, String current) {
        String whole = String.valueOf(each.text(id));
        int colon = whole.indexOf(':') + 1;
        String shown = whole.substring(0, colon) + JsonText.shortId(whole.substring(colon));
        String text = each.text(about);
        return new Candidate(shown.startsWith(current) ? shown : whole, text == null ? "" : text);
    }

    private Stream<JsonObject> ask(String verb, Map<String, ?> input, String key) {
        Reply reply = broker.call(verb, input);
        return reply.accepted() ? reply.json().objects(key).stream() : Stream.empty();
    }
}
