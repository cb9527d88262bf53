package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteKeeperTest extends KeeperContract {
    SqliteKeeperTest() {
        super(Engine.SQLITE);
    }
}
