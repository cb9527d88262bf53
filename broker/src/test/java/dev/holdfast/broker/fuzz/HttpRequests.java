package dev.holdfast.broker.fuzz;

import dev.holdfast.broker.ResultSchema;
import dev.holdfast.broker.verb.Verb;
import dev.holdfast.claim.RefusalCode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Calls of every verb over REST, and now and then of other paths, by other methods, or as HTTP that is none. */
final class HttpRequests implements Door {
    /** What is refused before it is a call has a status of its own; its code is always invalid or forbidden. */
    private static final Set<Integer> EARLY = Set.of(400, 403, 404, 405, 413, 414, 415, 417, 421, 431, 501, 505);

    private static final List<String> PAGES = List.of(
            "/",
            "/reviews",
            "/work",
            "/tasks",
            "/agents",
            "/events",
            "/pool",
            "/settings",
            "/ui/find",
            "/ui/known",
            "/ui/matching/reviews",
            "/reviews/x",
            "/reviews/x/lines",
            "/work/x",
            "/tasks/x",
            "/dashboard/api/overview",
            "/dashboard/api/logs",
            "/dashboard/api/logs/x",
            "/api/v1/caller",
            "/healthz",
            "/readyz",
            "/metrics",
            "/nothing");

    private final List<Verb> verbs;
    private final JsonNode openApi;
    private final Learnt learnt;
    private int turn;

    HttpRequests(List<Verb> verbs, JsonNode openApi, Learnt learnt) {
        this.verbs = verbs;
        this.openApi = openApi;
        this.learnt = learnt;
    }

    @Override
    public Input next(Noise noise) {
        if (noise.oneIn(50)) {
            return noise.oneIn(2) ? odd(noise) : page(noise);
        }
        Verb verb = verbs.get(turn++ % verbs.size());
        Object body = noise.oneIn(100) ? noise.odd(0) : noise.arguments(verb.arguments());
        return Input.post(noise, "/api/v1/" + verb.name(), Door.headers(noise, learnt), noise.json(body), verb);
    }

