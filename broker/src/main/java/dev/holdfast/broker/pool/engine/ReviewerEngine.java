package dev.holdfast.broker.pool.engine;

/**
 * A kind of reviewer: it knows the program, its arguments and how it is told what to do. It starts nothing, opens
 * nothing and keeps nothing.
 */
public interface ReviewerEngine {
    /** What the config calls it; the ids of its reviewers begin with it. */
    String name();

    /**
     * How the reviewer of this seat is started.
     *
     * @throws UnusableSeatException when the seat can't be given to this engine as it is; the message says why
     */
    Launch launch(LaunchSpec spec);
}
