package dev.holdfast.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.store.Engine;
import dev.holdfast.testing.RefusedRow;
import dev.holdfast.testing.TestStore;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every test that empties a store checks what PostgreSQL itself no longer checks. */
class UnsoundRowsTest {
    @ParameterizedTest
    @ValueSource(strings = {"state = 'lost'", "holder = NULL", "expires_at = NULL", "state = 'ready'"})
    void no_test_overlooks_a_row_that_cannot_be(String change) {
        try (TestStore on = TestStore.settable(Engine.POSTGRES);
                Claims claims = Claims.over(on.store())) {
            claims.claim(ClaimRequest.of(Resource.key("k"), "ann"));
            assertThat(on.unsoundRows()).isEmpty();
            RefusedRow.execute(on, List.of("UPDATE resources SET " + change));
            assertThat(on.unsoundRows()).containsExactly("key:k");
            assertThatThrownBy(on::empty).hasMessageContaining("key:k");
        }
    }
}
