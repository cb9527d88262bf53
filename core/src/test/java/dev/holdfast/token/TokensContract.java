package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.Engine;
import dev.holdfast.store.Sha256;
import dev.holdfast.testing.OnSettableStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens end by the store's clock, which is years ahead of this machine's here. */
abstract class TokensContract extends OnSettableStore {
    private static final Duration HOUR = Duration.ofHours(1);

    private final AtomicLong nanos = new AtomicLong();
    private Tokens tokens;

    TokensContract(Engine engine) {
        super(engine);
    }

    @BeforeEach
    void start() {
        on.empty();
        on.settableClock().reset();
        tokens = new Tokens(on.store(), claims.events(), nanos::get, new SecureRandom());
    }

    private Tokens.Made create(@Nullable Duration good) {
        return tokens.create(new NewToken(
                "ann",
                Set.of(Role.VIEWER),
                List.of(),
                good == null ? null : on.settableClock().now().plus(good),
                null));
    }

    /** Longer than anything is remembered. */
    private void pass(Duration time) {
        on.settableClock().advance(time);
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    }

    @Test
    void a_token_expires_by_the_clock_of_the_store() {
        Tokens.Made made = create(HOUR);
        assertThat(tokens.now()).isEqualTo(on.settableClock().now());
        assertThat(tokens.shown(made.text())).isInstanceOf(TokenStatus.Good.class);
        pass(HOUR.minusSeconds(1));
        assertThat(tokens.shown(made.text())).isInstanceOf(TokenStatus.Good.class);
        assertThat(tokens.live()).hasSize(1);
        pass(Duration.ofSeconds(1));
        assertThat(tokens.shown(made.text())).isInstanceOf(TokenStatus.Expired.class);
        assertThat(tokens.live()).isEmpty();
    }

    @Test
    void a_token_that_was_just_looked_up_expires_on_time_too() {
        Tokens.Made made = create(Duration.ofMillis(300));
        assertThat(tokens.shown(made.text())).isInstanceOf(TokenStatus.Good.class);
        nanos.addAndGet(Duration.ofMillis(200).toNanos());
        assertThat(tokens.shown(made.text())).isInstanceOf(TokenStatus.Good.class);
        nanos.addAndGet(Duration.ofMillis(200).toNanos());
        assertThat(tokens.shown(made.text())).isInstanceOf(TokenStatus.Expired.class);
    }

    @Test
    void a_former_secret_ends_by_the_clock_of_the_store() {
        String former = create(null).text();
        String now = tokens.rotate("ann", HOUR, null, null).text();
        assertThat(tokens.shown(former)).isInstanceOf(TokenStatus.Good.class);
        pass(HOUR);
        assertThat(tokens.shown(former)).isInstanceOf(TokenStatus.Unknown.class);
        assertThat(tokens.shown(now)).isInstanceOf(TokenStatus.Good.class);
    }

    @Test
    void a_browser_is_signed_out_by_the_clock_of_the_store() {
        String hash = Sha256.hex(create(null).text());
        String session = tokens.sessions().open(hash);
        assertThat(tokens.sessions().tokenHash(session)).hasValue(hash);
        pass(PageSessions.LONGEST);
        assertThat(tokens.sessions().tokenHash(session)).isEmpty();
    }

    @Test
    void of_the_browsers_that_one_token_has_signed_in_the_last_hundred_stay_so() {
        String hash = Sha256.hex(create(null).text());
        String other = Sha256.hex("of the broker's user");
        String others = tokens.sessions().open(other);
        String link = tokens.sessions().link(hash);
        List<String> browsers = new ArrayList<>();
        for (int i = 0; i < 103; i++) {
            browsers.add(tokens.sessions().open(hash));
            pass(Duration.ofSeconds(1));
        }
        pass(Duration.ofSeconds(1));
        assertThat(browsers.stream()
                        .filter(browser -> tokens.sessions().tokenHash(browser).isPresent()))
                .containsExactlyElementsOf(browsers.subList(3, 103));
        assertThat(tokens.sessions().tokenHash(others)).hasValue(other);
        assertThat(tokens.sessions().linked(link)).hasValue(hash);

        String first = tokens.sessions().link(hash);
        for (int i = 0; i < 100; i++) {
            pass(Duration.ofSeconds(1));
            tokens.sessions().link(hash);
        }
        assertThat(tokens.sessions().linked(first)).isEmpty();
        assertThat(tokens.sessions().tokenHash(browsers.getLast())).hasValue(hash);
    }
}
