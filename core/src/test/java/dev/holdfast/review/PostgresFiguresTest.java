package dev.holdfast.review;

import dev.holdfast.store.Engine;

class PostgresFiguresTest extends FiguresContract {
    PostgresFiguresTest() {
        super(Engine.POSTGRES);
    }
}
