package dev.holdfast.rules;

import java.util.Locale;

/** Whether a finding prevents approval. */
public enum Severity {
    SHOULD_FIX,
    NOTE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
