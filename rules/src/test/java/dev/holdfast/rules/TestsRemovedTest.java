package dev.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.review.diff.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestsRemovedTest {
    private final Rule rule = new TestsRemoved();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "src/test/java/OrdersTest.java | @Test",
                "tests/test_orders.py          | def test_total():",
                "src/orders.test.ts            | it('adds up', () => {",
                "orders_test.go                | func TestTotal(t *testing.T) {"
            })
    void a_test_that_goes_away_is_found_at_its_old_line(String path, String test) {
        assertThat(new SampleDiff()
                        .changed(path, " before", "-" + test, "-  body", " after")
                        .by(rule, Contents.OF_THE_DIFF))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.side()).isEqualTo(Side.OLD);
                    assertThat(finding.line()).isEqualTo(11);
                    assertThat(finding.message()).contains("1 test is removed");
                });
    }

    @Test
    void a_deleted_file_of_tests_is_found() {
        assertThat(new SampleDiff()
                        .deleted("src/test/java/OrdersTest.java", "class OrdersTest {", "@Test", "@Test", "}")
                        .changed("src/main/java/Orders.java", "-  int a;", "+  int b;")
                        .places(rule))
                .containsExactly("src/test/java/OrdersTest.java:2");
    }

    @Test
    void tests_that_move_or_are_rewritten_are_not_gone() {
        assertThat(new SampleDiff()
                        .deleted("src/test/java/OrdersTest.java", "@Test", "@Test")
                        .created("src/test/java/TotalsTest.java", "@Test", "@ParameterizedTest")
                        .places(rule))
                .isEmpty();
    }

    @Test
    void tests_may_go_with_the_code_they_were_for() {
        assertThat(new SampleDiff()
                        .deleted("src/test/java/OrdersTest.java", "@Test", "@Test")
                        .deleted("src/main/java/Orders.java", "class Orders {}")
                        .places(rule))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "src/test/java/OrdersTest.java | @Disabled(\"flaky\")",
                "tests/test_orders.py          | @pytest.mark.skip",
                "src/orders.test.ts            | it.skip('adds up', () => {"
            })
    void a_test_that_is_switched_off_is_found(String path, String line) {
        assertThat(new SampleDiff().changed(path, "+" + line, " @Test").places(rule))
                .containsExactly(path + ":10");
    }

    @Test
    void helpers_and_data_of_tests_may_go() {
        assertThat(new SampleDiff()
                        .changed("src/test/java/OrdersTest.java", "-  private int helper() {", "-  }", "+  int x;")
                        .deleted("src/test/resources/orders.json", "{}")
                        .places(rule))
                .isEmpty();
    }
}
