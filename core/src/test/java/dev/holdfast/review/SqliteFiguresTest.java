package dev.holdfast.review;

import dev.holdfast.store.Engine;

class SqliteFiguresTest extends FiguresContract {
    SqliteFiguresTest() {
        super(Engine.SQLITE);
    }
}
