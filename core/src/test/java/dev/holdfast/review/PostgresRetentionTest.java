package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresRetentionTest extends RetentionContract {
    PostgresRetentionTest() {
        super(Engine.POSTGRES);
    }
}
