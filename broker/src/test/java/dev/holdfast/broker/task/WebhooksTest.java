package dev.holdfast.broker.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.broker.Endpoint;
import dev.holdfast.claim.InvalidException;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Endpoints that answer badly, on real sockets. A call that hung would run into the time limit of its test. */
@Timeout(30)
class WebhooksTest {
    private final Webhooks webhooks = patient(Duration.ofSeconds(20));
    private final Webhooks hasty = patient(Duration.ofSeconds(1));

    private static Webhooks patient(Duration patience) {
        return new Webhooks(new Webhooks.Rules(Set.of("127.0.0.1"), "swordfish", patience, 3));
    }

    private void call(Endpoint endpoint) throws Exception {
        webhooks.call(endpoint.url(), "key", "{}");
    }

    private void callInHaste(Endpoint endpoint) throws Exception {
        hasty.call(endpoint.url(), "key", "{}");
    }

    @Test
    void an_answer_whose_body_never_ends_is_taken_by_its_status_and_hung_up_on() throws Exception {
        try (Endpoint endless = Endpoint.thatAnswers("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                .andThenForEver("5\r\nhello\r\n")) {
            call(endless);
            endless.awaitHungUp();
        }
    }

    @Test
    void an_error_whose_body_never_ends_is_an_error_at_once() throws Exception {
        try (Endpoint endless =
                Endpoint.thatAnswers("HTTP/1.1 500 Broken\r\n\r\n").andThenForEver("sorry ")) {
            assertThatThrownBy(() -> call(endless))
                    .isInstanceOf(IOException.class)
                    .hasMessage("it answered 500");
            endless.awaitHungUp();
        }
    }

    @Test
    void headers_that_drip_for_ever_are_waited_for_no_longer_than_allowed() throws Exception {
        try (Endpoint dripping =
                Endpoint.thatAnswers("HTTP/1.1 200 OK\r\n").andThenSlowlyForEver("X-More: of it\r\n")) {
            assertThatThrownBy(() -> callInHaste(dripping)).hasMessage("it did not answer within 1 s");
            dripping.awaitHungUp();
        }
    }

    @Test
    void headers_without_end_and_hints_without_end_are_not_read_for_ever() throws Exception {
        try (Endpoint huge = Endpoint.thatAnswers("HTTP/1.1 200 OK\r\n")
                        .andThenForEver("X-More: " + "x".repeat(999) + "\r\n");
                Endpoint hints = Endpoint.thatAnswers("").andThenForEver("HTTP/1.1 103 Early Hints\r\n\r\n")) {
            assertThatThrownBy(() -> callInHaste(huge)).isInstanceOf(IOException.class);
            huge.awaitHungUp();
            assertThatThrownBy(() -> callInHaste(hints)).isInstanceOf(IOException.class);
            hints.awaitHungUp();
        }
    }

    @Test
    void silence_is_waited_for_no_longer_than_allowed() throws Exception {
        try (Endpoint silent = Endpoint.thatAnswers("")) {
            assertThatThrownBy(() -> callInHaste(silent)).hasMessage("it did not answer within 1 s");
            silent.awaitHungUp();
        }
    }

    @Test
    void what_is_redirected_is_not_followed() throws Exception {
        try (Endpoint other = Endpoint.thatAnswers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                Endpoint pointing = Endpoint.thatAnswers(
                        "HTTP/1.1 307 Elsewhere\r\nLocation: " + other.url() + "\r\nContent-Length: 0\r\n\r\n")) {
            assertThatThrownBy(() -> call(pointing)).hasMessage("it answered 307");
            assertThat(other.calls()).isZero();
        }
    }

    @Test
    void nobody_is_called_whom_the_configuration_does_not_list() {
        Webhooks none = new Webhooks(new Webhooks.Rules(Set.of(), "", Duration.ofSeconds(1), 3));
        for (String url : Set.of("http://127.0.0.1:1/", "https://169.254.169.254/latest", "https://example.org/")) {
            assertThatThrownBy(() -> none.call(url, "key", "{}"))
                    .isInstanceOf(InvalidException.class)
                    .hasMessageContaining("tasks.webhook_hosts");
        }
    }
}
