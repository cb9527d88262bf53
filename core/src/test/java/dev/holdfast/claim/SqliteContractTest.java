package dev.holdfast.claim;

import dev.holdfast.store.Engine;

/** The contract, kept by SQLite. */
class SqliteContractTest extends StoreContract {
    SqliteContractTest() {
        super(Engine.SQLITE);
    }
}
