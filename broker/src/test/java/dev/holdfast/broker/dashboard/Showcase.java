package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.BrokerClient;
import dev.holdfast.broker.config.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** A broker with a team on a busy day, to look at while building pages: run it, open the address it prints. */
final class Showcase {
    private Showcase() {}

    public static void main(String[] given) throws Exception {
        Path folder = Files.createTempDirectory("holdfast-showcase");
        Broker broker = Broker.start(Config.in(folder));
        new Team(new BrokerClient(broker)).onABusyDay();
        History.write(folder);
        System.out.println(broker.url());
        while (true) {
            LockSupport.park();
        }
    }
}
