package dev.holdfast;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.holdfast.claim.Claims;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .importUrl(Claims.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void dependencies_inside_core_point_one_way() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("review")
                .definedBy("dev.holdfast.review..")
                .layer("work")
                .definedBy("dev.holdfast.work..")
                .layer("task")
                .definedBy("dev.holdfast.task..")
                .layer("token")
                .definedBy("dev.holdfast.token..")
                .layer("backup")
                .definedBy("dev.holdfast.backup..")
                .layer("agent")
                .definedBy("dev.holdfast.agent..")
                .layer("claim")
                .definedBy("dev.holdfast.claim..")
                .layer("event")
                .definedBy("dev.holdfast.event..")
                .layer("repository")
                .definedBy("dev.holdfast.repository..")
                .layer("store")
                .definedBy("dev.holdfast.store..")
                .whereLayer("review")
                .mayOnlyBeAccessedByLayers("backup")
                .whereLayer("work")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("task")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("token")
                .mayOnlyBeAccessedByLayers("backup")
                .whereLayer("backup")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("agent")
                .mayOnlyBeAccessedByLayers("review", "token")
                .whereLayer("claim")
                .mayOnlyBeAccessedByLayers("agent", "review", "work", "task", "token", "backup")
                .whereLayer("event")
                .mayOnlyBeAccessedByLayers("agent", "review", "work", "task", "token", "claim")
                .whereLayer("repository")
                .mayOnlyBeAccessedByLayers("review", "work", "token")
                .whereLayer("store")
                .mayNotAccessAnyLayer()
                .check(CORE);
    }

    @Test
    void no_package_of_core_depends_on_itself_through_another() {
        slices().matching("dev.holdfast.(**)").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void the_packages_of_reviews_build_on_one_another_and_never_back() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("reviews")
                .definedBy("dev.holdfast.review")
                .layer("verdicts and pool records")
                .definedBy("dev.holdfast.review.verdict", "dev.holdfast.review.pool")
                .layer("reading")
                .definedBy("dev.holdfast.review.reading")
                .layer("queue and proposals")
                .definedBy("dev.holdfast.review.queue", "dev.holdfast.review.proposal")
                .layer("approvals, findings, discussion, figures")
                .definedBy(
                        "dev.holdfast.review.approval",
                        "dev.holdfast.review.finding",
                        "dev.holdfast.review.discussion",
                        "dev.holdfast.review.figures")
                .layer("record")
                .definedBy("dev.holdfast.review.record")
                .layer("diff")
                .definedBy("dev.holdfast.review.diff")
                .whereLayer("reviews")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("verdicts and pool records")
                .mayOnlyBeAccessedByLayers("reviews")
                .whereLayer("reading")
                .mayOnlyBeAccessedByLayers("reviews", "verdicts and pool records")
                .whereLayer("queue and proposals")
                .mayOnlyBeAccessedByLayers("reviews", "verdicts and pool records", "reading")
                .whereLayer("approvals, findings, discussion, figures")
                .mayOnlyBeAccessedByLayers("reviews", "verdicts and pool records", "reading", "queue and proposals")
                .check(CORE);
    }

    @Test
    void nothing_but_the_entrance_knows_of_imports_from_other_tools() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.holdfast.review", "dev.holdfast.review.imports", "dev.holdfast.work.beads")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.review.imports", "dev.holdfast.work.beads")
                .check(CORE);
    }

    /** Benchmarks measure the table itself, and functions in migrations read it; nothing else may. */
    @ParameterizedTest
    @ValueSource(strings = {"core", "broker", "rules"})
    void sql_names_the_table_of_claims_only_in_the_package_claim(String module) throws IOException {
        Pattern named = Pattern.compile("(?i)\\b(from|join|into|update|table|only)\\s+resources\\b");
        Path sources = Path.of("..", module, "src", "main", "java", "dev", "holdfast");
        try (Stream<Path> files = Files.walk(sources)) {
            assertThat(files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !file.startsWith(sources.resolve("claim")))
                            .filter(file -> named.matcher(text(file)).find()))
                    .as("use dev.holdfast.claim.ClaimSql")
                    .isEmpty();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void core_needs_only_jdbc_pool_migrations_json_and_logging() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.holdfast..",
                        "java..",
                        "javax.net..",
                        "javax.sql..",
                        "org.sqlite..",
                        "org.postgresql..",
                        "com.zaxxer.hikari..",
                        "org.flywaydb..",
                        "tools.jackson..",
                        "com.fasterxml.jackson.annotation..",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(CORE);
    }

    /** A class that was renamed would no longer be mutated, or left out of the coverage, without a word. */
    @Test
    void the_build_names_only_classes_of_core_that_exist() throws IOException {
        Matcher named = Pattern.compile("<(param|include|exclude)>(dev[./]holdfast[./][\\w./]*[A-Z]\\w*)")
                .matcher(Files.readString(Path.of("pom.xml")));
        List<String> names =
                named.results().map(one -> one.group(2).replace('.', '/')).toList();
        assertThat(names)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(
                                Stream.of("src/main/java", "src/test/java").map(root -> Path.of(root, name + ".java")))
                        .as(name)
                        .anyMatch(Files::exists));
    }
}
