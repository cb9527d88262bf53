package dev.holdfast.broker.verb;

import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Determines the shapes of records, each once and on first use: doing it for all of them would slow down startup. */
public final class Shapes {
    /** For texts without further description. */
    private static final int LONGEST_TEXT = 200_000;

    private static final int LONGEST_WORD = 200;

    /** Provides the default annotation, for components without one. */
    private record Plain(@Field Object component) {}

    private static final Field BY_NAME =
            Objects.requireNonNull(Plain.class.getRecordComponents()[0].getAnnotation(Field.class));

    private record Key(Class<?> type, boolean arguments) {}

    private final @Nullable Bounds bounds;
    private final Map<Key, Shape<?>> known = new ConcurrentHashMap<>();

    public Shapes(@Nullable Bounds bounds) {
        this.bounds = bounds;
    }

    /** For records without configured limits. */
    public static Shapes withoutBounds() {
        return new Shapes(null);
    }

    public Bounds bounds() {
        return Objects.requireNonNull(bounds);
    }

    /** The shape of a verb's arguments. */
    public <A extends Record> Shape<A> arguments(Class<A> type) {
        return of(type, true);
    }

    /** The shape of a verb's result. */
    public <R extends Record> Shape<R> result(Class<R> type) {
        return of(type, false);
    }

    @SuppressWarnings("unchecked") // stored under its own class
    private <T extends Record> Shape<T> of(Class<T> type, boolean arguments) {
        Key key = new Key(type, arguments);
        Shape<?> shape = known.get(key);
        if (shape == null) {
            List<Shape.Part> parts = new ArrayList<>();
            for (RecordComponent component : type.getRecordComponents()) {
                parts.add(part(component, arguments));
            }
            shape = new Shape<>(type, parts);
            known.put(key, shape); // another thread can only have put an equal shape
        }
        return (Shape<T>) shape;
    }

    private Shape.Part part(RecordComponent component, boolean arguments) {
        boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        Class<? extends Record> record = recordIn(component);
        if (component.isAnnotationPresent(Inline.class)) {
            return Shape.Part.of(component, null, of(nested(component, record), arguments), nullable);
        }
        Field field = field(component);
        if (field.listOf() != Record.class) {
            Property.Presence presence = presence(component, field, nullable, arguments);
            Shape<?> each = of(field.listOf(), arguments);
            return Shape.Part.of(
                    component, described(component, Property.Type.OBJECTS, field, presence, each), null, nullable);
        }
        boolean brief = field.brief();
        @Nullable Shape<?> nested = record == null ? null : of(record, arguments && !brief);
        Property.Type type = brief ? Property.Type.ANYTHING : type(component, nested, arguments);
        Property.Presence presence = presence(component, field, nullable, arguments);
        return Shape.Part.of(component, described(component, type, field, presence, nested), nested, nullable);
    }

    private static Field field(RecordComponent component) {
        for (Annotation annotation : component.getAnnotations()) {
            Field field = annotation instanceof Field own
                    ? own
                    : annotation.annotationType().getAnnotation(Field.class);
            if (field != null) {
                return field;
            }
        }
        return BY_NAME;
    }

    private Property described(
            RecordComponent component,
            Property.Type type,
            Field field,
            Property.Presence presence,
            @Nullable Shape<?> nested) {
        String name = field.name().isEmpty() ? name(component) : field.name();
        boolean text = type == Property.Type.TEXT || type == Property.Type.TEXTS;
        boolean configured = field.upTo() != Limit.NONE;
        long max = configured && !text ? bounds().of(field.upTo()) : field.max();
        int longest = configured && text
                ? Math.toIntExact(bounds().of(field.upTo()))
                : field.longest() != 0 ? field.longest() : isDescribed(field) ? LONGEST_WORD : LONGEST_TEXT;
        return new Property(
                name,
                type,
                description(name, field),
                presence,
                min(type, field),
                max == Long.MAX_VALUE ? null : Long.valueOf(max),
                text ? longest : null,
                words(component, field),
                field.open(),
                nested == null || type == Property.Type.ANYTHING ? List.of() : nested.properties(),
                field.example().isEmpty() ? null : example(type, field.example()),
                field.actor(),
                field.idOf().length == 0 ? null : field.idOf()[0]);
    }

