package dev.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples are put together here, so that no file of this repository contains one. */
class SecretsTest {
    private static final String RANDOM = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0aB3dE6gH9j";

    private final Rule rule = new Secrets();

    private List<Violation> in(String path, String line) {
        return new SampleDiff().created(path, "first", line).by(rule, Contents.OF_THE_DIFF);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-----BEGIN RSA PRIVATE ~KEY-----",
                "-----BEGIN ~PRIVATE KEY-----",
                "aws_access_key_id = AKIA~IOSFODNN7QWERTYU",
                "token: ghp_~" + RANDOM,
                "curl -H 'Authorization: Bearer sk-ant-~" + RANDOM + "'",
                "OPENAI=sk-proj-~" + RANDOM,
                "slack: xoxb-~123456789012-" + RANDOM,
                "stripe = 'sk_live_~" + RANDOM + "'",
                "key: AIza~SyA1234567890abcdefghijklmnopqrstuv",
                "jwt eyJ~hbGciOiJIUzI1NiJ9.eyJ~zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"
            })
    void what_has_the_form_of_a_secret_is_found_everywhere(String line) {
        String secret = line.replace("~", "");

        assertThat(in("src/App.java", secret)).singleElement().satisfies(finding -> {
            assertThat(finding.line()).isEqualTo(2);
            assertThat(finding.message()).doesNotContain(RANDOM);
        });
        assertThat(in("src/test/java/AppTest.java", secret)).hasSize(1);
        assertThat(in("README.md", secret)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password = \"~hT7kQ9zW2x\"",
                "\"api_key\": \"~9f8e7d6c5b4a3210\"",
                "DB_PASSWORD: '~Tr0ub4dor3x'",
                "url = \"postgres://app:~hT7kQ9zW2x@db.internal/app\""
            })
    void a_value_that_looks_random_beside_such_a_name_is_found_in_code(String line) {
        String secret = line.replace("~", "");

        assertThat(in("config/app.yml", secret)).hasSize(1);
        assertThat(in("docs/setup.md", secret)).as("invented, as a rule").isEmpty();
        assertThat(in("tests/test_app.py", secret)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password = \"changeme123\"",
                "password = System.getenv(\"DB_PASSWORD\")",
                "api_key: \"${API_KEY}\"",
                "api_key = '{{ vault_api_key_1 }}'",
                "passwordField = \"password-input-2\"",
                "String secret = config.get(\"secret.name\");",
                "secretName: \"orders/db-credentials-v2\"",
                "url = \"postgres://user:${PASSWORD}@db/app\"",
                "url = \"http://localhost:8321/mcp\"",
                "AKIA" + "IOSFODNN7EXAMPLE",
                "String hash = \"sha256:9f8e7d6c5b4a32109f8e7d6c5b4a3210\";",
                "sk-learn is a library, ask-me-anything-about-it-whenever-you-like"
            })
    void names_templates_and_examples_are_none(String line) {
        assertThat(in("src/App.java", line)).isEmpty();
    }

    @Test
    void what_is_removed_is_not_this_changes_fault() {
        assertThat(new SampleDiff()
                        .changed("a.py", "-token = 'ghp_" + RANDOM + "'", "+token = os.environ['TOKEN']")
                        .places(rule))
                .isEmpty();
    }

    @Test
    void files_that_hold_secrets_are_kept_out() {
        assertThat(new SampleDiff()
                        .created(".env", "A=b")
                        .created("deploy/id_rsa", "x")
                        .created(".env.example", "A=")
                        .created("src/test/resources/test.p12", "x")
                        .places(rule))
                .containsExactly(".env:1", "deploy/id_rsa:1");
    }

    @Test
    void a_secret_far_along_a_long_line_is_found_in_reasonable_time() {
        String line = "eyJ-".repeat(300_000) + " ghp_" + RANDOM + " " + "password".repeat(50_000);

        assertThat(in("bundle.js", line)).hasSize(1);
    }
}
