package dev.holdfast.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.claim.Claims;
import dev.holdfast.claim.RefusedException;
import dev.holdfast.store.Engine;
import java.util.concurrent.CyclicBarrier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** Claims on a store whose clock stands still until the test moves it; all tests of a class share the store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class OnSettableStore {
    protected final TestStore on;
    protected Claims claims;

    protected OnSettableStore(Engine engine) {
        on = TestStore.settable(engine);
        claims = Claims.over(on.store());
    }

    @AfterAll
    protected void close() {
        on.close();
    }

    protected static void assertRefused(ThrowingCallable call, String code, String text) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.code()).hasToString(code))
                .hasMessageContaining(text);
    }

    /** Waits until everybody has arrived here. */
    protected static void meet(CyclicBarrier start) {
        try {
            start.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
