package dev.holdfast.broker.config;

import java.util.LinkedHashMap;
import java.util.Map;

/** The JSON schema of the configuration file, for completion and validation in editors. */
public final class ConfigSchema {
    private ConfigSchema() {}

    /** The document that {@code holdfast config schema} prints. */
    public static Map<String, Object> document() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("$schema", Map.of("type", "string"));
        for (String section : Setting.sections()) {
            Map<String, Object> settings = new LinkedHashMap<>();
            for (Setting setting : Setting.in(section)) {
                settings.put(setting.key(), of(setting));
            }
            properties.put(section, closed(settings));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        document.put("title", "Holdfast configuration");
        document.putAll(closed(properties));
        return document;
    }

    private static Map<String, Object> of(Setting setting) {
        SettingForm form = setting.form();
        Map<String, Object> schema = switch (form.type()) {
            case TEXT -> text(form);
            case NUMBER -> range("integer", form);
            case FLAG -> object("type", "boolean");
            case DECIMAL -> range("number", form);
            case TEXTS -> object("type", "array", "items", text());
            case TEXTS_BY_NAME, FOLDERS -> object("type", "object", "additionalProperties", text());
            case NUMBERS_BY_NAME -> {
                Map<String, Object> numbers = new LinkedHashMap<>();
                form.choices().forEach(name -> numbers.put(name, range("integer", form)));
                yield closed(numbers);
            }
        };
        schema.put(
                "description",
                setting.meaning() + (form.explained().isEmpty() ? "" : "; default: " + form.explained()));
        if (form.standard() != null) {
            schema.put("default", form.standard());
        }
        return schema;
    }

    private static Map<String, Object> text(SettingForm form) {
        return form.choices().isEmpty() ? text() : object("type", "string", "enum", form.choices());
    }

    private static Map<String, Object> text() {
        return object("type", "string", "minLength", 1);
    }

    private static Map<String, Object> range(String type, SettingForm form) {
        Map<String, Object> range = object("type", type, "minimum", form.min());
        range.put("maximum", form.max());
        return range;
    }

    /** An object that allows no other members. */
    private static Map<String, Object> closed(Map<String, Object> properties) {
        Map<String, Object> closed = object("type", "object", "properties", properties);
        closed.put("additionalProperties", false);
        return closed;
    }

    private static Map<String, Object> object(String key, Object value) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put(key, value);
        return object;
    }

    private static Map<String, Object> object(String key, Object value, String second, Object secondValue) {
        Map<String, Object> object = object(key, value);
        object.put(second, secondValue);
        return object;
    }
}
