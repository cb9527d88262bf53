package dev.holdfast;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.holdfast.claim.Claims;
import org.junit.jupiter.api.Test;

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
                .layer("agent")
                .definedBy("dev.holdfast.agent..")
                .layer("claim")
                .definedBy("dev.holdfast.claim..")
                .layer("event")
                .definedBy("dev.holdfast.event..")
                .layer("store")
                .definedBy("dev.holdfast.store..")
                .whereLayer("review")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("work")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("task")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("agent")
                .mayOnlyBeAccessedByLayers("review")
                .whereLayer("claim")
                .mayOnlyBeAccessedByLayers("agent", "review", "work", "task")
                .whereLayer("event")
                .mayOnlyBeAccessedByLayers("agent", "review", "work", "task", "claim")
                .whereLayer("store")
                .mayOnlyBeAccessedByLayers("agent", "review", "work", "task", "claim", "event")
                .check(CORE);
    }

    @Test
    void core_needs_only_jdbc_pool_migrations_json_and_logging() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.holdfast..",
                        "java..",
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
}
