package dev.holdfast.broker;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.holdfast.git.Git;
import dev.holdfast.rules.Rules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses BROKER = classesBeside(Broker.class);

    @Test
    void no_packages_of_the_broker_depend_on_each_other_in_a_circle() {
        slices().matching("dev.holdfast.broker.(**)").should().beFreeOfCycles().check(BROKER);
    }

    /** From the doors inwards: who may call, what can be called, what the broker does by itself, what all of that stands on. */
    @Test
    void dependencies_of_the_broker_point_one_way() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.holdfast.broker..")
                .layer("wiring")
                .definedBy("dev.holdfast.broker")
                .layer("doors")
                .definedBy("dev.holdfast.broker.mcp..", "dev.holdfast.broker.hook..", "dev.holdfast.broker.dashboard..")
                .layer("http")
                .definedBy("dev.holdfast.broker.api..")
                .layer("auth")
                .definedBy("dev.holdfast.broker.auth..")
                .layer("families of verbs")
                .definedBy("dev.holdfast.broker.verb.*..")
                .layer("repository")
                .definedBy("dev.holdfast.broker.repository..")
                .layer("verb")
                .definedBy("dev.holdfast.broker.verb")
                .layer("doctor")
                .definedBy("dev.holdfast.broker.doctor..")
                .layer("pool")
                .definedBy("dev.holdfast.broker.pool..")
                .layer("config")
                .definedBy("dev.holdfast.broker.config..")
                .layer("ground")
                .definedBy(
                        "dev.holdfast.broker.git..",
                        "dev.holdfast.broker.metrics..",
                        "dev.holdfast.broker.process..",
                        "dev.holdfast.broker.task..",
                        "dev.holdfast.broker.token..")
                .whereLayer("wiring")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("doors")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("http")
                .mayOnlyBeAccessedByLayers("wiring", "doors", "doctor")
                .whereLayer("auth")
                .mayOnlyBeAccessedByLayers("wiring", "doors", "http")
                .whereLayer("families of verbs")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("repository")
                .mayOnlyBeAccessedByLayers("wiring", "doors", "auth")
                .whereLayer("verb")
                .mayOnlyBeAccessedByLayers("wiring", "doors", "http", "auth", "families of verbs", "repository")
                .whereLayer("doctor")
                .mayOnlyBeAccessedByLayers("wiring")
                .whereLayer("pool")
                .mayOnlyBeAccessedByLayers("wiring", "doors", "families of verbs")
                .whereLayer("ground")
                .mayNotAccessAnyLayer()
                .whereLayer("config")
                .mayOnlyAccessLayers("ground")
                .whereLayer("verb")
                .mayOnlyAccessLayers("config", "ground")
                .whereLayer("pool")
                .mayOnlyAccessLayers("config", "ground")
                .check(BROKER);
    }

    /** Git's are started by the module git. */
    @Test
    void only_the_pool_starts_processes() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.holdfast.broker.pool..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ProcessBuilder.class)
                .check(BROKER);
    }

    @Test
    void the_rules_know_only_diffs_and_git_and_git_knows_nothing_of_holdfast() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.holdfast..")
                        .and(resideOutsideOfPackages(
                                "dev.holdfast.rules..",
                                "dev.holdfast.git..",
                                "dev.holdfast.claim",
                                "dev.holdfast.review.diff")))
                .check(classesBeside(Rules.class));
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAPackage("dev.holdfast..").and(resideOutsideOfPackage("dev.holdfast.git..")))
                .check(classesBeside(Git.class));
    }

    private static JavaClasses classesBeside(Class<?> one) {
        return new ClassFileImporter()
                .importUrl(one.getProtectionDomain().getCodeSource().getLocation());
    }
}
