package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresIndependenceTest extends IndependenceContract {
    PostgresIndependenceTest() {
        super(Engine.POSTGRES);
    }
}
