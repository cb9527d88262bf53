package dev.holdfast.rules;

import java.util.Locale;

/** Whether a finding stands in the way. */
public enum Severity {
    SHOULD_FIX,
    NOTE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
