package dev.holdfast.cli.broker;

import dev.holdfast.cli.http.Address;
import dev.holdfast.cli.http.EventStream;
import dev.holdfast.cli.http.HttpAnswer;
import dev.holdfast.cli.http.HttpClient;
import dev.holdfast.cli.http.HttpFailure;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import dev.holdfast.cli.terminal.Printable;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The broker's HTTP interface, {@code /api/v1}. */
public final class BrokerClient {
    public static final String DEFAULT_URL = "http://127.0.0.1:8321";

    /** More than the broker takes for anything except waiting. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The verbs for which it does not matter whether a call was carried out. */
    private static final Pattern READS = Pattern.compile("who|(get|list|check)_.+|(ready|blocked|export)_work");

    private final HttpClient http;
    private final UserToken token;
    private final @Nullable Grants grants;
    private final Consumer<String> notices;

    private BrokerClient(HttpClient http, UserToken token, @Nullable Grants grants, Consumer<String> notices) {
        this.http = http;
        this.token = token;
        this.grants = grants;
        this.notices = notices;
    }

    /** @param headers sent with every request, to say who is asking */
    public static BrokerClient at(String url, UserToken token, Map<String, String> headers) {
        try {
            return new BrokerClient(
                    new HttpClient(Address.parse(url), token, headers, token.trust()), token, null, _ -> {});
        } catch (IllegalArgumentException e) {
            throw Failure.invalid(String.valueOf(e.getMessage()));
        }
    }

    /**
     * The same broker, used on behalf of a person.
     *
     * @param kept where the person's claims are recorded and looked up
     * @param notices receives what the broker says besides its answers
     */
    public BrokerClient with(Path kept, Consumer<String> notices) {
        return new BrokerClient(http, token, new Grants(kept, http.address().toString()), notices);
    }

    /** The generation of a claim that was granted to this holder on this machine; null: unknown. */
    public @Nullable Long generation(String holder, String resource) {
        return grants == null ? null : grants.generation(holder, resource);
    }

    /** Calls a verb. Its timeout grows with the {@code wait_seconds} asked for. */
    public Reply call(String verb, Map<String, ?> given) {
        Map<String, ?> input = grants == null ? given : grants.shown(verb, given);
        Duration patience =
                input.get("wait_seconds") instanceof Number wait ? PATIENCE.plusSeconds(wait.longValue()) : PATIENCE;
        try {
            HttpAnswer answer =
                    http.post("/api/v1/" + verb, Json.write(input).getBytes(StandardCharsets.UTF_8), patience);
            String notice = readable(answer.header("Holdfast-Notice"));
            if (notice != null) {
                notices.accept(notice);
            }
            Reply reply = reply(answer);
            if (grants != null) {
                grants.heard(verb, input, reply.accepted(), reply.json());
            }
            return reply;
        } catch (HttpFailure e) {
            throw failure(e, READS.matcher(verb).matches());
        }
    }

    /** The description of all verbs. */
    public Reply openapi() {
        try {
            return reply(http.get("/api/v1/openapi.json", PATIENCE));
        } catch (HttpFailure e) {
            throw failure(e, true);
        }
    }

    /** What the broker knows of the caller; nothing if it does not answer. */
    public KnownCaller caller() {
        try {
            Reply known = reply(http.get("/api/v1/caller", PATIENCE));
            return known.accepted()
                    ? new KnownCaller(known.json().text("agent"), known.json().text("token"))
                    : KnownCaller.NOBODY;
        } catch (HttpFailure | Failure unknown) {
            return KnownCaller.NOBODY; // the next call reports the problem
        }
    }

    /**
     * The broker's key for the repository in which the command runs, which this call registers if it is new; empty: not
     * in a repository.
     */
    public Optional<String> repository() {
        Reply reply = call("list_reviews", Map.of("open", true, "limit", 1));
        if (!reply.accepted()) {
            throw Failure.refused(reply, "cannot ask the broker");
        }
        return Optional.ofNullable(reply.repository());
    }

