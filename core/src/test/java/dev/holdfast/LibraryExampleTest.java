package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.ClaimOutcome.AlreadyHeld;
import dev.holdfast.claim.ClaimOutcome.Granted;
import dev.holdfast.claim.ClaimOutcome.Nothing;
import dev.holdfast.claim.ClaimRequest;
import dev.holdfast.claim.Claims;
import dev.holdfast.claim.Refusal;
import dev.holdfast.claim.Resource;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the README, as it stands there. */
class LibraryExampleTest {
    // tag::example[]
    static String deployOnce(Path folder, String agent) {
        try (Store store = SqliteStore.open(folder);
                Claims claims = Claims.over(store)) {
            return switch (claims.claim(ClaimRequest.of(Resource.key("deploy"), agent))) {
                case Granted granted -> {
                    // ... deploy, and show granted.claim().fence() with every change ...
                    claims.release(granted.claim(), "version 7 is out");
                    yield "done";
                }
                case AlreadyHeld already -> "mine until " + already.claim().expiresAt();
                case Refusal refusal -> refusal.message();
                case Nothing _ -> throw new AssertionError("only claim-next finds nothing");
            };
        }
    }
    // end::example[]

    @TempDir
    Path folder;

    @Test
    void the_example_claims_and_releases() {
        assertThat(deployOnce(folder, "agent-1")).isEqualTo("done");
    }

    @Test
    void the_example_tells_who_holds_it() {
        try (Store store = SqliteStore.open(folder);
                Claims claims = Claims.over(store)) {
            claims.claim(ClaimRequest.of(Resource.key("deploy"), "agent-1"));
        }
        assertThat(deployOnce(folder, "agent-2")).contains("held by agent-1");
    }
}
