package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteFencedReclaimTest extends FencedReclaimContract {
    SqliteFencedReclaimTest() {
        super(Engine.SQLITE);
    }
}
