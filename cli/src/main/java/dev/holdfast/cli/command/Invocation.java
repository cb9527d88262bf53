package dev.holdfast.cli.command;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.CurrentRepository;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.LongPoll;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.broker.StateFolder;
import dev.holdfast.cli.broker.UserToken;
import dev.holdfast.cli.terminal.Printable;
import dev.holdfast.cli.terminal.Shell;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A running command: its arguments and environment. */
public record Invocation(Arguments arguments, Shell shell) {
    /** How the broker refers to one of the findings it was given, or to a field of it. */
    private static final Pattern FINDING = Pattern.compile("\\bfindings\\[(\\d{1,6})](?:: |\\.)");

    /** Prints the broker's answer for a person. */
    public interface Printer {
        ExitCode print(Reply reply, PrintStream out);
    }

    /** The acting name: the agent, else the name of the token, else the user's name in git, else the login name. */
    public String holder() {
        String holder = knownAgent().orElseGet(this::person);
        if (holder.isBlank() || holder.equals("?")) {
            throw Failure.invalid("who are you? Use --holder NAME, or set it once: export HOLDFAST_AGENT=NAME");
        }
        return holder;
    }

    private String person() {
        return CurrentRepository.user(shell).orElseGet(() -> System.getProperty("user.name", ""));
    }

    /** The agent named explicitly; null: none. */
    public @Nullable String agent() {
        String holder = arguments.text("--holder");
        return holder == null ? shell.variable("HOLDFAST_AGENT") : holder;
    }

    /**
     * The acting agent: {@code --holder}, else {@code HOLDFAST_AGENT}, else the one whose session this command runs in,
     * else the name of the team token that is sent.
     */
    public Optional<String> knownAgent() {
        return Optional.ofNullable(agent())
                .or(() -> Optional.ofNullable(broker().caller().name()));
    }

    /**
     * The project or queue that an option names; * with --everywhere; null: this repository's, or all outside any
     * repository.
     */
    public @Nullable String scope(String option) {
        String named = arguments.text(option);
        return named == null && arguments.has("--everywhere") ? "*" : named;
    }

    public String parameter(int index, String name) {
        String parameter = arguments.parameter(index);
        if (parameter == null) {
            throw Failure.invalid(name + " is missing");
        }
        return parameter;
    }

    public BrokerClient broker() {
        return broker(null);
    }

    /** @param space the pid namespace, for a broker that needs to identify a process; null: unknown */
    public BrokerClient broker(@Nullable String space) {
        String url = arguments.text("--url");
        if (url == null) {
            url = shell.variable("HOLDFAST_URL");
        }
        Map<String, String> headers = new LinkedHashMap<>();
        String name = agent();
        // the person's name counts only if no agent is known: agents run with their person's settings
        headers.put(name == null ? "Holdfast-Person" : "Holdfast-Agent", header(name == null ? person() : name));
        addIfSendable(headers, "Holdfast-Space", space);
        CurrentRepository.of(shell).ifPresent(here -> addIfSendable(headers, "Holdfast-Repository", here.header()));
        return BrokerClient.at(url == null ? BrokerClient.DEFAULT_URL : url, UserToken.of(shell), headers)
                .with(StateFolder.of(shell), notice -> shell.err().println("holdfast: " + Printable.of(notice)));
    }

    /** Encodes a name for a header: as in RFC 8187 if it has non-ASCII characters. */
    private static String header(String name) {
        return name.strip().chars().allMatch(c -> c >= ' ' && c < 127)
                ? name.strip()
                : "UTF-8''"
                        + URLEncoder.encode(name.strip(), StandardCharsets.UTF_8)
                                .replace("+", "%20");
    }

    /** Values with characters that headers cannot have are not sent. */
    private static void addIfSendable(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null && value.chars().allMatch(c -> c > ' ' && c < 127)) {
            headers.put(name, value);
        }
    }

    /** Calls a verb that may wait, for as long as {@code --wait} says. */
    public Reply wait(BrokerClient broker, String verb, Input input) {
        return new LongPoll(broker, shell.clock()).ask(verb, input, arguments.duration("--wait"));
    }

    /**
     * Calls a verb and prints the answer: unchanged with {@code --json}, otherwise with {@code printer}; refusals go to
     * stderr.
     */
    public ExitCode ask(String verb, Map<String, @Nullable Object> input, Printer printer) {
        return print(broker().call(verb, input), printer);
    }

    public ExitCode print(Reply reply, Printer printer) {
        return print(reply, printer, refusal -> RefusalWording.of(asTyped(refusal), arguments.parameter(0)));
    }

    /** The broker names fields; somebody who typed the option of that name knows it with its dashes. */
    private String asTyped(String refusal) {
        String text = refusal;
        for (String option : arguments.options().keySet()) {
            String field = option.replaceFirst("^-+", "").replace('-', '_');
            text = text.replaceAll(
                    "(^|; )" + Pattern.quote(field) + "(?= must | may | cannot | needs | has )", "$1" + option);
        }
        List<String> findings = arguments.all("--finding");
        return FINDING.matcher(text).replaceAll(found -> {
            int index = Integer.parseInt(found.group(1));
            return Matcher.quoteReplacement((index < findings.size()
                            ? "--finding '" + Printable.shortened(findings.get(index), 80) + "'"
                            : "finding " + (index + 1))
                    + ": ");
        });
    }

    /** The same, with refusals in the broker's own words: for callers that used its verb and field names. */
    public ExitCode printUnchanged(Reply reply, Printer printer) {
        return print(reply, printer, text -> text);
    }

    private ExitCode print(Reply reply, Printer printer, UnaryOperator<String> wording) {
        if (arguments.has("--json")) {
            printDocument(reply.text());
        }
        if (!reply.accepted()) {
            if (!arguments.has("--json")) {
                shell.err().println("holdfast: " + Printable.of(Program.called(shell, wording.apply(reply.error()))));
                String problem = reply.json().text("validation_error");
                if (problem != null) {
                    Printable.lines(RefusalWording.ofProblem(problem))
                            .forEach(line -> shell.err().println("  " + line));
                }
            }
            return reply.exitCode();
        }
        return printer.print(reply, arguments.has("--json") ? silence() : shell.out());
    }

    /** Says how to get the next page of a list, on stderr so that the output can still be piped. */
    public void more(String option) {
        if (!arguments.has("--json")) {
            shell.err().println("holdfast: there is more: add " + option);
        }
    }

    public void moreIfCut(Reply reply) {
        String cursor = reply.json().text("next_cursor");
        if (cursor != null) {
            more("--cursor '" + Printable.of(cursor) + "'");
        }
    }

    /** Writes bytes, not text: the terminal's encoding must not affect JSON. */
    public void printDocument(String json) {
        shell.out().writeBytes((json.endsWith("\n") ? json : json + "\n").getBytes(StandardCharsets.UTF_8));
        shell.out().flush();
    }

    private static PrintStream silence() {
        return new PrintStream(PrintStream.nullOutputStream());
    }
}
