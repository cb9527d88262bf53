package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteAttentionTest extends AttentionContract {
    SqliteAttentionTest() {
        super(Engine.SQLITE);
    }
}
