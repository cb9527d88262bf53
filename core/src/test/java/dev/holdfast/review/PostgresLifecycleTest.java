package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresLifecycleTest extends LifecycleContract {
    PostgresLifecycleTest() {
        super(Engine.POSTGRES);
    }
}
