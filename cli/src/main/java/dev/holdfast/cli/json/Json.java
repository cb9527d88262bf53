package dev.holdfast.cli.json;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * JSON as plain Java values: {@code Map}, {@code List}, {@code String}, {@code Number}, {@code Boolean}, null. Uses
 * only Jackson's streaming core, which starts several times faster than its object mapper.
 */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final JsonFactory WITH_COMMENTS = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    /** The parser's note on where something began, in terms of its own settings. */
    private static final Pattern SOURCE = Pattern.compile(" ?\\(start marker at \\[Source: [^]]*]\\)");

    private Json() {}

    /** Parses one complete document. */
    public static @Nullable Object read(String text) throws NotJsonException {
        return read(FACTORY, text);
    }

    /** The same for a settings file, which may contain comments. */
    public static @Nullable Object readWithComments(String text) throws NotJsonException {
        return read(WITH_COMMENTS, text);
    }

    private static @Nullable Object read(JsonFactory factory, String text) throws NotJsonException {
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                throw new NotJsonException("it is empty");
            }
            Object value = value(parser);
            if (parser.nextToken() != null) {
                throw new NotJsonException("there is more after the end of the document");
            }
            return value;
        } catch (JacksonException e) {
            throw new NotJsonException(problem(e) + place(e));
        }
    }

    /** What is wrong, without the library's internals. */
    public static String problem(JacksonException e) {
        return SOURCE.matcher(e.getOriginalMessage()).replaceAll("");
    }

    /** Where it is wrong; empty when unknown, as for nesting that is too deep. */
    public static String place(JacksonException e) {
        TokenStreamLocation at = e.getLocation();
        return at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    public static String write(@Nullable Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            write(value, generator);
        }
        return text.toString();
    }

    private static @Nullable Object value(JsonParser parser) {
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<@Nullable Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> parser.getNumberValue();
            case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                throw new IllegalStateException("no value begins with " + token);
        };
    }

    // not a switch over patterns: the first one in a program costs 10 ms of CPU
    private static void write(@Nullable Object value, JsonGenerator generator) {
        if (value == null) {
            generator.writeNull();
        } else if (value instanceof String text) {
            generator.writeString(text);
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value instanceof Number number) {
            generator.writeNumber(number.toString());
        } else if (value instanceof Map<?, ?> object) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> member : object.entrySet()) {
                generator.writeName((String) member.getKey());
                write(member.getValue(), generator);
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> array) {
            generator.writeStartArray();
            for (Object element : array) {
                write(element, generator);
            }
            generator.writeEndArray();
        } else {
            throw new IllegalArgumentException("not a JSON value: " + value.getClass());
        }
    }
}
