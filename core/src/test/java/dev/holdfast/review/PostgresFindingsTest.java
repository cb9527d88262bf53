package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresFindingsTest extends FindingsContract {
    PostgresFindingsTest() {
        super(Engine.POSTGRES);
    }
}
