package dev.holdfast.store;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The statements that classes have as constants, and those they have made so far, as a database gets them. */
public final class Statements {
    private Statements() {}

    /** Those that they have made are the more, the more tests ran in this process before. */
    public static List<String> of(Engine engine, Class<?>... classes) throws IllegalAccessException {
        List<String> statements = new ArrayList<>();
        for (Class<?> one : classes) {
            statements.addAll(constants(engine, one));
            for (Field field : one.getDeclaredFields()) {
                field.setAccessible(true);
                if (field.getType() == Map.class && Modifier.isStatic(field.getModifiers())) {
                    addAll(statements, engine, ((Map<?, ?>) Objects.requireNonNull(field.get(null))).values());
                }
            }
        }
        return statements;
    }

    /** Without those that it has made. */
    public static List<String> constants(Engine engine, Class<?> one) throws IllegalAccessException {
        List<String> statements = new ArrayList<>();
        for (Field field : one.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            field.setAccessible(true);
            if (field.getType() == Sql.class) {
                add(statements, engine, field.get(null));
            } else if (field.getType() == List.class) {
                addAll(statements, engine, (List<?>) Objects.requireNonNull(field.get(null)));
            }
        }
        return statements;
    }

    private static void addAll(List<String> statements, Engine engine, Collection<?> values) {
        values.forEach(value -> add(statements, engine, value));
    }

    private static void add(List<String> statements, Engine engine, @Nullable Object value) {
        if (value instanceof Sql sql) {
            statements.add(sql.text(engine));
        }
    }
}
