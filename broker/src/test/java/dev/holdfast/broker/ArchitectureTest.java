package dev.holdfast.broker;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses BROKER = new ClassFileImporter()
            .importUrl(Broker.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void no_packages_of_the_broker_depend_on_each_other_in_a_circle() {
        slices().matching("dev.holdfast.broker.(*)..").should().beFreeOfCycles().check(BROKER);
    }
}