    /** Whether this broker requires its user's token. */
    public boolean asksForToken() {
        try {
            return isRefused(http.anonymous().get("/api/v1/openapi.json", PATIENCE));
        } catch (HttpFailure e) {
            throw failure(e, true);
        }
    }

    /** The end of a link that signs a browser in with the token of this client, once. */
    public Reply signInLink() {
        try {
            return reply(http.post("/sign-in/link", "{}".getBytes(StandardCharsets.UTF_8), PATIENCE));
        } catch (HttpFailure e) {
            throw failure(e, true);
        }
    }

    private static boolean isRefused(HttpAnswer answer) {
        return answer.status() == 401 && answer.header("WWW-Authenticate") != null;
    }

    /** The token source for this broker. */
    public UserToken token() {
        return token;
    }

    /** The HTTP client itself, for anything that is not a verb. */
    public HttpClient http() {
        return http;
    }

    public EventStream events(@Nullable String lastEventId, Duration silence) throws HttpFailure {
        return http.events("/api/v1/events", lastEventId, silence);
    }

    public Reply reply(HttpAnswer answer) {
        String text = new String(answer.body(), StandardCharsets.UTF_8);
        try {
            if (Json.read(text) instanceof Map<?, ?> members) {
                if (isRefused(answer)) {
                    throw Failure.unauthorized("the broker at " + http.address() + " refused the call: "
                            + Printable.of(String.valueOf(new JsonObject(members).text("error"))) + " ("
                            + token.explained(http.address()) + ")");
                }
                boolean accepted = answer.status() >= 200 && answer.status() < 300;
                return new Reply(
                        accepted,
                        text,
                        new JsonObject(members),
                        answer.header("Date"),
                        readable(answer.header("Holdfast-Repository")));
            }
        } catch (NotJsonException e) {
            throw notABroker("status " + answer.status() + ", not JSON", e);
        }
        throw notABroker("status " + answer.status() + ", not a JSON object", null);
    }

    /** Decodes a header; non-ASCII ones are encoded as in RFC 8187. */
    private static @Nullable String readable(@Nullable String header) {
        String mark = "UTF-8''";
        return header != null && header.startsWith(mark)
                ? URLDecoder.decode(header.substring(mark.length()), StandardCharsets.UTF_8)
                : header;
    }

    /** @param read whether the request was to change nothing */
    public Failure failure(HttpFailure e, boolean read) {
        return switch (e.kind()) {
            case NO_CONNECTION ->
                Failure.unreachable(
                        "no broker answers at " + http.address() + " (" + e.getMessage() + "). Start one with '"
                                + serve() + "', or set its address with --url or HOLDFAST_URL.",
                        e);
            case STRANGER ->
                Failure.failed(
                        http.address() + " is not your broker: " + e.getMessage()
                                + ". Nothing was sent. Start your broker on another port with 'holdfast serve --port N',"
                                + " and set its address with --url or HOLDFAST_URL.",
                        e);
            case UNTRUSTED ->
                Failure.failed("cannot talk to " + http.address() + ": " + e.getMessage() + ". Nothing was sent.", e);
            case NO_ANSWER ->
                Failure.unanswered(
                        "the broker at " + http.address() + " did not answer (" + e.getMessage() + ")."
                                + (http.address().secure()
                                        ? ""
                                        : " If it speaks https, use https:// in --url or HOLDFAST_URL.")
                                + (read
                                        ? ""
                                        : " The request may have been carried out: check with 'holdfast who' before you retry."),
                        e);
            case NOT_HTTP -> notABroker(String.valueOf(e.getMessage()), e);
        };
    }

    /** The command that starts a broker at this address, if there is one. */
    private String serve() {
        Address address = http.address();
        boolean usual = address.equals(Address.parse(DEFAULT_URL)) || !address.isLoopback() || address.secure();
        return "holdfast serve" + (usual ? "" : " --port " + address.port());
    }

    private Failure notABroker(String why, @Nullable Throwable cause) {
        return Failure.failed(
                http.address() + " does not answer like a Holdfast broker (" + why
                        + "). Is something else on this port? Set the broker's address with --url or HOLDFAST_URL.",
                cause);
    }
}
