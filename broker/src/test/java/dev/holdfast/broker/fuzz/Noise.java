package dev.holdfast.broker.fuzz;

import dev.holdfast.broker.verb.Property;
import dev.holdfast.broker.verb.Verb;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Makes arguments that a schema allows, that it almost allows, and that it does not, as a seed decides. */
final class Noise {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "ann",
            "unknown",
            "broker:x",
            "key:a",
            "work:1",
            "review:",
            "path:../../etc/passwd",
            "'; DROP TABLE events; --",
            "%s%n%x",
            "\u0000",
            "a\u0000b",
            "\ud800",
            "\udc00x",
            "\u202egnp.exe",
            "\ufeff",
            "e\u0301",
            "🦀",
            "-rf",
            "--help",
            "${jndi:ldap://x}",
            "<script>alert(1)</script>",
            "1970-01-01T00:00:00Z",
            "+999999999-12-31T23:59:59Z",
            "9223372036854775808",
            "NaN",
            "\r\nX: y",
            "C:\\con");

    private final Random random;
    /** Ids of things that are there, which make a call go further. */
    private final List<String> known;

    Noise(Random random, List<String> known) {
        this.random = random;
        this.known = known;
    }

    Map<String, @Nullable Object> arguments(Verb verb) {
        Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
        for (Property field : verb.arguments()) {
            if (field.required() ? random.nextInt(20) > 0 : random.nextInt(3) == 0) {
                arguments.put(field.name(), value(field, 0));
            }
        }
        if (random.nextInt(20) == 0) {
            arguments.put(text(), odd(0));
        }
        return arguments;
    }

    private @Nullable Object value(Property field, int depth) {
        if (random.nextInt(4) == 0) {
            return odd(depth);
        }
        return switch (field.type()) {
            case INTEGER, NUMBER -> random.nextBoolean() ? random.nextInt(0, 5) : random.nextLong();
            case BOOLEAN -> random.nextBoolean();
            case TEXT, TIME ->
                field.words().isEmpty() || random.nextInt(5) == 0
                        ? text()
                        : field.words().get(random.nextInt(field.words().size()));
            case TEXTS -> list(depth, () -> text());
            case OBJECT -> object(field, depth);
            case OBJECTS -> list(depth, () -> object(field, depth + 1));
            case ANYTHING -> Map.of(text(), text());
            case VALUE -> odd(depth);
        };
    }

    private Map<String, @Nullable Object> object(Property field, int depth) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (Property part : field.fields()) {
            if (random.nextInt(3) > 0) {
                object.put(part.name(), value(part, depth + 1));
            }
        }
        return object;
    }

    private List<@Nullable Object> list(int depth, java.util.function.Supplier<@Nullable Object> one) {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(depth > 2 ? 2 : 5); i > 0; i--) {
            list.add(one.get());
        }
        return list;
    }

    String text() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> TEXTS.get(random.nextInt(TEXTS.size()));
            case 2, 3 -> known.isEmpty() ? "x" : known.get(random.nextInt(known.size()));
            case 4 -> TEXTS.get(random.nextInt(TEXTS.size())) + TEXTS.get(random.nextInt(TEXTS.size()));
            default -> "x".repeat(random.nextInt(random.nextInt(50) == 0 ? 70_000 : 300));
        };
    }

    private @Nullable Object odd(int depth) {
        return switch (random.nextInt(depth > 3 ? 8 : 10)) {
            case 0 -> null;
            case 1 -> -1;
            case 2 -> Long.MAX_VALUE;
            case 3 -> Long.MIN_VALUE;
            case 4 -> 1e308;
            case 5 -> random.nextBoolean();
            case 6, 7 -> text();
            case 8 -> list(depth + 1, () -> odd(depth + 1));
            default -> Map.of(text(), String.valueOf(odd(depth + 1)));
        };
    }

    /** As JSON; now and then damaged. */
    String json(@Nullable Object value) {
        return damaged(JSON.writeValueAsString(value), 20);
    }

    /** One in so many has characters changed, left out, doubled or cut off. */
    String damaged(String text, int oneIn) {
        if (text.isEmpty() || random.nextInt(oneIn) > 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text);
        for (int times = random.nextInt(1, 4); times > 0 && !out.isEmpty(); times--) {
            int at = random.nextInt(out.length());
            switch (random.nextInt(5)) {
                case 0 -> out.setCharAt(at, (char) random.nextInt(32, 127));
                case 1 -> out.deleteCharAt(at);
                case 2 -> out.insert(at, TEXTS.get(random.nextInt(TEXTS.size())));
                case 3 -> out.setLength(at);
                default -> out.insert(at, out.substring(at, Math.min(out.length(), at + random.nextInt(1, 40))));
            }
        }
        return out.toString();
    }
}
