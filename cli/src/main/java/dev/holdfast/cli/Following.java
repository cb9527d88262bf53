package dev.holdfast.cli;

import dev.holdfast.cli.http.EventStream;
import dev.holdfast.cli.http.EventStream.Message;
import dev.holdfast.cli.http.HttpFailure;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Prints events as they happen, over as many connections as it takes, none twice and none left out. */
final class Following {
    /** Longer than the broker is ever silent. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Invocation invocation;
    private final BrokerDoor broker;
    private final String query;
    private @Nullable String lastId;
    private boolean everConnected;

    Following(Invocation invocation) {
        this.invocation = invocation;
        this.broker = invocation.broker();
        String resource = invocation.arguments().text("--resource");
        this.query = resource == null ? "" : "?resource=" + URLEncoder.encode(resource, StandardCharsets.UTF_8);
        Long after = invocation.arguments().number("--after");
        this.lastId = after == null ? null : after.toString();
    }

    /** Ends when the broker refuses, or when nobody reads the output any more. */
    ExitCode run() {
        while (true) {
            try (EventStream stream = broker.events(query, lastId, SILENCE)) {
                if (stream.opening().status() == 200) {
                    everConnected = true;
                    return printAll(stream);
                }
                Reply refusal = broker.reply(stream.opening());
                if (!everConnected || refusal.exitCode() != ExitCode.BUSY) {
                    return invocation.tell(refusal, (reply, out) -> ExitCode.DONE);
                }
            } catch (HttpFailure e) {
                if (!everConnected) {
                    throw broker.failure(e);
                }
            }
            pause();
        }
    }

    private ExitCode printAll(EventStream stream) throws HttpFailure {
        while (true) {
            Message message = stream.next();
            print(message.data());
            lastId = message.id();
            if (invocation.shell().out().checkError()) {
                return ExitCode.DONE;
            }
        }
    }

    private void print(String data) {
        if (invocation.arguments().has("--json")) {
            invocation.printDocument(data);
            return;
        }
        try {
            invocation.shell().out().println(EventsCommand.line(JsonObject.of(Json.read(data))));
        } catch (NotJsonException e) {
            throw Failure.failed("the broker sent an event that is not JSON: " + e.getMessage(), e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failure.failed("interrupted", e);
        }
    }
}
