package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.Broker;
import dev.holdfast.broker.Caller;
import dev.holdfast.broker.config.Config;
import java.nio.file.Files;
import java.util.concurrent.locks.LockSupport;

/** A broker with a team at work, to look at while building pages: run it, open the address it prints. */
final class Showcase {
    private Showcase() {}

    public static void main(String[] given) throws Exception {
        Broker broker = Broker.start(Config.in(Files.createTempDirectory("holdfast-showcase")));
        new Team(new Caller(broker)).atWork();
        System.out.println(broker.url());
        while (true) {
            LockSupport.park();
        }
    }
}
