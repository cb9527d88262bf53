package dev.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MissingTestsTest {
    private final Rule rule = new MissingTests();

    private static String[] code(int lines) {
        return IntStream.range(0, lines)
                .mapToObj(i -> "int x" + i + " = " + i + ";")
                .toArray(String[]::new);
    }

    @Test
    void new_code_without_any_test_is_found_once_where_most_of_it_is() {
        assertThat(new SampleDiff()
                        .created("src/main/java/Small.java", code(5))
                        .created("src/main/java/Orders.java", code(30))
                        .by(rule, Contents.OF_THE_DIFF))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.path()).isEqualTo("src/main/java/Orders.java");
                    assertThat(finding.message()).contains("35 more lines");
                });
    }

    @Test
    void code_with_a_test_is_fine() {
        assertThat(new SampleDiff()
                        .created("src/main/java/Orders.java", code(30))
                        .changed("src/test/java/OrdersTest.java", "+int x = 1;")
                        .places(rule))
                .isEmpty();
        assertThat(new SampleDiff()
                        .created("orders.go", code(30))
                        .created("orders_test.go", "func TestX(t *testing.T) {")
                        .places(rule))
                .isEmpty();
    }

    @Test
    void a_deleted_test_does_not_count_as_one() {
        assertThat(new SampleDiff()
                        .created("src/main/java/Orders.java", code(30))
                        .deleted("src/test/java/OrdersTest.java", "class OrdersTest {}")
                        .places(rule))
                .hasSize(1);
    }

    @Test
    void little_code_documents_settings_and_rearranged_code_are_fine() {
        assertThat(new SampleDiff().created("src/main/java/A.java", code(19)).places(rule))
                .isEmpty();
        assertThat(new SampleDiff().created("docs/guide.md", code(100)).places(rule))
                .isEmpty();
        assertThat(new SampleDiff().created("deploy/app.yaml", code(100)).places(rule))
                .isEmpty();
        assertThat(new SampleDiff()
                        .created("src/main/java/A.java", code(50))
                        .deleted("src/main/java/B.java", code(50))
                        .changed(
                                "src/main/java/C.java",
                                Stream.of(code(50)).map(l -> "-" + l).toArray(String[]::new))
                        .places(rule))
                .isEmpty();
    }

    @Test
    void comments_and_imports_are_no_code() {
        String[] comments =
                IntStream.range(0, 50).mapToObj(i -> "// comment " + i).toArray(String[]::new);

        assertThat(new SampleDiff().created("src/main/java/A.java", comments).places(rule))
                .isEmpty();
    }
}
