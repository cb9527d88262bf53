package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.broker.verb.Code;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodeTest {
    @ParameterizedTest
    @CsvSource({
        "invalid, 2",
        "too_large, 2",
        "held, 3",
        "not_found, 4",
        "not_claimable, 5",
        "bad_state, 5",
        "unread, 5",
        "lost, 6",
        "stale, 6",
        "wrong_holder, 6",
        "not_held, 6",
        "fence_missing, 6",
        "busy, 7",
        "unreachable, 7",
        "not_approved, 8",
        "forbidden, 1",
        "unauthorized, 1",
        "something_new, 1"
    })
    void every_code_has_its_exit_code(String code, int number) {
        assertThat(ExitCode.of(code).number()).isEqualTo(number);
    }

    @Test
    void every_code_of_the_broker_is_in_the_table() {
        List<String> known = Arrays.stream(ExitCode.values())
                .flatMap(exitCode -> exitCode.codes().stream())
                .toList();

        assertThat(known).doesNotHaveDuplicates();
        assertThat(Arrays.stream(Code.values()).map(Code::toString)).allMatch(known::contains);
    }
}
