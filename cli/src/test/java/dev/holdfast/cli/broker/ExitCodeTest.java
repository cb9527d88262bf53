package dev.holdfast.cli.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.claim.RefusalCode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ExitCodeTest {
    /** The command line has no class of the broker's at run time: they would slow down every command. */
    @ParameterizedTest
    @EnumSource
    void every_code_of_the_broker_ends_as_the_one_table_says(RefusalCode code) {
        assertThat(ExitCode.of(code.toString()).number()).isEqualTo(code.exitCode());
        assertThat(ExitCode.of(code.toString()).codes()).contains(code.toString());
    }

    @ParameterizedTest
    @CsvSource({"unreachable, 7", "unanswered, 7", "not_approved, 8", "failed, 1", "something_new, 1"})
    void so_do_the_command_lines_own_codes_and_those_of_newer_brokers(String code, int number) {
        assertThat(ExitCode.of(code).number()).isEqualTo(number);
    }

    @Test
    void no_code_ends_in_two_ways() {
        List<String> known = Arrays.stream(ExitCode.values())
                .flatMap(exitCode -> exitCode.codes().stream())
                .toList();

        assertThat(known).doesNotHaveDuplicates();
    }
}
