package dev.holdfast.broker.fuzz;

import dev.holdfast.broker.verb.Verb;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Inputs for one of the doors behind the broker's address, and what is right for an answer to each. */
interface Door {
    JsonMapper JSON = JsonMapper.shared();

    Input next(Noise noise);

    /** What to make of the answer; learns from it what makes the next inputs go further. */
    Outcome judge(Input input, Wire.Response response, Learnt learnt);

    /**
     * A request as it goes over the wire.
     *
     * @param verb which it calls, if it gets that far; null: none
     * @param body as text, for whoever reads the report
     * @param inputs how many it counts for: lines of JSONL go by the dozen
     */
    record Input(
            String method,
            String path,
            List<String> headers,
            byte[] content,
            String body,
            @Nullable Verb verb,
            int inputs) {
        Input(String method, String path, List<String> headers, byte[] content, String body, @Nullable Verb verb) {
            this(method, path, headers, content, body, verb, 1);
        }

        byte[] bytes(int port) {
            StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
            if (headers.stream().noneMatch(header -> header.startsWith("Host:"))) {
                head.append("Host: 127.0.0.1:").append(port).append("\r\n");
            }
            headers.forEach(header -> head.append(header).append("\r\n"));
            boolean measured = headers.stream()
                    .anyMatch(
                            header -> header.startsWith("Transfer-Encoding:") || header.startsWith("Content-Length:"));
            if (!measured) {
                head.append("Content-Length: ").append(content.length).append("\r\n");
            }
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
            all.writeBytes(content);
            return all.toByteArray();
        }

        static Input post(Noise noise, String path, List<String> headers, String body, @Nullable Verb verb) {
            return new Input("POST", path, headers, noise.bytes(body), body, verb);
        }

        @Override
        public String toString() {
            String text = method + " " + path + " " + headers + " " + body;
            return text.length() <= 3_000 ? text : text.substring(0, 3_000) + "… (" + text.length() + ")";
        }
    }

    /**
     * What an input came to.
     *
     * @param kind what the table of results counts
     * @param mayWrite false: nothing may have been written
     * @param wrong what is wrong with the answer; null: nothing
     */
    record Outcome(String kind, boolean mayWrite, @Nullable String wrong) {
        static Outcome wrong(String what, Wire.Response response) {
            String body = response.body();
            return new Outcome(
                    "wrong",
                    true,
                    what + ": " + response.status() + " " + body.substring(0, Math.min(600, body.length())));
        }
    }

    /** Headers that a caller may add to any request, mostly none. */
    static List<String> headers(Noise noise, Learnt learnt) {
        List<String> headers = new ArrayList<>(List.of("Content-Type: application/json"));
        if (noise.oneIn(8)) {
            headers.add("Holdfast-Agent: " + oneLine(noise.text()));
        }
        if (noise.oneIn(40)) {
            Object token = learnt.value("token", noise.random());
            headers.add("Authorization: Bearer " + (token == null || noise.oneIn(3) ? oneLine(noise.text()) : token));
        }
        if (noise.oneIn(40)) {
            headers.add(
                    noise.oneOf(List.of("Holdfast-Repository: ", "Holdfast-Person: ", "Cookie: ", "Accept: ", "X: "))
                            + oneLine(noise.text()));
        }
        return headers;
    }

    /** As a header can have it, or nearly. */
    static String oneLine(String text) {
        return text.replaceAll("[\r\n]", " ").strip();
    }

    static @Nullable JsonNode json(Wire.Response response) {
        if (!response.json()) {
            return null;
        }
        try {
            return JSON.readTree(response.body());
        } catch (tools.jackson.core.JacksonException _) {
            return null;
        }
    }
}
