package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresKindClaimsTest extends KindClaimsContract {
    PostgresKindClaimsTest() {
        super(Engine.POSTGRES);
    }
}
