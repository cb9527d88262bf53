package dev.holdfast.store;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The statements that classes have as constants, and those that are composed at run time, as a database gets them. */
public final class Statements {
    private Statements() {}

    public static List<String> constants(Engine engine, Class<?>... classes) throws IllegalAccessException {
        List<String> statements = new ArrayList<>();
        for (Class<?> one : classes) {
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
        }
        return statements;
    }

    /** Those that this work composes; what other tests of this process composed before is forgotten. */
    public static List<String> composedBy(Engine engine, Runnable work) throws ReflectiveOperationException {
        Field field = Sql.class.getDeclaredField("COMPOSED");
        field.setAccessible(true);
        Map<?, ?> composed = (Map<?, ?>) Objects.requireNonNull(field.get(null));
        List<String> statements = new ArrayList<>();
        synchronized (composed) {
            composed.clear();
        }
        work.run();
        synchronized (composed) {
            addAll(statements, engine, composed.values());
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
