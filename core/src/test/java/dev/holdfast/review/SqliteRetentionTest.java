package dev.holdfast.review;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.review.figures.ReviewRetention;
import dev.holdfast.store.Engine;
import dev.holdfast.store.Sql;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqliteRetentionTest extends RetentionContract {
    SqliteRetentionTest() {
        super(Engine.SQLITE);
    }

    @Test
    void every_table_that_belongs_to_reviews_is_dropped_with_them() {
        List<String> tables = on.store()
                .read(transaction -> transaction.list(
                        Sql.of("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE :like"),
                        p -> p.text("like", "%REFERENCES reviews%"),
                        row -> row.text("name")));
        assertThat(tables).containsExactlyInAnyOrderElementsOf(ReviewRetention.PARTS);
    }
}
