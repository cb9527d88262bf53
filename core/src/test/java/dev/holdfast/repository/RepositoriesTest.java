package dev.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.store.Engine;
import dev.holdfast.testing.TestStore;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RepositoriesTest {
    private static final String LAPTOP = "laptop";
    private static final String FIRST = "1a2b" + "0".repeat(36);
    private static final String OTHER = "9f8e" + "0".repeat(36);
    private static final String SIMILAR = "9f8e" + "1".repeat(36);

    @ParameterizedTest
    @EnumSource(Engine.class)
    void clones_and_working_trees_of_one_repository_are_one(Engine engine) {
        try (TestStore on = TestStore.settable(engine)) {
            Repositories repositories = new Repositories(on.store());
            Repository first = repositories.register(seen("Web-Shop", FIRST, "/src/shop"));
            assertThat(first).isEqualTo(new Repository("webshop", "Web-Shop", true));
            assertThat(repositories
                            .register(seen("Web-Shop", FIRST, "/src/shop"))
                            .isNew())
                    .isFalse();
            on.settableClock().advance(Duration.ofMinutes(1));
            assertThat(repositories
                            .register(seen("web shop", FIRST, "/tmp/shop"))
                            .key())
                    .isEqualTo("webshop");
            assertThat(repositories.folders("webshop", LAPTOP)).containsExactly("/tmp/shop", "/src/shop");
            assertThat(repositories.folders("webshop", "another")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void another_repository_of_the_same_name_gets_a_key_of_its_own(Engine engine) {
        try (TestStore on = TestStore.settable(engine)) {
            Repositories repositories = new Repositories(on.store());
            repositories.register(seen("shop", FIRST, "/src/shop"));
            Repository other = repositories.register(seen("shop", OTHER, "/other/shop"));
            assertThat(other.key()).isEqualTo("shop9f8e");
            assertThat(other.hasSuffix()).isTrue();
            assertThat(repositories.register(seen("shop", OTHER, "/clone/shop")).key())
                    .isEqualTo("shop9f8e");
            assertThat(repositories
                            .register(seen("shop", SIMILAR, "/third/shop"))
                            .key())
                    .isEqualTo("shop9f8e1");
            assertThat(repositories.register(seen("shop", FIRST, "/src/shop")).key())
                    .isEqualTo("shop");
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_repository_before_its_first_commit_is_told_apart_as_soon_as_it_has_one(Engine engine) {
        try (TestStore on = TestStore.settable(engine)) {
            Repositories repositories = new Repositories(on.store());
            assertThat(repositories.register(seen("shop", "", "/src/shop")).key())
                    .isEqualTo("shop");
            assertThat(repositories.register(seen("shop", "", "/other/shop")).key())
                    .isEqualTo("shop");
            assertThat(repositories.register(seen("shop", FIRST, "/src/shop")).key())
                    .isEqualTo("shop");
            assertThat(repositories.register(seen("shop", OTHER, "/other/shop")).key())
                    .isEqualTo("shop9f8e");
            assertThat(repositories.register(seen("shop", "", "/other/shop")).key())
                    .as("a history that cannot be read now")
                    .isEqualTo("shop9f8e");
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void a_branch_without_the_first_commit_is_still_of_its_folders_repository(Engine engine) {
        try (TestStore on = TestStore.settable(engine)) {
            Repositories repositories = new Repositories(on.store());
            repositories.register(seen("shop", FIRST, "/src/shop"));
            assertThat(repositories.register(seen("shop", OTHER, "/src/shop")).key())
                    .isEqualTo("shop");
            assertThat(repositories.register(seen("kiosk", FIRST, "/src/shop")).key())
                    .as("holdfast.project was set")
                    .isEqualTo("kiosk");
        }
    }

    @ParameterizedTest
    @CsvSource({"Web Shop, webshop", "/src/Web-Shop/, webshop", "C:\\src\\shop, shop", "Лавка, лавка"})
    void a_queue_is_named_as_a_project_is(String written, String key) {
        assertThat(RepositoryKey.ofQueue(written)).isEqualTo(key);
    }

    private static RepositoryReport seen(String name, String root, String folder) {
        return new RepositoryReport(name, root, LAPTOP, folder);
    }
}
