package dev.holdfast.broker.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.broker.auth.Permissions;
import dev.holdfast.testing.TestClassPath;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The example of docs/architecture.md, compiled as it stands there, is all that it takes to have a verb. */
class AddAVerbTest {
    @TempDir
    Path folder;

    @Test
    void the_example_on_the_page_is_a_whole_verb() throws Exception {
        Verb greet = example().getFirst();

        assertThat(greet.name()).isEqualTo("greet");
        assertThat(greet.effect().readOnly()).isTrue();
        assertThat(Toolset.WORK.offers(greet)).isTrue();
        JsonNode arguments = JsonMapper.shared().valueToTree(JsonSchema.of(greet.arguments()));
        assertThat(arguments.path("properties").propertyNames()).containsExactly("name", "loud");
        assertThat(arguments.at("/properties/name/maxLength").asInt()).isEqualTo(10);
        assertThat(arguments.path("required").get(0).asString()).isEqualTo("name");
        assertThat(greet.result()).extracting(Property::name).containsExactly("text");
        assertThat(greet.call(JsonMapper.shared().readTree("{\"name\":\"Ann\"}"), Calls.ofNobody())
                        .body())
                .containsEntry("text", "hello Ann");
        assertThatThrownBy(() -> Permissions.check(List.of(greet))).hasMessageContaining("for [greet];");
    }

    private List<Verb> example() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "architecture.md"));
        int begin = page.indexOf("```java\n") + "```java\n".length();
        String code = page.substring(begin, page.indexOf("```", begin));
        Path source = folder.resolve("Greetings.java");
        Files.writeString(source, """
                package dev.holdfast.broker.verb.example;
                import dev.holdfast.broker.verb.*;
                import java.util.List;
                public final class Greetings {
                    private final Shapes shapes;
                    public Greetings(Shapes shapes) { this.shapes = shapes; }
                %s}
                """.formatted(code));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-nowarn",
                        "-proc:none",
                        "-d",
                        folder.toString(),
                        "-cp",
                        TestClassPath.whole(),
                        source.toString());
        assertThat(result).isZero();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> family = loader.loadClass("dev.holdfast.broker.verb.example.Greetings");
            Object made = family.getConstructor(Shapes.class).newInstance(Shapes.withoutBounds());
            return ((List<?>) family.getMethod("verbs").invoke(made))
                    .stream().map(Verb.class::cast).toList();
        }
    }
}
