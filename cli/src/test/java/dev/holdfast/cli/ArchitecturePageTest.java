package dev.holdfast.cli;

import dev.holdfast.testing.GeneratedPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of docs/architecture.md are the sources' own: packages with their first sentence and what they use. */
class ArchitecturePageTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> MODULES = List.of("git", "core", "rules", "broker", "cli", "bench");
    private static final Pattern USED = Pattern.compile("(?m)^import (?:static )?(dev\\.holdfast[a-z.]*)\\.[A-Z]");
    /** Of those that it is built with, not of those that only its tests use. */
    private static final Pattern MODULE =
            Pattern.compile("<artifactId>holdfast-([a-z]+)</artifactId>\\s*</dependency>");

    @Test
    void packages_and_modules_stand_in_the_page_as_they_are() throws IOException {
        GeneratedPart.of("architecture.md", "modules").mustBe(modules());
        GeneratedPart.of("architecture.md", "packages").mustBe(packages());
    }

    private static String modules() throws IOException {
        StringBuilder graph = new StringBuilder("```mermaid\ngraph LR\n");
        for (String module : MODULES) {
            Matcher used = MODULE.matcher(Files.readString(ROOT.resolve(module).resolve("pom.xml")));
            while (used.find()) {
                graph.append("  ")
                        .append(module)
                        .append(" --> ")
                        .append(used.group(1))
                        .append('\n');
            }
        }
        return graph.append("```\n").toString();
    }

    private static String packages() throws IOException {
        StringBuilder table = new StringBuilder("| package | what it is | uses |\n| --- | --- | --- |\n");
        for (String module : MODULES) {
            Path sources = ROOT.resolve(module).resolve("src/main/java");
            Map<String, Path> folders = new TreeMap<>(Comparator.naturalOrder());
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(file -> file.endsWith("package-info.java")).forEach(file -> {
                    Path folder = file.getParent();
                    folders.put(sources.relativize(folder).toString().replace('/', '.'), folder);
                });
            }
            table.append("| **").append(module).append("** | | |\n");
            for (Map.Entry<String, Path> each : folders.entrySet()) {
                table.append("| `")
                        .append(brief(each.getKey()))
                        .append("` | ")
                        .append(sentence(each.getValue()))
                        .append(" | ")
                        .append(uses(each.getKey(), each.getValue()))
                        .append(" |\n");
            }
        }
        return table.toString();
    }

    private static String brief(String name) {
        return name.equals("dev.holdfast") ? name : name.substring("dev.holdfast.".length());
    }

    /** The first of what the package says of itself. */
    private static String sentence(Path folder) throws IOException {
        String text = Files.readString(folder.resolve("package-info.java"));
        String comment = text.substring(text.indexOf("/**") + 3, text.indexOf("*/"))
                .replaceAll("\\s*\\n\\s*\\*\\s?", " ")
                .replaceAll("\\{@(?:code|link) ([^}]+)}", "`$1`")
                .strip();
        comment = comment.split("(\\s*\\*)?\\s*<p>", 2)[0];
        Matcher end = Pattern.compile("\\.(?= [A-Z{`<]|$)").matcher(comment);
        return end.find() ? comment.substring(0, end.end()) : comment;
    }

    private static String uses(String own, Path folder) throws IOException {
        TreeSet<String> used = new TreeSet<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                Matcher imports = USED.matcher(Files.readString(file));
                while (imports.find()) {
                    if (!imports.group(1).equals(own)) {
                        used.add(brief(imports.group(1)));
                    }
                }
            }
        }
        return used.stream().collect(Collectors.joining(", "));
    }
}