    private String description(String name, Field field) {
        if (!isDescribed(field)) {
            return name.replace('_', ' ');
        }
        return field.value().indexOf('{') < 0 ? field.value() : bounds().filledIn(field.value());
    }

    private static boolean isDescribed(Field field) {
        return !field.value().equals(Field.ITS_NAME);
    }

    private static @Nullable Long min(Property.Type type, Field field) {
        if (field.filled()) {
            return 1L;
        }
        return type == Property.Type.INTEGER && field.min() != Long.MIN_VALUE ? field.min() : null;
    }

    private static Object example(Property.Type type, String example) {
        return type == Property.Type.TEXT ? example : JsonMapper.shared().readTree(example);
    }

    private static Property.Presence presence(
            RecordComponent component, Field field, boolean nullable, boolean arguments) {
        if (field.orNull()) {
            return Property.Presence.NULLABLE;
        }
        Class<?> type = component.getType();
        boolean hasDefault = type == boolean.class || type == Duration.class || Collection.class.isAssignableFrom(type);
        boolean optional = nullable || (arguments && hasDefault && !field.must());
        return optional ? Property.Presence.OPTIONAL : Property.Presence.REQUIRED;
    }

    private static Property.Type type(RecordComponent component, @Nullable Shape<?> nested, boolean arguments) {
        Class<?> type = component.getType();
        if (type == String.class || type.isEnum()) {
            return Property.Type.TEXT;
        }
        if (type == long.class || type == Long.class || type == int.class || type == Integer.class) {
            return Property.Type.INTEGER;
        }
        if (type == boolean.class || type == Boolean.class) {
            return Property.Type.BOOLEAN;
        }
        if (type == double.class || type == Double.class) {
            return Property.Type.NUMBER;
        }
        if (type == Instant.class) {
            return arguments ? Property.Type.TEXT : Property.Type.TIME;
        }
        if (type == Duration.class) {
            return Property.Type.INTEGER;
        }
        if (Collection.class.isAssignableFrom(type)) {
            return nested == null ? Property.Type.TEXTS : Property.Type.OBJECTS;
        }
        if (Map.class.isAssignableFrom(type)) {
            return Property.Type.ANYTHING;
        }
        if (type == Object.class || JsonNode.class.isAssignableFrom(type)) {
            return Property.Type.VALUE;
        }
        if (nested != null) {
            return Property.Type.OBJECT;
        }
        throw new IllegalArgumentException("no field of a verb is a " + component);
    }

    private static List<String> words(RecordComponent component, Field field) {
        if (field.words().length > 0) {
            return List.of(field.words());
        }
        Class<?> type = field.wordsOf().isEnum() ? field.wordsOf() : component.getType();
        Object @Nullable [] constants = type.getEnumConstants();
        return constants == null
                ? List.of()
                : Arrays.stream(constants)
                        .map(constant -> Shape.word((Enum<?>) constant))
                        .toList();
    }

    /** The record that it is, or is a list of. */
    private static @Nullable Class<? extends Record> recordIn(RecordComponent component) {
        Class<?> type = component.getType();
        if (Collection.class.isAssignableFrom(type)
                && ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0]
                        instanceof Class<?> each) {
            type = each;
        }
        return type.isRecord() ? type.asSubclass(Record.class) : null;
    }

    private static Class<? extends Record> nested(RecordComponent component, @Nullable Class<? extends Record> record) {
        if (record == null) {
            throw new IllegalArgumentException(component + " is not a record and cannot be inlined");
        }
        return record;
    }

    /** Turns claimGeneration into claim_generation. */
    private static String name(RecordComponent component) {
        StringBuilder name = new StringBuilder();
        for (char c : component.getName().toCharArray()) {
            if (Character.isUpperCase(c)) {
                name.append('_');
            }
            name.append(Character.toLowerCase(c));
        }
        return name.toString();
    }
}
