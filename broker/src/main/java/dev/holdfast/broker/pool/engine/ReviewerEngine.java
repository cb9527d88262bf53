package dev.holdfast.broker.pool.engine;

/**
 * A kind of reviewer: it knows the program, its arguments and how it gets its prompt. It starts nothing, opens
 * nothing and keeps nothing.
 */
public interface ReviewerEngine {
    /** What the config calls it; the ids of its reviewers begin with it. */
    String name();

    /**
     * How a reviewer with this spec is started.
     *
     * @throws UnusableLaunchException when this engine cannot be started with it; the message says why
     */
    Launch launch(LaunchSpec spec);
}
