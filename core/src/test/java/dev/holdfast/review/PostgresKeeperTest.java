package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresKeeperTest extends KeeperContract {
    PostgresKeeperTest() {
        super(Engine.POSTGRES);
    }
}
