package dev.holdfast.work;

import dev.holdfast.store.Engine;

class PostgresReservationsTest extends ReservationsContract {
    PostgresReservationsTest() {
        super(Engine.POSTGRES);
    }
}
