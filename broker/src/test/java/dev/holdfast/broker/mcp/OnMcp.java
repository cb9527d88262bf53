package dev.holdfast.broker.mcp;

import dev.holdfast.broker.OnOneBroker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** All tests of a class share one broker, and a client that sends whatever it is given. */
abstract class OnMcp extends OnOneBroker {
    @SuppressWarnings("NullAway.Init") // connected before all tests
    RawClient client;

    @BeforeAll
    void connect() {
        client = new RawClient(broker);
    }

    @AfterAll
    void disconnect() {
        client.close();
    }
}
