package dev.holdfast.broker;

class SqliteOddTextTest extends OddTextContract {}
