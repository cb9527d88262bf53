package dev.holdfast.broker.config;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Describes all settings, for a terminal and for docs/configuration.md. */
public final class SettingsHelp {
    private SettingsHelp() {}

    /** The settings whose names contain this word, two lines each; all of them if the word is empty. */
    public static List<String> lines(String word) {
        return named(word)
                .flatMap(setting -> List.of(
                        setting.path() + ": " + values(setting)
                                + (standard(setting).isEmpty() ? "" : "; default: " + standard(setting)),
                        "    " + setting.meaning() + remark(setting))
                        .stream())
                .toList();
    }

    /** The same for programs. */
    public static List<Map<String, Object>> documents(String word) {
        return named(word).map(SettingsHelp::document).toList();
    }

    private static Stream<Setting> named(String word) {
        String part = word.toLowerCase(Locale.ROOT);
        return Arrays.stream(Setting.values()).filter(setting -> setting.path().contains(part));
    }

    private static Map<String, Object> document(Setting setting) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", setting.path());
        document.put("section", setting.section());
        document.put("values", values(setting));
        document.put("default", standard(setting));
        document.put("meaning", setting.meaning());
        document.put("secret", setting.form().secret());
        document.put("needs_trust", !setting.form().harmless());
        return document;
    }

    /**
     * @param standard the default
     * @param inWords whether the default is a description rather than a value
     */
    public record Described(String section, String path, String standard, boolean inWords, String meaning) {}

    public static List<Described> all() {
        return Arrays.stream(Setting.values())
                .map(setting -> new Described(
                        setting.section(),
                        setting.path(),
                        standard(setting),
                        setting.form().standard() == null,
                        setting.meaning()))
                .toList();
    }

    /** All settings as Markdown, one table per section. */
    public static String tables() {
        StringBuilder tables = new StringBuilder();
        for (String section : Setting.sections()) {
            tables.append(tables.isEmpty() ? "" : "\n")
                    .append("### `")
                    .append(section)
                    .append("`\n\n");
            tables.append("| setting | value | default | meaning |\n| --- | --- | --- | --- |\n");
            for (Setting setting : Setting.in(section)) {
                tables.append("| `%s` | %s | %s | %s |\n"
                        .formatted(
                                setting.key(),
                                values(setting),
                                setting.form().standard() == null ? standard(setting) : "`" + standard(setting) + "`",
                                setting.meaning() + remark(setting)));
            }
        }
        return tables.toString();
    }

    private static String values(Setting setting) {
        SettingForm form = setting.form();
        return form.type() == Setting.Type.TEXT && !form.choices().isEmpty()
                ? String.join(", ", form.choices())
                : form.wanted();
    }

    private static String standard(Setting setting) {
        Object standard = setting.form().standard();
        return standard == null ? setting.form().explained() : standard.toString();
    }

    private static String remark(Setting setting) {
        return (setting.form().secret() ? " (secret)" : "")
                + (setting.form().harmless() ? " (applies in a folder's file even without trust)" : "");
    }
}
