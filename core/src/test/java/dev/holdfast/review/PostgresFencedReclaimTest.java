package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresFencedReclaimTest extends FencedReclaimContract {
    PostgresFencedReclaimTest() {
        super(Engine.POSTGRES);
    }
}
