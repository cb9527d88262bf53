package dev.holdfast.broker.api;

import dev.holdfast.broker.auth.MemoryShares;
import dev.holdfast.broker.verb.Answer;
import dev.holdfast.claim.RefusalCode;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import tools.jackson.databind.json.JsonMapper;

/** Writes answers to callers, and finds out whether they arrived. */
public final class Replies {
    public static final String JSON = "application/json";
    private static final JsonMapper MAPPER = JsonMapper.shared();
    /** One caller may only be reading a few answers at once that are longer than this. */
    private static final int LONG = 256 << 10;

    private Replies() {}

    static void send(Context request, Answer answer) {
        send(request, answer.status(), answer);
    }

    /** Writes an answer, then runs its callback for delivery or, if the caller is gone, for failed delivery. */
    public static void send(Context request, int status, Answer answer) {
        boolean written = false;
        try {
            written = written(request, status, answer);
        } finally {
            (written ? answer.delivered() : answer.undelivered()).run();
        }
    }

    /** False: the caller is gone. */
    private static boolean written(Context request, int status, Answer answer) {
        boolean keep = true;
        if (answer.mustArrive()) {
            Peer peer = Peer.of(request.req());
            switch (peer.look()) {
                case GONE -> {
                    peer.hangUp();
                    return false;
                }
                case TALKING -> keep = false;
                case WAITING -> {}
            }
        }
        if (answer.refusal() == RefusalCode.BUSY) {
            request.header("Retry-After", "1");
        }
        if (!keep) {
            request.header("Connection", "close");
        }
        try {
            byte[] body = MAPPER.writeValueAsBytes(answer.body());
            if (body.length > LONG) {
                MemoryShares.of(request.req()).takeAnswer();
            }
            write(request, status, JSON, body);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    static void write(Context request, int status, String type, byte[] body) throws IOException {
        HttpServletResponse response = request.res();
        request.status(status);
        response.setContentType(type);
        response.setContentLength(body.length);
        response.setHeader("Cache-Control", "no-store");
        OutputStream out = response.getOutputStream();
        out.write(body);
        out.flush();
    }
}
