package dev.holdfast.broker.verb;

import dev.holdfast.claim.InvalidException;
import dev.holdfast.claim.Text;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A record as JSON: its properties, how to create it from a caller's arguments, and how to write it. */
public final class Shape<T extends Record> {
    private final Class<T> type;
    private final List<Part> parts;
    private final List<Property> properties;
    private final List<String> actors;
    private final Constructor<T> constructor;

    /**
     * A component.
     *
     * @param property null if its own components appear in its place
     * @param nested the shape of its record, or of the records in its list
     */
    record Part(
            RecordComponent component,
            Class<?> type,
            Method accessor,
            @Nullable Property property,
            @Nullable Shape<?> nested,
            boolean nullable) {
        static Part of(
                RecordComponent component, @Nullable Property property, @Nullable Shape<?> nested, boolean nullable) {
            return new Part(component, component.getType(), accessor(component), property, nested, nullable);
        }

        private static Method accessor(RecordComponent component) {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor;
        }

        List<Property> properties() {
            if (property != null) {
                return List.of(property);
            }
            List<Property> inlined = Objects.requireNonNull(nested).properties();
            return nullable
                    ? inlined.stream()
                            .map(each -> each.presence() == Property.Presence.REQUIRED ? each.maybe() : each)
                            .toList()
                    : inlined;
        }
    }

    Shape(Class<T> type, List<Part> parts) {
        this.type = type;
        this.parts = List.copyOf(parts);
        properties = parts.stream().flatMap(part -> part.properties().stream()).toList();
        actors = properties.stream().filter(Property::actor).map(Property::name).toList();
        Class<?>[] types = parts.stream().map(Part::type).toArray(Class<?>[]::new);
        try {
            constructor = type.getDeclaredConstructor(types);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e); // every record has one
        }
        constructor.setAccessible(true);
    }

    public List<Property> properties() {
        return properties;
    }

    /** The properties that name the caller. */
    List<String> actors() {
        return actors;
    }

    /**
     * Creates the record from JSON.
     *
     * @throws InvalidException naming everything that is wrong
     */
    public T read(JsonNode given) {
        return read(Arguments.of(given, properties));
    }

    private T read(Arguments given) {
        @Nullable Object[] values = new @Nullable Object[parts.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = read(parts.get(i), given);
        }
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " cannot be made", e);
        }
    }

    private static @Nullable Object read(Part part, Arguments given) {
        Property property = part.property();
        if (property == null) {
            return Objects.requireNonNull(part.nested()).read(given);
        }
        Object value = given.value(property.name());
        return value == null ? leftOut(part) : converted(part, property, value);
    }

    private static @Nullable Object leftOut(Part part) {
        Class<?> type = part.type();
        if (part.nullable()) {
            return null;
        }
        if (type == boolean.class) {
            return false;
        }
        if (type == Duration.class) {
            return Duration.ZERO;
        }
        return type == Set.class ? Set.of() : List.of();
    }

    private static Object converted(Part part, Property property, Object value) {
        Class<?> type = part.type();
        return switch (value) {
            case Arguments object -> Objects.requireNonNull(part.nested()).read(object);
            case Long number when type == int.class || type == Integer.class -> Math.toIntExact(number);
            case Long number when type == Duration.class -> Duration.ofSeconds(number);
            case String text when type.isEnum() -> constant(type, text);
            case String text when type == Instant.class -> time(property.name(), text);
            case Set<?> texts when type == List.class -> List.copyOf(texts);
            case List<?> objects -> {
                List<Object> read = new ArrayList<>();
                for (Object object : objects) {
                    read.add(Objects.requireNonNull(part.nested()).read((Arguments) object));
                }
                yield read;
            }
            default -> value;
        };
    }

    private static Object constant(Class<?> type, String word) {
        return Arrays.stream(Objects.requireNonNull(type.getEnumConstants()))
                .filter(constant -> word((Enum<?>) constant).equals(word))
                .findFirst()
                .orElseThrow();
    }

    /** Its own text form, or its name in lower case. */
    static String word(Enum<?> constant) {
        String word = constant.toString();
        return word.equals(constant.name()) ? word.toLowerCase(Locale.ROOT) : word;
    }

    private static Instant time(String name, String text) {
        try {
            return Text.time(text);
        } catch (DateTimeException _) {
            throw new InvalidException(name + " must be a time such as 2026-12-24T18:00:00Z, not '" + text + "'");
        }
    }

    /** The record as a JSON object; missing values are left out, or null where the record says so. */
    Map<String, @Nullable Object> write(Record value) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        write(value, json);
        return json;
    }

    private void write(Record value, Map<String, @Nullable Object> json) {
        for (Part part : parts) {
            Object component = component(part, value);
            Property property = part.property();
            if (property == null) {
                if (component != null) {
                    Objects.requireNonNull(part.nested()).write((Record) component, json);
                }
            } else if (component != null || property.presence() != Property.Presence.OPTIONAL) {
                json.put(property.name(), json(part.nested(), component));
            }
        }
    }

    private static @Nullable Object component(Part part, Record value) {
        try {
            return part.accessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(part.component() + " cannot be read", e);
        }
    }

    private static @Nullable Object json(@Nullable Shape<?> nested, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Record record -> Objects.requireNonNull(nested).write(record);
            case Collection<?> list
            when nested != null ->
                list.stream().map(each -> nested.write((Record) each)).toList();
            case Instant time -> Times.text(time);
            case Duration duration -> duration.toSeconds();
            case Enum<?> constant -> word(constant);
            default -> value;
        };
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }
}
