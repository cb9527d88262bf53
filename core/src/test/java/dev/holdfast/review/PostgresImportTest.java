package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresImportTest extends ImportContract {
    PostgresImportTest() {
        super(Engine.POSTGRES);
    }
}
