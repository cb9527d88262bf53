package dev.holdfast.token;

import dev.holdfast.event.Events;
import dev.holdfast.store.Transaction;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a store that was restored from a backup, by name. A backup has them as they were when it was made, so
 * by itself a restore would make those valid again that were revoked since, and the old secrets of those that were
 * rotated since. The store that is replaced knows better, if there is one. Browsers must sign in again in any case.
 *
 * @param valid those that can be used
 * @param revoked those that the restore revoked
 * @param rotated those whose secret is the one they had in the replaced store
 * @param gone those that were valid in the replaced store, and are not in the backup
 * @param compared whether a replaced store was asked
 */
public record RestoredTokens(
        List<String> valid, List<String> revoked, List<String> rotated, List<String> gone, boolean compared) {
    private static final String RESTORE = "restore";
    private static final Events EVENTS = new Events(0, () -> {});

    public RestoredTokens {
        valid = List.copyOf(valid);
        revoked = List.copyOf(revoked);
        rotated = List.copyOf(rotated);
        gone = List.copyOf(gone);
    }

    /** Which secret of a token is valid, and until when; only hashes. */
    public record Known(
            TeamToken token,
            String hash,
            @Nullable String formerHash,
            @Nullable Instant formerUntil) {
        private String id() {
            return token.id();
        }
    }

    /** What a store that is about to be replaced knows of its tokens. */
    public static List<Known> known(Transaction transaction) throws SQLException {
        return TokenTable.known(transaction);
    }

    /**
     * Leaves valid in a restored store what is valid in the replaced one.
     *
     * @param before what the replaced store knows; empty: there was none, or it could not be read
     * @param revokeAll leave none valid
     */
    public static RestoredTokens settle(
            Transaction transaction, Optional<List<Known>> before, boolean revokeAll, Instant now) throws SQLException {
        PageSessionTable.deleteAll(transaction);
        Map<String, Known> known =
                before.orElse(List.of()).stream().collect(Collectors.toMap(Known::id, Function.identity()));
        List<String> valid = new ArrayList<>();
        List<String> revoked = new ArrayList<>();
        List<String> rotated = new ArrayList<>();
        for (Known restored : TokenTable.known(transaction)) {
            TeamToken token = restored.token;
            Known last = known.remove(token.id());
            if (token.revoked()) {
                continue;
            }
            if (revokeAll || (last != null && last.token.revoked())) {
                TokenTable.revoke(transaction, token.id(), RESTORE, now);
                Tokens.tell(EVENTS, transaction, "token_revoked", token, RESTORE);
                revoked.add(token.name());
                continue;
            }
            if (last != null && !last.hash.equals(restored.hash)) {
                TokenTable.setSecrets(transaction, last);
                Tokens.tell(EVENTS, transaction, "token_rotated", token, RESTORE);
                rotated.add(token.name());
            }
            if (!(last == null ? token : last.token).expired(now)) {
                valid.add(token.name());
            }
        }
        List<String> gone = known.values().stream()
                .map(Known::token)
                .filter(token -> !token.revoked() && !token.expired(now))
                .map(TeamToken::name)
                .sorted()
                .toList();
        return new RestoredTokens(valid, revoked, rotated, gone, before.isPresent());
    }
}
