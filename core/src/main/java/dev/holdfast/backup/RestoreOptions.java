package dev.holdfast.backup;

import java.time.Instant;

/**
 * How to restore a backup.
 *
 * @param replace put an existing SQLite store aside; otherwise it is an error
 * @param revokeTokens leave no token valid
 */
public record RestoreOptions(boolean replace, boolean revokeTokens, Instant now) {}
