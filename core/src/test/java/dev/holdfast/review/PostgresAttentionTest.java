package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresAttentionTest extends AttentionContract {
    PostgresAttentionTest() {
        super(Engine.POSTGRES);
    }
}
