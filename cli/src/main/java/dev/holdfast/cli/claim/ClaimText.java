package dev.holdfast.cli.claim;

import dev.holdfast.cli.json.JsonObject;
import dev.holdfast.cli.terminal.JsonText;

/** Describes claims in one line, for people. */
public final class ClaimText {
    private ClaimText() {}

    public static String of(JsonObject claim) {
        String expiresAt = JsonText.time(claim, "expires_at");
        return JsonText.resource(claim) + ", generation " + claim.number("claim_generation") + ", until " + expiresAt;
    }
}
