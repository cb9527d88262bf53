package dev.holdfast.broker.verb;

import dev.holdfast.broker.config.ClosestMatch;
import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A caller's arguments, checked against the verb's fields. A null field counts as left out. */
final class Arguments {
    private final Map<String, Object> values = new LinkedHashMap<>();

    private Arguments() {}

    /**
     * @throws InvalidException naming everything that is wrong
     */
    static Arguments of(JsonNode given, List<Property> fields) {
        List<String> problems = new ArrayList<>();
        Arguments arguments = read("", given, fields, problems);
        if (!problems.isEmpty()) {
            throw new InvalidException(String.join("; ", problems));
        }
        return arguments;
    }

    private static Arguments read(String prefix, JsonNode given, List<Property> fields, List<String> problems) {
        Arguments arguments = new Arguments();
        if (!given.isObject()) {
            problems.add((prefix.isEmpty() ? "the arguments" : prefix.substring(0, prefix.length() - 1))
                    + " must be a JSON object, not " + kindOf(given));
            return arguments;
        }
        List<String> known = fields.stream().map(Property::name).toList();
        for (String name : given.propertyNames()) {
            if (!known.contains(name)) {
                problems.add("unknown field " + prefix + name + "; " + ClosestMatch.hint(name, known));
            }
        }
        for (Property field : fields) {
            JsonNode value = given.get(field.name());
            String path = prefix + field.name();
            if (value != null && !value.isNull()) {
                try {
                    read(path, field, value, problems).ifPresent(read -> arguments.values.put(field.name(), read));
                } catch (InvalidException e) {
                    problems.add(String.valueOf(e.getMessage()));
                }
            } else if (field.required()) {
                problems.add("missing field " + path + ": " + field.description());
            }
        }
        return arguments;
    }

    private static Optional<Object> read(String path, Property field, JsonNode value, List<String> problems) {
        return switch (field.type()) {
            case TEXT, TIME -> Optional.of(text(path, field, value));
            case INTEGER -> Optional.of(integer(path, field, value));
            case BOOLEAN -> {
                if (!value.isBoolean()) {
                    throw wrong(path, "true or false", value);
                }
                yield Optional.of(value.booleanValue());
            }
            case OBJECT -> Optional.of(read(path + ".", value, field.fields(), problems));
            case TEXTS -> Optional.of(texts(path, field, value));
            case OBJECTS -> Optional.of(objects(path, field, value, problems));
            case ANYTHING -> {
                if (!value.isObject()) {
                    throw wrong(path, "a JSON object", value);
                }
                yield Optional.of(value);
            }
            case VALUE -> Optional.of(value);
            case NUMBER -> throw new IllegalStateException("no verb takes " + field.type());
        };
    }

    private static String text(String path, Property field, JsonNode value) {
        if (!value.isString()) {
            throw wrong(path, "text", value);
        }
        String text = Text.limited(path, value.stringValue(), Objects.requireNonNull(field.longest()));
        if (field.min() != null && text.isBlank()) {
            throw new InvalidException(path + " must not be blank: " + field.description());
        }
        if (!field.open() && !field.words().isEmpty() && !field.words().contains(text)) {
            throw new InvalidException(path + " must be one of " + String.join(", ", field.words()) + ", not '"
                    + (text.length() <= 60 ? text : text.substring(0, 60) + "…") + "'");
        }
        return text;
    }

    private static Long integer(String path, Property field, JsonNode value) {
        Long min = field.min();
        Long max = field.max();
        boolean whole = value.isNumber() && value.canConvertToExactIntegral();
        if (!whole || !value.canConvertToLong()) {
            throw wrong(path, "a whole number" + range(min, max), value);
        }
        long number = value.longValue();
        if ((min != null && number < min) || (max != null && number > max)) {
            throw new InvalidException(path + " must be" + range(min, max) + ", not " + number);
        }
        return number;
    }

    private static String range(@Nullable Long min, @Nullable Long max) {
        if (min == null) {
            return "";
        }
        return max == null ? " of at least " + min : " from " + min + " to " + max;
    }

    private static Set<String> texts(String path, Property field, JsonNode value) {
        if (!value.isArray()) {
            throw wrong(path, "a list of texts", value);
        }
        if (value.size() > field.maxTexts()) {
            throw new InvalidException(path + " has more than " + field.maxTexts() + " entries");
        }
        Set<String> texts = new LinkedHashSet<>();
        for (int i = 0; i < value.size(); i++) {
            texts.add(text(path + "[" + i + "]", field, value.get(i)));
        }
        return texts;
    }

    private static List<Arguments> objects(String path, Property field, JsonNode value, List<String> problems) {
        if (!value.isArray()) {
            throw wrong(path, "a list of objects", value);
        }
        if (field.max() != null && value.size() > field.max()) {
            throw new InvalidException(path + " has more than " + field.max() + " entries");
        }
        List<Arguments> objects = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            objects.add(read(path + "[" + i + "].", value.get(i), field.fields(), problems));
        }
        return objects;
    }

    private static InvalidException wrong(String path, String wanted, JsonNode value) {
        return new InvalidException(path + " must be " + wanted + ", not " + kindOf(value));
    }

    private static String kindOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "a list";
            case OBJECT, POJO -> "an object";
            case STRING, BINARY -> "text";
            case NUMBER -> value.toString().length() <= 40 ? value.toString() : "such a number";
            case BOOLEAN -> value.toString();
            case NULL -> "null";
            case MISSING -> "nothing";
        };
    }

    /** Text, a number, a boolean, a set of texts, JSON, nested arguments, or a list of those; null: left out. */
    @Nullable
    Object value(String name) {
        return values.get(name);
    }
}