    private static Input page(Noise noise) {
        String path = noise.oneOf(PAGES).replace("/x", "/" + encoded(noise.text()));
        List<String> headers = List.of("Accept: " + noise.oneOf(List.of("text/html", "*/*", "application/json", "")));
        String query = "?" + encoded(noise.oneOf(List.of("q", "id", "since", "page", "sort", "state", "type", "limit")))
                + "=" + encoded(noise.text());
        return new Input(noise.oneOf(List.of("GET", "GET", "HEAD")), path + query, headers, new byte[0], "", null);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text.substring(0, Math.min(500, text.length())), StandardCharsets.UTF_8);
    }

    /** A call that HTTP itself, a guard or the router has to deal with. */
    private Input odd(Noise noise) {
        Verb verb = noise.oneOf(verbs);
        String body = noise.json(noise.arguments(verb.arguments()));
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        String method = "POST";
        String path = "/api/v1/" + verb.name();
        List<String> headers = new ArrayList<>(List.of("Content-Type: application/json"));
        switch (noise.random().nextInt(12)) {
            case 0 ->
                method = noise.oneOf(List.of("GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "post", "X"));
            case 1 ->
                path = noise.oneOf(List.of(
                                "/api/v1/", "/api/v1//", "//api/v1/", "/api/v1/../v1/", "/api/v1/%2e%2e/", "/API/v1/"))
                        + verb.name()
                        + noise.oneOf(
                                List.of("", "/", ";x=1", "?x=%zz", "%00", "%2f", "#x", "?" + "a=b&".repeat(3_000)));
            case 2 ->
                headers.set(
                        0,
                        "Content-Type: "
                                + noise.oneOf(List.of(
                                        "",
                                        "text/plain",
                                        "application/json; charset=utf-16",
                                        "application/json; charset=x",
                                        "multipart/form-data",
                                        "application/x-www-form-urlencoded",
                                        "application/JSON ;",
                                        ";",
                                        "application/json\u00e4")));
            case 3 -> headers.clear();
            case 4 ->
                headers.add(
                        "Host: " + noise.oneOf(List.of("evil.example", "", "127.0.0.1", "[::1", "localhost:99999")));
            case 5 ->
                headers.add("Origin: " + noise.oneOf(List.of("http://evil.example", "null", "http://", "file://")));
            case 6 ->
                headers.add(noise.oneOf(List.of(
                        "X-HTTP-Method-Override: GET",
                        "Expect: 100-continue",
                        "Expect: x",
                        "Content-Encoding: gzip",
                        "Sec-Fetch-Site: cross-site",
                        "Connection: close",
                        "Connection: Upgrade",
                        "Upgrade: h2c",
                        "Content-Type: text/plain",
                        "Forwarded: for=1.2.3.4",
                        "X-Forwarded-For: 1.2.3.4",
                        "Range: bytes=0-1")));
            case 7 -> headers.add("X-Long: " + "x".repeat(noise.oneOf(List.of(100, 7_000, 9_000, 70_000))));
            case 8 -> {
                headers.add("Transfer-Encoding: chunked");
                String size = noise.oneOf(List.of(
                        Integer.toHexString(content.length),
                        Integer.toHexString(content.length) + ";x",
                        "zz",
                        "-1",
                        "0"));
                content = (size + "\r\n" + body + "\r\n0\r\n\r\n").getBytes(StandardCharsets.UTF_8);
                headers.add("Connection: close");
            }
            case 9 -> {
                headers.add("Content-Length: " + content.length);
                headers.add("Content-Length: " + noise.oneOf(List.of(content.length, content.length + 1, -1, 0)));
                headers.add("Connection: close");
            }
            case 10 ->
                headers.add(noise.oneOf(
                        List.of("no colon", ": no name", "Na me: x", "X: a\u0000b", " folded", "X: \u00ff")));
            default -> headers.add("Content-Type: application/json");
        }
        return new Input(method, path, headers, content, body, null);
    }

    @Override
    public Outcome judge(Input input, Wire.Response response, Learnt learnt) {
        JsonNode body = Door.json(response);
        int status = response.status();
        if (status == 200 && input.verb() != null) {
            if (body == null || !body.isObject()) {
                return Outcome.wrong("a result that is no JSON object", response);
            }
            try {
                ResultSchema.check(schema(input.verb()), body, input.verb().name());
            } catch (AssertionError e) {
                return Outcome.wrong("a result that is not as OpenAPI has it, " + e.getMessage(), response);
            }
            learnt.from(body);
            return new Outcome("done", !input.verb().effect().readOnly(), null);
        }
        boolean call = input.verb() != null;
        if (!call && input.method().equals("HEAD") && status < 500) {
            return new Outcome("pages", false, null);
        }
        if (!call && status < 400) {
            return new Outcome(input.method().equals("GET") ? "pages" : "done", true, null);
        }
        if (!call && status < 500 && !response.json()) {
            return new Outcome("pages", false, null);
        }
        if (!call && status == RefusalCode.BUSY.status() && !response.json()) {
            return new Outcome("busy pages", false, null); // a page says so in its own words
        }
        Optional<RefusalCode> code = code(body);
        if (code.isEmpty()
                || code.get() == RefusalCode.INTERNAL
                || body == null
                || body.path("error").asString("").isEmpty()) {
            return Outcome.wrong("neither a result nor a refusal", response);
        }
        if (code.get().status() != status && !EARLY.contains(status)) {
            return Outcome.wrong("a refusal with another's status", response);
        }
        return new Outcome(code.get().toString(), false, null);
    }

    static Optional<RefusalCode> code(@Nullable JsonNode body) {
        return body == null
                ? Optional.empty()
                : RefusalCode.of(body.path("code").asString(""));
    }

    private JsonNode schema(Verb verb) {
        return openApi.at("/paths/~1api~1v1~1" + verb.name() + "/post/responses/200/content/application~1json/schema");
    }
}
