package dev.holdfast.broker.hook;

import java.util.Locale;

/** A program that runs coding agents and calls hooks. */
enum Host {
    CLAUDE,
    CODEX;

    /** The kind of its agents, and the last part of its hooks' path. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
