package dev.holdfast.cli.session;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.ExitCode;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.command.Command;
import dev.holdfast.cli.command.Invocation;
import dev.holdfast.cli.http.Address;

/** Prints the token of the broker's user, for programs that do not find it themselves. */
public final class TokenCommand implements Command.Action {
    public static final Command SHOW = Command.define("token show", "Print the token that is sent to the broker.")
            .description("""
            The command line, the hooks and the stdio bridge find it automatically. It comes from HOLDFAST_TOKEN, else \
            from the file that HOLDFAST_TOKEN_FILE names, else from the file that the broker at this address keeps for its user. Anyone who has it can do everything you can do with the broker. Exit code 4: there is none.""")
            .examples("holdfast token show", "export HOLDFAST_TOKEN=\"$(holdfast token show)\"")
            .runs(new TokenCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        BrokerClient broker = invocation.broker();
        Address address = broker.http().address();
        String token = broker.token().at(address);
        if (token == null) {
            throw Failure.notFound("no token for " + address
                    + (address.isLoopback() ? " in " + broker.token().file(address) : "")
                    + "; a broker creates one when it starts with server.loopback set to token");
        }
        invocation.shell().out().println(token);
        return ExitCode.DONE;
    }
}
