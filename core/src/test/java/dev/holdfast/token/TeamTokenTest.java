package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TeamTokenTest {
    private static final Instant CREATED = Instant.parse("2026-11-18T10:00:00Z");

    private static TeamToken token(@Nullable Instant expires, String... projects) {
        return new TeamToken(
                "ab12cd34", "ann", Set.of(Role.WORKER), List.of(projects), CREATED, null, expires, null, null);
    }

    @Test
    void without_projects_it_covers_all_of_them() {
        assertThat(token(null).confined()).isFalse();
        assertThat(token(null).covers("shop")).isTrue();
    }

    @Test
    void with_projects_it_covers_those_in_any_spelling_and_no_other() {
        TeamToken confined = token(null, "webshop");

        assertThat(confined.confined()).isTrue();
        assertThat(confined.covers("webshop")).isTrue();
        assertThat(confined.covers("Web Shop")).isTrue();
        assertThat(confined.covers("books")).isFalse();
    }

    @Test
    void it_names_its_holder_and_those_below_and_nobody_whose_name_only_begins_alike() {
        assertThat(token(null).names("ann")).isTrue();
        assertThat(token(null).names("ann/reviewer")).isTrue();
        assertThat(token(null).names("anna")).isFalse();
        assertThat(token(null).names("bob")).isFalse();
    }

    @Test
    void it_expires_at_the_moment_it_says_or_never() {
        assertThat(token(null).expired(CREATED.plusSeconds(1_000_000))).isFalse();
        assertThat(token(CREATED.plusSeconds(60)).expired(CREATED.plusSeconds(59)))
                .isFalse();
        assertThat(token(CREATED.plusSeconds(60)).expired(CREATED.plusSeconds(60)))
                .isTrue();
    }

    @Test
    void a_revoked_copy_is_revoked_and_the_same_otherwise() {
        TeamToken revoked = token(null, "webshop").revoked(CREATED.plusSeconds(5));

        assertThat(revoked.revoked()).isTrue();
        assertThat(token(null).revoked()).isFalse();
        assertThat(revoked.revokedAt()).isEqualTo(CREATED.plusSeconds(5));
        assertThat(revoked.projects()).containsExactly("webshop");
    }
}
