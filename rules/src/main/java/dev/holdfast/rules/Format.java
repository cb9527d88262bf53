package dev.holdfast.rules;

import java.io.StringReader;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.toml.TomlMapper;

/** A data format. */
enum Format {
    JSON {
        @Override
        Optional<Problem> problem(String text) {
            return text.isBlank() ? Optional.of(new Problem(1, "the file is empty")) : read(STRICT, text);
        }
    },
    /** As used in the settings of editors and compilers. */
    JSON_WITH_COMMENTS {
        @Override
        Optional<Problem> problem(String text) {
            return read(LENIENT, text);
        }
    },
    YAML {
        @Override
        Optional<Problem> problem(String text) {
            if (text.contains("{{") || text.contains("{%")) {
                return Optional.empty(); // a template that becomes YAML later
            }
            try {
                // parses events only and builds nothing, so that no alias can exhaust memory
                new Parse(LoadSettings.builder().setCodePointLimit(LARGEST).build())
                        .parseString(text)
                        .forEach(_ -> {});
                return Optional.empty();
            } catch (MarkedYamlEngineException e) {
                return Optional.of(new Problem(
                        e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1), firstLine(e.getProblem())));
            } catch (YamlEngineException e) {
                return Optional.of(new Problem(1, firstLine(String.valueOf(e.getMessage()))));
            }
        }
    },
    XML {
        @Override
        Optional<Problem> problem(String text) {
            try {
                XMLStreamReader reader = withoutExternalEntities().createXMLStreamReader(new StringReader(text));
                while (reader.hasNext()) {
                    reader.next();
                }
                return Optional.empty();
            } catch (XMLStreamException e) {
                int line = e.getLocation() == null
                        ? 1
                        : Math.max(1, e.getLocation().getLineNumber());
                String message = String.valueOf(e.getMessage());
                return Optional.of(new Problem(
                        line,
                        message.substring(message.indexOf("Message: ") < 0 ? 0 : message.indexOf("Message: ") + 9)));
            }
        }
    },
    TOML {
        @Override
        Optional<Problem> problem(String text) {
            return read(TOML_MAPPER, text);
        }
    };

    /** @param line from 1 */
    record Problem(int line, String message) {}

    private static final int LARGEST = 16 << 20;

    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final ObjectMapper LENIENT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    private static final ObjectMapper TOML_MAPPER = TomlMapper.builder().build();

    private static final Pattern COMMENTED = Pattern.compile(
            "(^|/)(tsconfig[^/]*|jsconfig[^/]*|devcontainer|\\.eslintrc|\\.swcrc|\\.babelrc|api-extractor|language-configuration)\\.json$"
                    + "|(^|/)\\.(vscode|devcontainer|zed|holdfast)/");

    abstract Optional<Problem> problem(String text);

    static Optional<Format> of(FileName name) {
        return switch (name.extension()) {
            case "json" -> Optional.of(COMMENTED.matcher(name.path()).find() ? JSON_WITH_COMMENTS : JSON);
            case "jsonc" -> Optional.of(JSON_WITH_COMMENTS);
            case "yaml", "yml" -> Optional.of(YAML);
            case "xml", "xsd", "xsl", "xslt", "svg", "pom", "csproj", "props", "plist" -> Optional.of(XML);
            case "toml" -> Optional.of(TOML);
            default -> Optional.empty();
        };
    }

    private static Optional<Problem> read(ObjectMapper mapper, String text) {
        try {
            mapper.readTree(text);
            return Optional.empty();
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            return Optional.of(new Problem(line, firstLine(String.valueOf(e.getOriginalMessage()))));
        }
    }

    /** Reads no files or addresses that the text names. */
    private static XMLInputFactory withoutExternalEntities() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        return factory;
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
