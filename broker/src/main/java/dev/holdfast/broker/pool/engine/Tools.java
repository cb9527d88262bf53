package dev.holdfast.broker.pool.engine;

import java.util.List;

/** The broker as a reviewer sees it: the name of the MCP server and the few tools that reviewing needs. */
final class Tools {
    static final String SERVER = "holdfast";

    /** Nothing to propose with, to close with or to rule the pool with: whoever talks a reviewer into it gets nowhere. */
    static final List<String> OF_A_REVIEWER = List.of(
            "claim_next_review",
            "get_proposal",
            "get_discussion",
            "get_review_status",
            "submit_verdict",
            "release_review",
            "heartbeat");

    private Tools() {}
}
