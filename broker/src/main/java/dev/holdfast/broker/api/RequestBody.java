package dev.holdfast.broker.api;

import dev.holdfast.broker.auth.MemoryShares;
import dev.holdfast.broker.config.JsonProblem;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.broker.verb.Refusals;
import dev.holdfast.claim.RefusalCode;
import dev.holdfast.claim.RefusedException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a request's JSON, up to a limit, and rejects ambiguous input. */
public final class RequestBody {
    /** How far to read on in a body that is too large, as a multiple of the limit. */
    private static final long READ_ON = 4;

    private static final int DEEPEST = 32;

    /**
     * How many values, names and brackets a body may have. A tree takes far more memory than its text: without this
     * limit a few bodies of empty arrays would take all of the broker's. The largest task (10,000 steps) has a tenth.
     */
    private static final long MAX_TOKENS = 1_000_000;

    private final int limit;
    private final JsonMapper mapper;

    /** @param limit in bytes */
    public RequestBody(int limit) {
        this.limit = limit;
        mapper = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(DEEPEST)
                                .maxStringLength(limit)
                                .maxTokenCount(MAX_TOKENS)
                                .build())
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    /**
     * The request's JSON; an empty body counts as an empty object.
     *
     * @throws EarlyAnswerException when it is not JSON, or too large
     */
    public JsonNode read(HttpServletRequest request) throws IOException {
        byte[] bytes = bytes(request);
        if (bytes.length == 0) {
            return mapper.createObjectNode();
        }
        String type = request.getContentType();
        if (type == null || !isJson(type)) {
            throw new EarlyAnswerException(
                    415,
                    Answer.refused(
                            RefusalCode.INVALID,
                            "send the arguments as Content-Type: application/json, not "
                                    + (type == null ? "without one" : type)));
        }
        try {
            return mapper.readTree(bytes);
        } catch (StreamConstraintsException e) {
            throw new EarlyAnswerException(
                    Answer.refused(RefusalCode.INVALID, "the body cannot be read: " + JsonProblem.of(e)));
        } catch (JacksonException e) {
            throw new EarlyAnswerException(Answer.refused(
                    RefusalCode.INVALID,
                    "the body is not valid JSON" + JsonProblem.place(e) + ": " + JsonProblem.of(e)));
        }
    }

    private byte[] bytes(HttpServletRequest request) throws IOException {
        InputStream body = request.getInputStream();
        long length = request.getContentLengthLong();
        if (length >= 0 && length <= limit) {
            takeMemory(request, body, (int) length);
            return body.readNBytes((int) length); // the server ends the stream there
        }
        if (length < 0) {
            int small = Math.min(limit, MemoryShares.SMALL_BODY);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.writeBytes(body.readNBytes(small));
            if (bytes.size() == small && small < limit) {
                takeMemory(request, body, limit);
                bytes.writeBytes(body.readNBytes(limit - small));
            }
            if (bytes.size() < limit || body.read() < 0) {
                return bytes.toByteArray();
            }
        }
        // reads on for a while: a caller that is still sending would see a broken connection instead of the answer
        body.skip(READ_ON * limit);
        throw new EarlyAnswerException(Answer.refused(
                RefusalCode.TOO_LARGE,
                "the body is larger than " + limit + " bytes (limits.body_bytes); send less, or raise the limit"));
    }

    /** Waits for room in the memory; a caller that gets none may send its body to the end, to read the answer then. */
    private static void takeMemory(HttpServletRequest request, InputStream body, int length) throws IOException {
        if (length <= MemoryShares.SMALL_BODY) {
            return;
        }
        try {
            MemoryShares.of(request).takeBody(length);
        } catch (RefusedException busy) {
            body.skip(length);
            throw new EarlyAnswerException(Refusals.of(busy).orElseThrow());
        }
    }

    private static boolean isJson(String type) {
        String media = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return media.equals("application/json");
    }
}
