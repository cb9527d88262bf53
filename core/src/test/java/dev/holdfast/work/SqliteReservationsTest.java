package dev.holdfast.work;

import dev.holdfast.store.Engine;

class SqliteReservationsTest extends ReservationsContract {
    SqliteReservationsTest() {
        super(Engine.SQLITE);
    }
}
