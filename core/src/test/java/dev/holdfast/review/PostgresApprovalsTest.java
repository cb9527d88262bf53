package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresApprovalsTest extends ApprovalsContract {
    PostgresApprovalsTest() {
        super(Engine.POSTGRES);
    }
}
