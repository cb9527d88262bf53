package dev.holdfast.cli.json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as plain Java values: {@code Map}, {@code List}, {@code String}, {@code Number}, {@code Boolean}, null. */
public final class Json {
    private static final JsonReader.Maker<@Nullable Object> VALUES = new JsonReader.Maker<>() {
        @Override
        public @Nullable Object scalar(int start, int end, @Nullable Object value) {
            return value;
        }

        @Override
        public Object array(int start, int end, List<@Nullable Object> elements) {
            return elements;
        }

        @Override
        public Object object(int start, int end, List<JsonReader.Member<@Nullable Object>> members) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            for (JsonReader.Member<@Nullable Object> member : members) {
                object.put(member.name(), member.value());
            }
            return object;
        }
    };

    private Json() {}

    /** Parses one complete document. */
    public static @Nullable Object read(String text) throws NotJsonException {
        return JsonReader.read(text, false, VALUES);
    }

    /** The same for a settings file, which may contain comments. */
    public static @Nullable Object readWithComments(String text) throws NotJsonException {
        return JsonReader.read(text, true, VALUES);
    }

    public static String write(@Nullable Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    // not a switch over patterns: the first one in a program costs 10 ms of CPU
    private static void write(@Nullable Object value, StringBuilder text) {
        if (value == null || value instanceof Boolean || value instanceof Number) {
            text.append(value);
        } else if (value instanceof String string) {
            writeString(string, text);
        } else if (value instanceof Map<?, ?> object) {
            char before = '{';
            for (Map.Entry<?, ?> member : object.entrySet()) {
                writeString((String) member.getKey(), text.append(before));
                write(member.getValue(), text.append(':'));
                before = ',';
            }
            text.append(object.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> array) {
            char before = '[';
            for (Object element : array) {
                write(element, text.append(before));
                before = ',';
            }
            text.append(array.isEmpty() ? "[]" : "]");
        } else {
            throw new IllegalArgumentException("not a JSON value: " + value.getClass());
        }
    }

    private static void writeString(String string, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"', '\\' -> text.append('\\').append(c);
                case '\b' -> text.append("\\b");
                case '\f' -> text.append("\\f");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < ' ') {
                        text.append(c < 16 ? "\\u000" : "\\u00").append(Integer.toHexString(c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
