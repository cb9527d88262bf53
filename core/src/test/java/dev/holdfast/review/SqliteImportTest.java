package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteImportTest extends ImportContract {
    SqliteImportTest() {
        super(Engine.SQLITE);
    }
}
