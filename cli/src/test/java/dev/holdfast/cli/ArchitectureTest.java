package dev.holdfast.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses CLI = new ClassFileImporter()
            .importUrl(Main.class.getProtectionDomain().getCodeSource().getLocation());

    /** They know of each other only what is in claim, review, hooks and server. */
    private static final List<String> FAMILIES = List.of(
            "call", "completion", "demo", "event", "gate", "imports", "init", "mcp", "pool", "session", "task", "work");

    @Test
    void no_packages_of_the_command_line_depend_on_each_other_in_a_circle() {
        slices().matching("dev.holdfast.cli.(**)").should().beFreeOfCycles().check(CLI);
    }

    @Test
    void dependencies_of_the_command_line_point_one_way() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.holdfast.cli..")
                .layer("program")
                .definedBy("dev.holdfast.cli")
                .layer("families")
                .definedBy(FAMILIES.stream()
                        .map(family -> "dev.holdfast.cli." + family + "..")
                        .toArray(String[]::new))
                .layer("review")
                .definedBy("dev.holdfast.cli.review..")
                .layer("hooks")
                .definedBy("dev.holdfast.cli.hooks..")
                .layer("settings")
                .definedBy("dev.holdfast.cli.settings..")
                .layer("claim")
                .definedBy("dev.holdfast.cli.claim..")
                .layer("server")
                .definedBy("dev.holdfast.cli.server..")
                .layer("command")
                .definedBy("dev.holdfast.cli.command..")
                .layer("broker")
                .definedBy("dev.holdfast.cli.broker..")
                .layer("terminal")
                .definedBy("dev.holdfast.cli.terminal..")
                .layer("git")
                .definedBy("dev.holdfast.cli.git..")
                .layer("http")
                .definedBy("dev.holdfast.cli.http..")
                .layer("json")
                .definedBy("dev.holdfast.cli.json..")
                .whereLayer("program")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("families")
                .mayOnlyBeAccessedByLayers("program")
                .whereLayer("hooks")
                .mayOnlyBeAccessedByLayers("program", "families")
                .whereLayer("settings")
                .mayOnlyBeAccessedByLayers("program", "families", "hooks")
                .whereLayer("review")
                .mayOnlyBeAccessedByLayers("program", "families")
                .whereLayer("claim")
                .mayOnlyBeAccessedByLayers("program", "families", "review")
                .whereLayer("server")
                .mayOnlyBeAccessedByLayers("program", "families")
                .whereLayer("command")
                .mayOnlyBeAccessedByLayers("program", "families", "hooks", "settings", "review", "claim", "server")
                .whereLayer("broker")
                .mayOnlyBeAccessedByLayers(
                        "program", "families", "hooks", "settings", "review", "claim", "server", "command")
                .whereLayer("terminal")
                .mayOnlyBeAccessedByLayers(
                        "program", "families", "hooks", "settings", "review", "claim", "server", "command", "broker")
                .whereLayer("git")
                .mayOnlyBeAccessedByLayers("families", "hooks", "review", "server")
                .check(CLI);
    }

    @Test
    void families_of_commands_know_of_each_other_only_what_is_meant_for_all() {
        for (String family : FAMILIES) {
            String own = "dev.holdfast.cli." + family + "..";
            noClasses()
                    .that()
                    .resideInAPackage("dev.holdfast.cli.(*)..")
                    .and()
                    .resideOutsideOfPackage(own)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(own)
                    .check(CLI);
        }
    }
}
