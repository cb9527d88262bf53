package dev.holdfast.broker.config;

import java.util.List;

/** The configuration cannot be used; lists every problem. */
public final class ConfigException extends RuntimeException {
    private final transient List<String> problems;

    public ConfigException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
