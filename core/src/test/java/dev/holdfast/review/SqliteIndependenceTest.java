package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteIndependenceTest extends IndependenceContract {
    SqliteIndependenceTest() {
        super(Engine.SQLITE);
    }
}
