package dev.holdfast.broker.pool.engine;

/**
 * A kind of reviewer: knows the program, its arguments and how it gets its prompt. It starts nothing, opens nothing and
 * keeps no state.
 */
public interface ReviewerEngine {
    /** Its name in the config; its reviewers' ids begin with it. */
    String name();

    /**
     * How to start a reviewer with this spec.
     *
     * @throws UnusableLaunchException when this engine cannot start it; the message says why
     */
    Launch launch(LaunchSpec spec);
}
