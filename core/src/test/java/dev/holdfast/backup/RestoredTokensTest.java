package dev.holdfast.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.Claims;
import dev.holdfast.event.Event;
import dev.holdfast.event.Events;
import dev.holdfast.store.PostgresStore;
import dev.holdfast.store.SqliteStore;
import dev.holdfast.store.Store;
import dev.holdfast.testing.TestPostgres;
import dev.holdfast.token.NewToken;
import dev.holdfast.token.RestoredTokens;
import dev.holdfast.token.Role;
import dev.holdfast.token.TokenStatus;
import dev.holdfast.token.Tokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A team has tokens, makes a backup, and changes its tokens before the backup is restored. */
class RestoredTokensTest {
    @TempDir
    private Path folder;

    private Path data;
    private Path copy;
    private String ann = "";
    private String bob = "";
    private String carlBefore = "";
    private String carl = "";
    private String dora = "";
    private String browser = "";

    @BeforeEach
    void folders() throws IOException {
        data = folder.resolve("data");
        copy = Files.createFile(folder.resolve("copy"));
    }

    private static Tokens tokens(Store store) {
        return new Tokens(store, new Events(1, () -> {}), System::nanoTime, new SecureRandom());
    }

    private static String made(Tokens tokens, String name) {
        return tokens.create(new NewToken(name, Set.of(Role.WORKER), List.of(), null, null))
                .text();
    }

    private void before(Store store) {
        Tokens tokens = tokens(store);
        ann = made(tokens, "ann");
        bob = made(tokens, "bob");
        carlBefore = made(tokens, "carl");
        browser = tokens.sessions()
                .open(((TokenStatus.Good) tokens.shown(ann)).token().id());
    }

    private void after(Store store) {
        Tokens tokens = tokens(store);
        tokens.revoke("bob", "ann");
        carl = tokens.rotate("carl", Duration.ZERO, null, "ann").text();
        dora = made(tokens, "dora");
    }

    private static RestoreOptions options(boolean revokeTokens) {
        return new RestoreOptions(true, revokeTokens, Instant.now());
    }

    @Test
    void what_was_revoked_or_rotated_since_the_backup_stays_so_when_the_store_that_knows_it_is_replaced() {
        try (SqliteStore store = SqliteStore.open(data)) {
            before(store);
            SqliteBackup.write(data, copy);
            after(store);
        }
        SqliteBackup.Restored restored = SqliteBackup.read(copy, data, options(false));
        assertThat(restored.tokens())
                .isEqualTo(new RestoredTokens(
                        List.of("ann", "carl"), List.of("bob"), List.of("carl"), List.of("dora"), true));
        try (SqliteStore store = SqliteStore.open(data);
                Claims claims = Claims.over(store)) {
            Tokens tokens = tokens(store);
            assertThat(tokens.shown(ann)).isInstanceOf(TokenStatus.Good.class);
            assertThat(tokens.shown(bob)).isInstanceOf(TokenStatus.Revoked.class);
            assertThat(tokens.shown(carlBefore)).isInstanceOf(TokenStatus.Unknown.class);
            assertThat(tokens.shown(carl)).isInstanceOf(TokenStatus.Good.class);
            assertThat(tokens.shown(dora)).isInstanceOf(TokenStatus.Unknown.class);
            assertThat(tokens.sessions().tokenHash(browser))
                    .as("signs in again")
                    .isEmpty();
            assertThat(claims.tail().after(1_000_000, 100).stream().map(Event::type))
                    .contains("token_revoked", "token_rotated");
        }
        assertThat(SqliteBackup.read(copy, data, options(false)).tokens().revoked())
                .as("a second restore of the same backup")
                .containsExactly("bob");
    }

    @Test
    void without_a_store_to_ask_tokens_are_as_in_the_backup_and_that_is_said() {
        try (SqliteStore store = SqliteStore.open(data)) {
            before(store);
            SqliteBackup.write(data, copy);
            after(store);
        }
        Path other = folder.resolve("other");
        assertThat(SqliteBackup.read(copy, other, options(false)).tokens())
                .isEqualTo(new RestoredTokens(List.of("ann", "bob", "carl"), List.of(), List.of(), List.of(), false));
        try (SqliteStore store = SqliteStore.open(other)) {
            assertThat(tokens(store).shown(bob)).isInstanceOf(TokenStatus.Good.class);
        }
    }

    @Test
    void all_can_be_revoked_on_sqlite() {
        try (SqliteStore store = SqliteStore.open(data)) {
            before(store);
        }
        SqliteBackup.write(data, copy);
        Path other = folder.resolve("other");
        assertThat(SqliteBackup.read(copy, other, options(true)).tokens().revoked())
                .containsExactly("ann", "bob", "carl");
        try (SqliteStore store = SqliteStore.open(other)) {
            assertThat(tokens(store).shown(ann)).isInstanceOf(TokenStatus.Revoked.class);
        }
    }

    @Test
    void all_can_be_revoked_on_postgresql() {
        String address = TestPostgres.freshDatabase();
        try (PostgresStore store = PostgresStore.open(address)) {
            before(store);
            PostgresBackup.write(address, copy);
        }
        String kept = TestPostgres.emptyDatabase();
        assertThat(PostgresBackup.read(copy, kept, options(false)).valid()).containsExactly("ann", "bob", "carl");
        try (PostgresStore store = PostgresStore.open(kept)) {
            assertThat(tokens(store).shown(ann)).isInstanceOf(TokenStatus.Good.class);
            assertThat(tokens(store).sessions().tokenHash(browser)).isEmpty();
        }
        String revoked = TestPostgres.emptyDatabase();
        assertThat(PostgresBackup.read(copy, revoked, options(true)).revoked()).containsExactly("ann", "bob", "carl");
        try (PostgresStore store = PostgresStore.open(revoked);
                Claims claims = Claims.over(store)) {
            assertThat(tokens(store).shown(ann)).isInstanceOf(TokenStatus.Revoked.class);
            assertThat(claims.tail().after(0, 1000).stream().map(Event::type)).contains("token_revoked");
        }
    }
}
