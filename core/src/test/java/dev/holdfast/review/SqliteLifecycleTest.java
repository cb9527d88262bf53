package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteLifecycleTest extends LifecycleContract {
    SqliteLifecycleTest() {
        super(Engine.SQLITE);
    }
}
