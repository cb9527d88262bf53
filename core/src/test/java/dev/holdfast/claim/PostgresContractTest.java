package dev.holdfast.claim;

import dev.holdfast.store.Engine;

/** The contract, kept by PostgreSQL. */
class PostgresContractTest extends StoreContract {
    PostgresContractTest() {
        super(Engine.POSTGRES);
    }
}
