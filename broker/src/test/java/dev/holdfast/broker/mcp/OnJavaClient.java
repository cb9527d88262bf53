package dev.holdfast.broker.mcp;

import dev.holdfast.broker.OnBroker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Each test has a broker of its own, and the official Java client at one of its addresses. */
abstract class OnJavaClient extends OnBroker {
    private final String path;

    @SuppressWarnings("NullAway.Init") // connected before each test
    JavaClient client;

    OnJavaClient(String path) {
        this.path = path;
    }

    @BeforeEach
    void connect() {
        client = JavaClient.to(broker.url(), path);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }
}
