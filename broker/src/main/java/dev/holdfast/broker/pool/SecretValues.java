package dev.holdfast.broker.pool;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a reviewer's environment keeps secret, and its log must too: every token may read that. */
record SecretValues(Set<String> values) {
    private static final Pattern SECRET =
            Pattern.compile("TOKEN|KEY|SECRET|PASSWORD|CREDENTIAL", Pattern.CASE_INSENSITIVE);

    /** A shorter value may be a word that means something else in a text. */
    private static final int SHORTEST = 12;

    static SecretValues of(Map<String, String> environment) {
        return new SecretValues(environment.entrySet().stream()
                .filter(variable -> SECRET.matcher(variable.getKey()).find())
                .map(Map.Entry::getValue)
                .filter(value -> value.length() >= SHORTEST)
                .collect(Collectors.toSet()));
    }

    /** The text with dots in place of secrets. */
    String hidden(String text) {
        String shown = text;
        for (String value : values) {
            shown = shown.replace(value, "•••");
        }
        return shown;
    }

    /** Leaves out the values. */
    @Override
    public String toString() {
        return "Secrets[" + values.size() + "]";
    }
}
