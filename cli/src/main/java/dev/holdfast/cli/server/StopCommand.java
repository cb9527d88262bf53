package dev.holdfast.cli.server;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.http.Address;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Stops the broker, wherever it was started. */
public final class StopCommand implements Command.Action {
    /** More than it takes to end its reviewers. */
    private static final int PATIENCE_SECONDS = 20;

    public static final Command DEFINITION = Command.define(
                    "stop", "Stop your broker cleanly, even one that runs in the background.")
            .description("Claims stay; the next start uses the same data ('serve', a hook, or 'mcp --start')."
                    + " Exit code 7: no broker is running there.")
            .examples("holdfast stop", "holdfast stop --url http://127.0.0.1:9000")
            .runs(new StopCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        BrokerClient broker = invocation.broker();
        Address address = broker.http().address();
        if (!ServedBroker.isOfThisMachine(address)) {
            throw Failure.invalid(
                    "stop only works for brokers on this machine; the one at " + address + " is on another");
        }
        ServedBroker served = ServedBroker.at(invocation.shell(), address)
                .orElseThrow(() -> Failure.notFound("you have no broker on record at " + address
                        + ". If one runs there, stop it where it was started (Ctrl-C, or kill its process)"));
        ProcessHandle process = served.process().orElseThrow(() -> ended(broker, address));
        process.destroy(); // SIGTERM: it ends its reviewers and answers waiting calls
        try {
            process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw Failure.failed(
                    "the broker (process " + process.pid() + ") has not stopped within " + PATIENCE_SECONDS + " s", e);
        } catch (ExecutionException | InterruptedException e) {
            throw Failure.failed("interrupted while the broker was stopping (process " + process.pid() + ")", e);
        }
        if (invocation.arguments().has("--json")) {
            invocation.printDocument("{\"stopped\":true,\"pid\":" + process.pid() + "}");
        } else {
            invocation.shell().out().println("stopped (process " + process.pid() + ", " + served.store() + ")");
        }
        return ExitCode.DONE;
    }

    /** This user's last broker there has already stopped. */
    private static Failure ended(BrokerClient broker, Address address) {
        try {
            broker.openapi();
        } catch (Failure e) {
            if (List.of("unreachable", "unanswered").contains(e.code())) {
                return Failure.unreachable("no broker is running at " + address + " (the last one has stopped)", e);
            }
        }
        return Failure.notFound("a broker answers at " + address
                + ", but it is not the one that you started there last, which has ended. Stop it where it was started"
                + " (Ctrl-C, or kill its process)");
    }
}
