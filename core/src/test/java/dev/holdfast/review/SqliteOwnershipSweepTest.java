package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteOwnershipSweepTest extends OwnershipSweepContract {
    SqliteOwnershipSweepTest() {
        super(Engine.SQLITE);
    }
}
