package dev.holdfast.broker.fuzz;

import dev.holdfast.broker.verb.Property;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Makes values that a schema allows, and then makes one or a few of them wrong, as a seed decides. */
final class Noise {
    private static final JsonMapper JSON = JsonMapper.shared();
    /** A little more than any door takes: a request is made from several copies, of three gigabytes altogether without this. */
    private static final int MAX_CHARACTERS = 34_000_000;

    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "\t\n",
            "ann",
            "unknown",
            "null",
            "broker:x",
            "broker",
            "reviewer-1",
            "key:a",
            "key:",
            "work:1",
            "review:",
            "step:x.y",
            "finalization:x",
            "path:../../etc/passwd",
            "../../etc/passwd",
            "/",
            "**/*",
            "[a-",
            "{a,{b,c}}",
            "'; DROP TABLE events; --",
            "\" OR 1=1",
            "%s%n%x",
            "%00",
            "\u0000",
            "a\u0000b",
            "\ud800",
            "\udc00x",
            "\ud83e",
            "\uffff",
            "\ufffd",
            "\u2028",
            "\u0085",
            "\u202egnp.exe",
            "\u200b",
            "\ufeff",
            "e\u0301",
            "İ",
            "ß",
            "🦀",
            "👩‍👩‍👧",
            "-rf",
            "--help",
            "${jndi:ldap://x}",
            "<script>alert(1)</script>",
            "1970-01-01T00:00:00Z",
            "2026-02-30T25:61:61Z",
            "2026-11-16T23:59:59.999999999+14:00",
            "+999999999-12-31T23:59:59Z",
            "-999999999-01-01T00:00:00Z",
            "9223372036854775807",
            "9223372036854775808",
            "-1",
            "0x10",
            "1e9",
            "NaN",
            "true",
            "[]",
            "{}",
            "\r\nX: y",
            "C:\\con",
            "http://[::1",
            "(a+)+$",
            "r2:0000");
    private static final List<Object> NUMBERS = List.of(
            0,
            -1,
            1,
            Integer.MAX_VALUE,
            Integer.MIN_VALUE,
            1L + Integer.MAX_VALUE,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            Long.MAX_VALUE - 1,
            9_223_372_036L,
            9_223_372_036_854L,
            253_402_300_800L,
            0.5,
            -0.0,
            1.0,
            1e308,
            4.9e-324,
            new BigInteger("9223372036854775808"),
            new BigDecimal("1e400"),
            new BigDecimal("1e-400"));

    private final Random random;
    private final Learnt learnt;

    Noise(Random random, Learnt learnt) {
        this.random = random;
        this.learnt = learnt;
    }

    Random random() {
        return random;
    }

    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Arguments that are right as far as the schema goes, then made wrong in none to a few places. */
    Map<String, @Nullable Object> arguments(List<Property> fields) {
        Map<String, @Nullable Object> arguments = object(fields, 0);
        for (int wrong = oneOf(List.of(0, 0, 0, 1, 1, 1, 2, 4)); wrong > 0; wrong--) {
            damage(arguments, fields);
        }
        return arguments;
    }

    private void damage(Map<String, @Nullable Object> arguments, List<Property> fields) {
        if (fields.isEmpty() || oneIn(12)) {
            arguments.put(text(), odd(0));
            return;
        }
        Property field = oneOf(fields);
        if (field.name().startsWith("wait")) {
            arguments.put(field.name(), oneOf(Arrays.asList(-1, 2, Long.MAX_VALUE, 0.5, "1", List.of(), waiting())));
            return;
        }
        switch (random.nextInt(6)) {
            case 0 -> arguments.remove(field.name());
            case 1, 2 -> arguments.put(field.name(), odd(0));
            case 3 -> arguments.put(field.name(), atTheEdge(field));
            case 4 -> arguments.put(field.name(), text());
            default -> {
                if (arguments.get(field.name()) instanceof String text) {
                    arguments.put(field.name(), damaged(text));
                } else {
                    arguments.put(field.name(), oneOf(NUMBERS));
                }
            }
        }
    }

    private Map<String, @Nullable Object> object(List<Property> fields, int depth) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (Property field : fields) {
            if (field.required() || oneIn(3)) {
                object.put(field.name(), value(field, depth));
            }
        }
        return object;
    }

    private @Nullable Object value(Property field, int depth) {
        @Nullable Object known = oneIn(6) ? null : learnt.value(field.name(), random);
        if (known != null && fits(field, known)) {
            return known;
        }
        return switch (field.type()) {
            case INTEGER, NUMBER -> field.name().startsWith("wait") ? waiting() : number(field);
            case BOOLEAN -> field.name().startsWith("wait") ? oneIn(2_000) : random.nextBoolean();
            case TEXT, TIME -> text(field);
            case TEXTS -> list(depth, () -> text(field));
            case OBJECT -> object(field.fields(), depth + 1);
            case OBJECTS -> list(depth, () -> object(field.fields(), depth + 1));
            case ANYTHING -> Map.of("k", text());
            case VALUE -> odd(depth);
        };
    }

    /** Nobody waits for a million waits. */
    private long waiting() {
        return oneIn(2_000) ? 1 : 0;
    }

    private static boolean fits(Property field, Object known) {
        return switch (field.type()) {
            case INTEGER, NUMBER -> known instanceof Number && !field.name().startsWith("wait");
            case TEXT, TIME -> known instanceof String;
            default -> false;
        };
    }

    private long number(Property field) {
        long min = field.min() == null ? 0 : field.min();
        long max = field.max() == null ? min + 5 : field.max();
        return switch (random.nextInt(4)) {
            case 0 -> min;
            case 1 -> max;
            default -> min + random.nextInt(Math.toIntExact(Math.clamp(max - min, 1, 5)));
        };
    }

    private String text(Property field) {
        if (!field.words().isEmpty()) {
            return oneOf(field.words());
        }
        if (Samples.DIFF_FIELDS.contains(field.name())) {
            return oneIn(2) ? Samples.DIFF : damaged(Samples.DIFF);
        }
        return switch (random.nextInt(4)) {
            case 0 -> field.example() instanceof String example ? example : "some text";
            case 1 -> text();
            default -> learnt.any(random);
        };
    }

    /** Just allowed, or just not. */
    private @Nullable Object atTheEdge(Property field) {
        int one = random.nextInt(-1, 2);
        return switch (field.type()) {
            case INTEGER, NUMBER -> {
                Long edge = random.nextBoolean() ? field.min() : field.max();
                yield edge == null ? one : edge + one;
            }
            case TEXT, TIME, TEXTS -> {
                int longest = field.longest() == null ? 200 : Math.min(field.longest(), oneIn(20) ? 200_000 : 4_000);
                yield oneOf(List.of("xx", "ä/", "🦀")) + "x".repeat(Math.max(0, longest - 2 + one));
            }
            case OBJECTS -> {
                Object entry = object(field.fields(), 1);
                int max = MAX_CHARACTERS / JSON.writeValueAsString(entry).length();
                yield Collections.nCopies(Math.clamp(oneIn(10) ? 1_001 : 51, 1, Math.max(1, max)), entry);
            }
            case BOOLEAN, OBJECT, ANYTHING, VALUE -> odd(0);
        };
    }

    private List<@Nullable Object> list(int depth, Supplier<@Nullable Object> one) {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(depth > 2 ? 2 : 4); i > 0; i--) {
            list.add(one.get());
        }
        return list;
    }

    String text() {
        return switch (random.nextInt(7)) {
            case 0, 1 -> oneOf(TEXTS);
            case 2, 3 -> learnt.any(random);
            case 4 -> oneOf(TEXTS) + oneOf(TEXTS);
            case 5 -> learnt.any(random) + oneOf(TEXTS);
            default -> "x".repeat(random.nextInt(oneIn(200) ? 70_000 : 300));
        };
    }

    @Nullable
    Object odd(int depth) {
        return switch (random.nextInt(depth > 3 ? 7 : 10)) {
            case 0 -> null;
            case 1, 2 -> oneOf(NUMBERS);
            case 3 -> random.nextBoolean();
            case 4, 5, 6 -> text();
            case 7 -> list(depth + 1, () -> odd(depth + 1));
            case 8 -> nested(oneOf(List.of(2, 29, 30, 31, 32, 33, 400)));
            default -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                object.put(text(), odd(depth + 1));
                yield object;
            }
        };
    }

    private Object nested(int deep) {
        Object inner = "x";
        for (int i = 0; i < deep; i++) {
            inner = random.nextBoolean() ? Arrays.asList(inner) : Map.of("a", inner);
        }
        return inner;
    }

    /** As JSON; now and then damaged, or with a key twice. */
    String json(@Nullable Object value) {
        String json = JSON.writeValueAsString(value);
        if (oneIn(60) && value instanceof Map<?, ?> map && !map.isEmpty()) {
            Object key = map.keySet().iterator().next();
            return json.substring(0, json.length() - 1) + "," + JSON.writeValueAsString(key) + ":"
                    + JSON.writeValueAsString(odd(0)) + "}";
        }
        return oneIn(20) ? damaged(json) : oneIn(3) ? escaped(json) : json;
    }

    /** Only so can half a character be sent. */
    private static String escaped(String json) {
        StringBuilder out = new StringBuilder();
        json.chars().forEach(c -> {
            if (c < 127) {
                out.append((char) c);
            } else {
                out.append("\\u%04x".formatted(c));
            }
        });
        return out.toString();
    }

    /** As bytes, now and then with some that are no UTF-8. */
    byte[] bytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0 && oneIn(200)) {
            bytes[random.nextInt(bytes.length)] = oneOf(List.of((byte) 0xff, (byte) 0xc0, (byte) 0xed, (byte) 0xf8));
        }
        return bytes;
    }

    /** With characters changed, left out, doubled or cut off. */
    String damaged(String text) {
        StringBuilder out = new StringBuilder(text);
        for (int times = random.nextInt(1, 4); times > 0 && !out.isEmpty(); times--) {
            int at = random.nextInt(out.length());
            switch (random.nextInt(7)) {
                case 0 -> out.setCharAt(at, (char) random.nextInt(32, 127));
                case 1 -> out.deleteCharAt(at);
                case 2 ->
                    out.insert(
                            at, oneIn(40) ? oneOf(List.of("[", "{\"a\":", "1")).repeat(20_000) : oneOf(TEXTS));
                case 3 -> out.setLength(at);
                case 4 -> out.insert(at, out.substring(at, Math.min(out.length(), at + random.nextInt(1, 40))));
                case 5 -> out.insert(at, oneOf(NUMBERS));
                default -> out.delete(at, Math.min(out.length(), at + random.nextInt(1, 60)));
            }
        }
        return out.toString();
    }
}
