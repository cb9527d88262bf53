package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteKindClaimsTest extends KindClaimsContract {
    SqliteKindClaimsTest() {
        super(Engine.SQLITE);
    }
}
