package dev.holdfast.cli.event;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.http.EventStream;
import dev.holdfast.cli.http.HttpFailure;
import dev.holdfast.cli.json.Json;
import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.json.NotJsonException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Prints events as they happen, reconnecting as needed, without losing or repeating any. */
final class EventFollower {
    /** Longer than the broker is ever silent. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Invocation invocation;
    private final BrokerClient broker;
    private final @Nullable String resource;
    private @Nullable String lastId;
    private boolean everConnected;
    private boolean gone;

    /** @param after starts after this event; null: with new events */
    EventFollower(Invocation invocation, @Nullable Long after) {
        this.invocation = invocation;
        this.broker = invocation.broker();
        this.resource = invocation.arguments().text("--resource");
        this.lastId = after == null ? null : after.toString();
    }

    /** Ends when the broker refuses, or when nobody reads the output any more. */
    ExitCode run() {
        while (true) {
            try (EventStream stream = broker.events(lastId, SILENCE)) {
                if (stream.opening().status() == 200) {
                    everConnected = true;
                    reportReturn();
                    return printAll(stream);
                }
                Reply refusal = broker.reply(stream.opening());
                if (!everConnected || refusal.exitCode() != ExitCode.BUSY) {
                    return invocation.print(refusal, (reply, out) -> ExitCode.DONE);
                }
            } catch (HttpFailure e) {
                if (!everConnected) {
                    throw broker.failure(e, true);
                }
            }
            reportLoss();
            pause();
        }
    }

    private ExitCode printAll(EventStream stream) throws HttpFailure {
        try {
            return printUntilClosed(stream);
        } finally {
            lastId = stream.lastId() == null ? lastId : stream.lastId();
        }
    }

    private ExitCode printUntilClosed(EventStream stream) throws HttpFailure {
        while (true) {
            print(stream.next());
            if (invocation.shell().out().checkError()) {
                return ExitCode.DONE;
            }
        }
    }

    private void print(String data) {
        try {
            JsonObject event = JsonObject.of(Json.read(data));
            if (resource != null && !resource.equals(event.text("resource"))) {
                return;
            }
            if (invocation.arguments().has("--json")) {
                invocation.printDocument(data);
            } else {
                invocation
                        .shell()
                        .out()
                        .println(EventsCommand.line(
                                event, invocation.shell().width().getAsInt()));
            }
        } catch (NotJsonException e) {
            throw Failure.failed("the broker sent an event that is not JSON: " + e.getMessage(), e);
        }
    }

    private void reportLoss() {
        if (!gone) {
            gone = true;
            invocation.shell().err().println("holdfast: lost the broker; waiting for it to come back");
        }
    }

    private void reportReturn() {
        if (gone) {
            gone = false;
            invocation.shell().err().println("holdfast: the broker is back");
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
