package dev.holdfast.cli;

import dev.holdfast.cli.http.Address;
import java.util.List;

/** Shows the token of the broker's user to programs that do not find it by themselves. */
final class TokenCommand implements Command.Action {
    static final Command SHOW = new Command(
            "token show",
            "Print the token that a broker with server.loopback: token requires.",
            """
            The command line, the hooks and the stdio bridge find it by themselves. It is the value of HOLDFAST_TOKEN, else \
            of the file that the broker at this address keeps for its user. Anybody who has it can do \
            everything with the broker that you can. Exit code 4: there is none.""",
            List.of(),
            List.of(),
            List.of("holdfast token show", "export HOLDFAST_TOKEN=\"$(holdfast token show)\""),
            new TokenCommand());

    @Override
    public ExitCode run(Invocation invocation) {
        BrokerDoor broker = invocation.broker();
        Address address = broker.http().address();
        String token = broker.token().at(address);
        if (token == null) {
            throw Failure.notFound("there is no token for " + address
                    + (address.isLoopback() ? " in " + broker.token().file(address) : "")
                    + "; a broker makes one at its start if server.loopback is token in its settings");
        }
        invocation.shell().out().println(token);
        return ExitCode.DONE;
    }
}
